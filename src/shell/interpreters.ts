/**
 * Interpreters of other languages: the code given on the command line or on standard input, and the
 * little languages of `awk` and `sed`.
 */
import { readCode } from "./code.ts";
import { type Frame, knownWord, through } from "./frame.ts";
import { namesIn, readOptions } from "./options.ts";
import type { Program } from "./program.ts";
import type { Span, Word } from "./reading.ts";
import { readShellText } from "./shells.ts";
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
  if (/^[gmn]?awk$/.test(name)) return readAwk(program);
  if (name === "sed" || name === "gsed") return readSed(program);
  if (/^(?:vim?|nvim|ex|ed|view)$/.test(name)) return readEditor(program);
  if (name === "osascript") return readAppleScript(program);
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
      if (program.args.length === 0) idle(program, interpreter);
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

/** `system("…")`, `"…" | getline`, `print | "…"`, `print > "…"`. */
function readAwk(program: Program): void {
  const { frame } = program;
  const options = readOptions(
    program.args,
    "-F -v -f -i -e --field-separator --assign --file --source",
    true,
  );
  const source = options.given.findLast((o) => o.name === "-e" || o.name === "--source")?.value;
  const script = source ??
    (options.given.some((o) => o.name === "-f" || o.name === "--file")
      ? undefined
      : options.operands[0]);
  if (script === undefined) return;
  if (script.value === undefined && /^\s*(?:\$\(|`|\$[\w{])/.test(script.text)) {
    frame.sink.doubt("unread code", "awk runs a program of unknown content", script.span);
  }
  const text = script.value ?? script.text;
  const run = (line: string, literal: boolean) => {
    const at = through(inner(frame), "awk");
    if (literal) {
      const word = knownWord(line, script.span);
      readShellText(word, [word], at, "awk");
    } else {
      frame.sink.doubt(
        "unread code",
        `awk runs a command known only at run time: ${line.slice(0, 60)}`,
        script.span,
      );
    }
  };
  for (const match of text.matchAll(/\bsystem\s*\(\s*(?:"((?:\\.|[^"\\])*)"\s*\))?/g)) {
    run(
      match[1]?.replace(/\\(.)/g, "$1") ?? text.slice(match.index, match.index + 60),
      match[1] !== undefined,
    );
  }
  for (const match of text.matchAll(/"((?:\\.|[^"\\])*)"\s*\|&?\s*getline/g)) {
    run(match[1] ?? "", true);
  }
  for (const match of text.matchAll(/\bprintf?\b[^;{}\n|>]*\|&?\s*"((?:\\.|[^"\\])*)"/g)) {
    run(match[1] ?? "", true);
  }
  for (const match of text.matchAll(/\bprintf?\b[^;{}\n|>]*>>?\s*"((?:\\.|[^"\\])*)"/g)) {
    frame.sink.file("write", knownWord(match[1] ?? "", script.span), "awk", frame);
  }
}

/** The `e` command and flag run commands; `w` writes a file. */
function readSed(program: Program): void {
  const { frame } = program;
  const options = readOptions(program.args, "-e -f -l --expression --file --line-length", false);
  const scripts = options.given.filter((o) => o.name === "-e" || o.name === "--expression");
  const given = options.given.some((o) => o.name === "-f" || o.name === "--file");
  const texts = scripts.length > 0 || given ? scripts.map((o) => o.value) : [options.operands[0]];
  for (const word of texts) {
    if (word === undefined) continue;
    const text = word.value ?? word.text;
    for (const command of sedCommands(text)) {
      if (command.name === "e") {
        if (command.rest === "") {
          frame.sink.doubt("unread code", "sed runs its input as a command", word.span);
        } else {
          const line = knownWord(command.rest, word.span);
          readShellText(line, [line], through(inner(frame), "sed e"), "sed");
        }
      } else if (command.name === "w") {
        frame.sink.file("write", knownWord(command.rest, word.span), "sed", frame);
      } else if (command.name === "r") {
        frame.sink.file("read", knownWord(command.rest, word.span), "sed", frame);
      }
    }
  }
}

/** The commands of a sed script that reach outside it. */
function sedCommands(script: string): { name: "e" | "w" | "r"; rest: string }[] {
  const out: { name: "e" | "w" | "r"; rest: string }[] = [];
  const address =
    /^(?:\d+|\$|\d+~\d+|\/(?:\\.|[^/\\])*\/[IM]*)(?:,(?:[+~]?\d+|\$|\/(?:\\.|[^/\\])*\/[IM]*))?\s*!?\s*/;
  let rest = script;
  for (let guard = 0; guard < 500 && rest !== ""; guard++) {
    rest = rest.replace(/^[\s;{}]+/, "");
    rest = rest.slice(address.exec(rest)?.[0].length ?? 0).replace(/^[\s{]+/, "");
    const name = rest[0] ?? "";
    if (name === "s" || name === "y") {
      const mark = rest[1] ?? "";
      let at = 2;
      for (let parts = 0; parts < 2 && at < rest.length; at++) {
        if (rest[at] === "\\") at++;
        else if (rest[at] === mark) parts++;
      }
      const flags = /^[gpiImMe0-9]*/.exec(rest.slice(at))?.[0] ?? "";
      if (name === "s" && flags.includes("e")) out.push({ name: "e", rest: "" });
      rest = rest.slice(at + flags.length);
      if (rest.startsWith("w")) {
        const line = rest.slice(1).split("\n", 1)[0] ?? "";
        out.push({ name: "w", rest: line.trim() });
        rest = rest.slice(line.length + 1);
      }
      continue;
    }
    const line = rest.slice(1).split("\n", 1)[0] ?? "";
    if (name === "e") out.push({ name: "e", rest: line.trim() });
    else if (name === "w" || name === "W") out.push({ name: "w", rest: line.trim() });
    else if (name === "r" || name === "R") out.push({ name: "r", rest: line.trim() });
    else if (!/^[aic]/.test(name)) {
      const end = /[;}\n]/.exec(rest.slice(1))?.index;
      rest = end === undefined ? "" : rest.slice(end + 1);
      continue;
    }
    rest = rest.slice(line.length + 1);
  }
  return out;
}

/** `vim -c '!cmd'`, `ex +'!cmd'`, and `!cmd` lines fed to `ed`. */
function readEditor(program: Program): void {
  const { frame, args } = program;
  const options = readOptions(args, "-c --cmd -S -u", false);
  const texts = options.given.filter((o) => o.name === "-c" || o.name === "--cmd").map((o) =>
    o.value
  );
  texts.push(...args.filter((word) => word.text.startsWith("+")));
  if (frame.input.kind === "text") texts.push(knownWord(frame.input.text, program.call.span));
  for (const word of texts) {
    if (word === undefined) continue;
    for (
      const match of word.text.matchAll(
        /(?:^|\n)\s*\+?:?(?:[\d,$%.]*[rw]?\s*|silent\s+|exec(?:ute)?\s+["'])!([^\n]+)/g,
      )
    ) {
      const line = knownWord((match[1] ?? "").replace(/["']$/, ""), word.span);
      readShellText(line, [line], through(inner(frame), program.name), program.name);
    }
  }
}

function readAppleScript(program: Program): void {
  const { frame } = program;
  for (const { value } of readOptions(program.args, "-e -l", true).given) {
    for (const match of (value?.text ?? "").matchAll(/do shell script "((?:\\.|[^"\\])*)"/g)) {
      const line = knownWord((match[1] ?? "").replace(/\\(.)/g, "$1"), value!.span);
      readShellText(line, [line], through(inner(frame), "osascript"), "osascript");
    }
  }
}
