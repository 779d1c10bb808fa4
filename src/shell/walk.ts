/**
 * Walks a syntax tree in the order the shell would run it, and gives what it would print.
 */
import { readCommand } from "./command.ts";
import { overChoices } from "./choices.ts";
import { forked, type Frame, type Output, spanOf } from "./frame.ts";
import type { CommandNode, PipelineNode, Statement, SyntaxNode, TestExpression } from "./parse.ts";
import { forEachChild } from "./parse.ts";
import type { Input, Word } from "./reading.ts";
import { deliver, redirect } from "./redirections.ts";
import { fieldsOf, readInside, wholeWord } from "./words.ts";

type Node = PipelineNode | {
  readonly type: "CompoundList";
  readonly commands: readonly Statement[];
};

/** Walks statements in order; their outputs joined, where all are known. */
export function walkAll(statements: readonly Statement[], frame: Frame): Output {
  let printed: Output = "";
  for (const statement of statements) {
    const inner = statement.background === true ? forked(frame) : frame;
    const output = walk(statement.command, inner);
    printed = printed === undefined || output === undefined ? undefined : printed + output;
  }
  return printed;
}

function walk(node: Node | Statement["command"], frame: Frame): Output {
  frame.sink.step();
  switch (node.type) {
    case "AndOr":
      return walkChain(node.commands, node.operators, frame);
    case "Pipeline":
      return walkPipeline(node.commands, frame);
    case "Command":
      return readCommand(node, frame);
    case "CompoundList":
      return walkAll(node.commands, frame);
    case "BraceGroup":
      return walkAll(node.body.commands, frame);
    case "Subshell":
      return walkAll(node.body.commands, forked(frame));
    case "Redirected": {
      const to = redirect(node.redirects, frame);
      const output = walk(node.command, { ...frame, input: to.input });
      return deliver(output, to.output, frame);
    }
    case "If": {
      walkAll(node.clause.commands, frame);
      const branches = [node.then, ...node.elif.flatMap((e) => [e.clause, e.then])];
      if (node.else !== undefined) branches.push(node.else);
      branch(branches.map((b) => b.commands), node.else !== undefined, frame);
      return undefined;
    }
    case "For":
    case "Select":
      return walkFor(node, frame);
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) {
        if (part !== undefined) readInside(part, frame);
      }
      loop(() => void walkAll(node.body.commands, frame), frame);
      return undefined;
    case "While":
      loop(() => {
        walkAll(node.clause.commands, frame);
        walkAll(node.body.commands, frame);
      }, frame);
      return undefined;
    case "Case":
      overChoices(frame, node.word.text, (inner) => wholeWord(node.word, inner));
      for (const item of node.items) for (const word of item.pattern) readInside(word, frame);
      branch(node.items.map((item) => item.body.commands), false, frame);
      return undefined;
    case "Function":
      frame.scope.functions.set(node.name.value, { node, doc: frame.doc });
      frame.scope.version++;
      frame.scope.shared.defined.set(node, { doc: frame.doc, scope: frame.scope.fork() });
      return "";
    case "Coproc":
      walk(node.body, forked(frame));
      return "";
    case "TestCommand":
      readTest(node.expression, frame);
      return "";
    case "ArithmeticCommand":
      readInside(node, frame);
      return "";
  }
}

/** Words of `[[ … ]]`: evaluated for what they run. */
function readTest(expression: TestExpression, frame: Frame): void {
  switch (expression.type) {
    case "TestUnary":
      wholeWord(expression.operand, frame);
      return;
    case "TestBinary":
      wholeWord(expression.left, frame);
      wholeWord(expression.right, frame);
      return;
    case "TestLogical":
      for (const operand of expression.operands) readTest(operand, frame);
      return;
    case "TestNot":
      return readTest(expression.operand, frame);
    case "TestGroup":
      return readTest(expression.expression, frame);
  }
}

/** Each list of statements on its own copy of the state; afterwards any of them may have run. */
function branch(lists: readonly (readonly Statement[])[], exhaustive: boolean, frame: Frame): void {
  const before = frame.scope.fork();
  const ends = lists.map((list) => {
    const inner = { ...frame, scope: before.fork() };
    walkAll(list, inner);
    return inner.scope;
  });
  const first = exhaustive ? ends.shift() : undefined;
  if (first !== undefined) frame.scope.become(first);
  for (const end of ends) frame.scope.join(end);
}

/** A body that runs any number of times: a second round where the first changed something. */
function loop(body: () => void, frame: Frame): void {
  const before = frame.scope.fork();
  body();
  if (frame.scope.version !== before.version) body();
  frame.scope.join(before);
}

function walkFor(
  node: Extract<CommandNode, { type: "For" | "Select" }>,
  frame: Frame,
): Output {
  const words: Word[] = [];
  if (node.wordlist === undefined) {
    const given = frame.scope.positional;
    const span = spanOf(frame, node.pos, node.end);
    for (const value of given ?? [undefined]) {
      words.push({ text: value ?? "$@", value, glob: false, span });
    }
  } else {
    for (const word of node.wordlist) {
      overChoices(frame, word.text, (inner) => words.push(...fieldsOf(word, inner)));
    }
  }
  if (words.length === 0) return "";
  frame.scope.assignAll(node.name.value, words.map((word) => word.value));
  const outputs: Output[] = [];
  loop(() => void outputs.push(walkAll(node.body.commands, frame)), frame);
  return words.length === 1 && outputs.length === 1 ? outputs[0] : undefined;
}

/** `a && b || c`: what runs only on some condition may not have run afterwards. */
function walkChain(
  commands: readonly PipelineNode[],
  operators: readonly ("&&" | "||")[],
  frame: Frame,
): Output {
  let printed: Output = "";
  let skipped: Frame["scope"] | undefined;
  commands.forEach((command, i) => {
    const operator = i === 0 ? "&&" : operators[i - 1];
    const previous = commands[i - 1];
    if (operator === "||") {
      const before = frame.scope.fork();
      walk(command, frame);
      if (leaves(command)) frame.scope.become(before);
      else frame.scope.join(before);
      printed = undefined;
      return;
    }
    if (previous !== undefined && !sure(previous) && skipped === undefined) {
      skipped = frame.scope.fork();
    }
    const output = walk(command, frame);
    printed = printed === undefined || output === undefined ? undefined : printed + output;
  });
  if (skipped !== undefined) frame.scope.join(skipped);
  return printed;
}

const SURE = new Set([
  ":",
  "cd",
  "chmod",
  "cp",
  "declare",
  "echo",
  "export",
  "ln",
  "local",
  "mkdir",
  "printf",
  "pushd",
  "popd",
  "pwd",
  "readonly",
  "set",
  "shift",
  "sleep",
  "touch",
  "true",
  "typeset",
  "unset",
]); // deno-fmt-ignore

/** Commands taken to succeed, so that what follows `&&` has run. */
function sure(node: PipelineNode): boolean {
  return node.type === "Command" && (node.name === undefined || SURE.has(node.name.value));
}

function leaves(node: PipelineNode): boolean {
  return node.type === "Command" && /^(?:exit|return|break|continue)$/.test(node.name?.value ?? "");
}

/** Members run side by side, each in its own shell, each fed by the one before. */
function walkPipeline(commands: readonly CommandNode[], frame: Frame): Output {
  if (commands.length === 1 && commands[0] !== undefined) return walk(commands[0], frame);
  let input: Input = frame.input;
  let output: Output = "";
  const from: (string | undefined)[] = [];
  commands.forEach((command, i) => {
    const inner = { ...forked(frame), input };
    const seen = frame.sink.invocations.length;
    frame.sink.listed = undefined;
    output = walk(command, inner);
    const alone = from.length === 0 && frame.sink.invocations.length === seen + 1;
    const found = alone ? frame.sink.listed : undefined;
    from.push(...frame.sink.invocations.slice(seen).map((invocation) => invocation.name));
    if (from.length === 0) from.push(nameOf(command));
    input = output === undefined
      ? { kind: "pipe", from: [...from], ...(found === undefined ? {} : { found }) }
      : { kind: "text", text: output };
    // Some shells run the last member themselves, so that `… | read x` sets x.
    if (i === commands.length - 1) keepNew(inner, frame);
  });
  return output;
}

function nameOf(command: SyntaxNode): string | undefined {
  return command.type === "Command" ? command.name?.value : undefined;
}

function keepNew(inner: Frame, frame: Frame): void {
  for (const [name, bound] of inner.scope.vars) {
    if (!frame.scope.vars.has(name)) frame.scope.assignAll(name, [...bound.values, undefined]);
  }
}

/** True where a function starts itself side by side with itself: it would never stop growing. */
export function multiplies(body: SyntaxNode, name: string): boolean {
  let found = false;
  const look = (node: SyntaxNode) => {
    const beside = node.type === "Pipeline" && node.commands.length > 1 ||
      node.type === "Statement" && node.background === true;
    if (beside && calls(node, name)) found = true;
    if (!found) forEachChild(node, look);
  };
  look(body);
  return found;
}

function calls(node: SyntaxNode, name: string): boolean {
  if (node.type === "Command" && node.name?.value === name) return true;
  let found = false;
  forEachChild(node, (child) => {
    if (!found && child.type !== "Function") found = calls(child, name);
  });
  return found;
}
