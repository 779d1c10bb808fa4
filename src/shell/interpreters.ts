/**
 * Interpreters of other languages: the code given on the command line or on standard input.
 */
import { readCode } from "./code.ts";
import { readFilter } from "./filters.ts";
import type { Frame } from "./frame.ts";
import { namesIn, readOptions } from "./options.ts";
import type { Program } from "./program.ts";
import type { Span, Word } from "./reading.ts";
import { resolvedPath } from "./sink.ts";
import type { Language } from "./tables/calls.ts";

interface Interpreter {
  readonly language: Language;
  /** Options whose value is code. */
  readonly code: string;
  /** Further options that take a value. */
  readonly valued: string;
  /** A word that must come before the code (`deno eval CODE`). */
  readonly verb?: string;
  /** Options after which there is no code at all. */
  readonly idle?: string;
}

const PYTHON: Interpreter = {
  language: "python",
  code: "-c",
  valued: "-W -X -m -Q",
  idle: "-m -V --version -h --help",
};
const NODE: Interpreter = {
  language: "js",
  code: "-e --eval -p --print -pe",
  valued: "-r --require --import --loader --env-file --input-type -C --conditions",
  idle: "-c --check -v --version -h --help --test --run",
};
const PERL: Interpreter = {
  language: "perl",
  code: "-e -E",
  valued: "-I -M -m",
  idle: "-v -V --version -c",
};
const RUBY: Interpreter = {
  language: "ruby",
  code: "-e",
  valued: "-I -r -C -E",
  idle: "-v --version -c",
};
const PHP: Interpreter = {
  language: "php",
  code: "-r -B -R -E",
  valued: "-d -c -f -S -t",
  idle: "-v --version -i -m -l -S",
};
const LUA: Interpreter = { language: "lua", code: "-e", valued: "-l", idle: "-v" };

function interpreterFor(name: string): Interpreter | undefined {
  if (/^(?:pythonw?|pypy|ipython)[\d.]*$/.test(name)) return PYTHON;
  if (/^(?:node|nodejs|tsx|ts-node|bun|zx)[\d.]*$/.test(name)) return NODE;
  if (name === "deno") return { ...NODE, verb: "eval" };
  if (/^perl[\d.]*$/.test(name)) return PERL;
  if (/^j?ruby[\d.]*$/.test(name)) return RUBY;
  if (/^php[\d.]*$/.test(name)) return PHP;
  return /^(?:lua|luajit)[\d.]*$/.test(name) ? LUA : undefined;
}

/** Reads what an interpreter is given to run. */
export function readInterpreter(program: Program): void {
  const { name } = program;
  if (readFilter(program)) return;
  const interpreter = interpreterFor(name);
  if (interpreter !== undefined) readProgram(program, interpreter);
}

function readProgram(program: Program, interpreter: Interpreter): void {
  const { frame, name, call } = program;
  const valued = `${interpreter.code} ${interpreter.valued}`;
  const options = readOptions(program.args, valued, true);
  const codes = namesIn(interpreter.code);
  let found = false;
  if (interpreter.verb !== undefined) {
    if (options.operands[0]?.value !== interpreter.verb) {
      const script = readOptions(options.operands.slice(1), valued, true).operands[0]?.value;
      const fed = options.operands[0]?.value === "run" && script === "-";
      if (fed || program.args.length === 0) idle(program, interpreter);
      return;
    }
    const code = readOptions(options.operands.slice(1), valued, true).operands[0];
    if (code !== undefined) readInline(code, interpreter.language, program);
    return;
  }
  const pieces: Word[] = [];
  for (const { name: option, value } of options.given) {
    if (!codes.has(option) || value === undefined) continue;
    found = true;
    pieces.push(value);
  }
  for (const piece of pieces) readInline(piece, interpreter.language, program);
  if (found) return;
  const idles = namesIn(interpreter.idle ?? "");
  if (options.given.some((option) => idles.has(option.name))) return;
  const file = options.operands[0];
  if (
    file === undefined || file.value === "-" || /^\/dev\/(?:stdin|fd\/0)$/.test(file.value ?? "")
  ) {
    return idle(program, interpreter);
  }
  if (
    name === "bun" &&
    /^(?:run|test|install|add|build|x|pm|remove|update|init|create)$/.test(file.text)
  ) {
    return;
  }
  frame.sink.file("read", file, name, frame);
  const at = resolvedPath(file.value, frame.scope) ?? file.value ?? "";
  if (!frame.scope.shared.written.has(at)) return;
  readText(frame.scope.shared.written.get(at), interpreter.language, program, call.span, file.text);
}

/** No code and no file: what comes on standard input is the code. */
function idle(program: Program, interpreter: Interpreter): void {
  const { frame, name, call } = program;
  const { input } = frame;
  switch (input.kind) {
    case "text":
      return readText(input.text, interpreter.language, program, call.span, "its input");
    case "pipe": {
      const from = input.from.map((source) => source ?? "an unknown program").join(" | ");
      frame.sink.doubt("unread code", `${from} piped into ${name}`, call.span);
      return;
    }
    case "file":
      frame.sink.doubt(
        "indirect",
        `${name} runs a file that was not read: ${input.path.text}`,
        call.span,
      );
      return;
    case "none":
      frame.sink.doubt("interactive", `${name} opened without a program`, call.span);
  }
}

function readInline(code: Word, language: Language, program: Program): void {
  const { frame, name } = program;
  if (code.value === undefined && /`|\$\(|^\s*\$/.test(code.text)) {
    frame.sink.doubt("unread code", `${name} runs code of unknown content`, code.span);
  }
  readCode(code.value ?? code.text, language, inner(frame), code.span, name);
}

function readText(
  text: string | undefined,
  language: Language,
  program: Program,
  span: Span,
  what: string,
): void {
  const { frame, name } = program;
  if (text === undefined) {
    frame.sink.doubt("unread code", `${name} runs text that this command fetches: ${what}`, span);
    return;
  }
  readCode(text, language, inner(frame), span, name);
}

function inner(frame: Frame): Frame {
  return { ...frame, scope: frame.scope.fork() };
}
