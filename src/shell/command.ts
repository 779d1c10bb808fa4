/**
 * One simple command: its assignments, redirections and words, and what they come to.
 */
import { shellWord } from "../domain/words.ts";
import { isProgram } from "./tables/programs.ts";
import { overChoices } from "./choices.ts";
import { type Call, type Frame, type Output, spanOf, through } from "./frame.ts";
import type { Assignment, Command, RedirectionNode } from "./parse.ts";
import type { Word } from "./reading.ts";
import { deliver, redirect } from "./redirections.ts";
import { resolvedPath } from "./sink.ts";
import type { Definition } from "./scope.ts";
import { assignmentWord, fieldsOf, readInside, wholeWord } from "./words.ts";
import { multiplies } from "./walk.ts";

const DECLARES = new Set(["export", "declare", "local", "readonly", "typeset"]);
const MAX_SOURCE = 300;

/** Reads a simple command for every value its variables may hold; gives what it prints. */
export function readCommand(node: Command, frame: Frame): Output {
  const outputs: Output[] = [];
  const text = frame.doc.source === "" ? "" : frame.doc.source.slice(node.pos, node.end);
  overChoices(frame, text, (inner) => void outputs.push(readOnce(node, inner)));
  return outputs.length === 1 ? outputs[0] : undefined;
}

function readOnce(node: Command, frame: Frame): Output {
  frame.sink.step();
  const set = node.prefix.filter((part): part is Assignment => part.type === "Assignment");
  const redirects: RedirectionNode[] = [];
  for (const part of node.prefix) if (part.type !== "Assignment") redirects.push(part);
  for (const part of node.suffix) {
    if (part.type !== "Word" && part.type !== "Assignment") redirects.push(part);
  }
  // The shell expands the words before it makes the assignments.
  const words: Word[] = node.name === undefined ? [] : fieldsOf(node.name, frame);
  const declares = words.length === 1 && DECLARES.has(words[0]?.value ?? "");
  for (const part of node.suffix) {
    if (part.type === "Word") words.push(...fieldsOf(part, frame));
    else if (part.type === "Assignment") {
      if (declares) {
        assign(part, frame);
        words.push(declared(part, frame));
      } else words.push(...assignmentWord(part, frame));
    }
  }
  if (words.length === 0) {
    for (const part of set) assign(part, frame);
    const to = redirect(redirects, frame);
    return printedByRedirection(redirects, frame, deliver("", to.output, frame));
  }
  const assignments = set.map((part) => ({ name: part.name, value: valueOf(part, frame) }));
  const to = redirect(redirects, frame);
  const span = spanOf(frame, node.pos, node.end);
  const call: Call = {
    assignments,
    redirections: to.list,
    span,
    source: frame.doc.source.slice(node.pos, node.end).slice(0, MAX_SOURCE),
  };
  const inner: Frame = { ...frame, input: to.input };
  return deliver(dispatch(words, inner, call), to.output, frame);
}

/**
 * Functions and aliases come before programs, and take none away: a definition may never have been
 * reached, an alias holds from the next line on and only where the shell expands it at all.
 */
function dispatch(words: readonly Word[], frame: Frame, call: Call): Output {
  const name = words[0]?.value;
  const scope = frame.scope;
  if (name !== undefined && !scope.active.includes(name)) {
    const alias = scope.aliases.get(name);
    if (alias !== undefined) {
      const rest = words.slice(1).map((word) => ` ${quoteWord(word)}`).join("");
      within(name, frame, () => {
        return frame.engine.text(alias + rest, through(frame, `alias ${name}`), call.span);
      });
      within(name, frame, () => frame.engine.command(words, frame, call));
      return undefined;
    }
    const body = scope.functions.get(name);
    if (body !== undefined) {
      const output = callFunction(name, body, words.slice(1), frame, call);
      if (!isProgram(name)) return output;
      within(name, frame, () => frame.engine.command(words, frame, call));
      return undefined;
    }
  } else if (name !== undefined && scope.functions.has(name)) return undefined;
  return frame.engine.command(words, frame, call);
}

function callFunction(
  name: string,
  body: Definition,
  args: readonly Word[],
  frame: Frame,
  call: Call,
): Output {
  frame.scope.shared.called.add(body.node);
  if (multiplies(body.node.body, name)) {
    frame.sink.doubt(
      "runaway",
      `function "${name}" starts itself without end (a fork bomb)`,
      call.span,
    );
  }
  const { positional, uncertain } = frame.scope;
  return within(name, frame, () => {
    frame.scope.setArguments(args);
    for (const { name, value } of call.assignments) frame.scope.assign(name, value);
    const output = walkBody(body, through(frame, `function ${name}`));
    frame.scope.positional = positional;
    frame.scope.uncertain = uncertain;
    return output;
  });
}

/** Walks the body of a function in the text it was defined in. */
export function walkBody(body: Definition, frame: Frame): Output {
  const node = body.node;
  const statement = {
    type: "Statement" as const,
    pos: node.body.pos,
    end: node.body.end,
    command: node.body as never,
    background: undefined,
  };
  const script = { type: "Script" as const, pos: node.pos, end: node.end, shebang: undefined };
  return frame.engine.script({ ...script, commands: [statement] }, { ...frame, doc: body.doc });
}

/** Runs `read` with `name` marked, so that it is not expanded inside itself. */
function within(name: string, frame: Frame, read: () => Output): Output {
  const before = frame.scope.active;
  frame.scope.active = [...before, name];
  const output = read();
  frame.scope.active = before;
  return output;
}

/** A word as shell text again: single quotes where the value is known, as written where not. */
export function quoteWord(word: Word): string {
  if (word.value === undefined) return word.text;
  return word.glob ? word.value : shellWord(word.value);
}

function valueOf(part: Assignment, frame: Frame): string | undefined {
  if (part.value.type !== "Word") {
    readInside(part.value, frame);
    return undefined;
  }
  return wholeWord(part.value, frame).value;
}

function assign(part: Assignment, frame: Frame): void {
  if (part.index !== undefined) {
    readInside(part.index, frame);
    valueOf(part, frame);
    frame.scope.assign(part.name, undefined);
    return;
  }
  const bound = frame.scope.vars.get(part.name);
  if (part.value.type === "ArrayValue") {
    const items = part.value.elements.flatMap((word) => fieldsOf(word, frame));
    const before = part.append === true ? bound?.list ?? bound?.values ?? [] : [];
    frame.scope.assignList(part.name, [
      ...before.map((value) => value ?? undefined),
      ...items.map((word) => word.value),
    ]);
    return;
  }
  const value = wholeWord(part.value, frame).value;
  if (part.append !== true) return frame.scope.assign(part.name, value);
  frame.scope.assignAll(
    part.name,
    (bound?.values ?? [undefined]).map((old) => {
      return old === undefined || value === undefined ? undefined : (old ?? "") + value;
    }),
  );
}

function declared(part: Assignment, frame: Frame): Word {
  const value = frame.scope.vars.get(part.name)?.values[0];
  const span = spanOf(frame, part.pos, part.end);
  const known = typeof value === "string";
  const text = known ? `${part.name}=${value}` : part.text;
  return { text, value: known ? text : undefined, glob: false, span };
}

/** `$(< file)` prints the file: known where this command line wrote it. */
function printedByRedirection(
  redirects: readonly RedirectionNode[],
  frame: Frame,
  otherwise: Output,
): Output {
  const reads = redirects.find((node) => node.type === "Redirect" && node.operator === "<");
  if (reads?.type !== "Redirect" || reads.target === undefined) return otherwise;
  const path = wholeWord(reads.target, frame).value;
  return frame.scope.shared.written.get(resolvedPath(path, frame.scope) ?? path ?? "");
}
