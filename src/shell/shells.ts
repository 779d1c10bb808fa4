/**
 * Shells and what they are given to run: `bash -c TEXT`, a script on standard input, a script file,
 * `eval`, `source`.
 */
import { type Frame, knownWord, type Output, through } from "./frame.ts";
import type { Program } from "./program.ts";
import type { Word } from "./reading.ts";
import { resolvedPath } from "./sink.ts";

/** Programs that read shell text. */
export const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "mksh",
  "ash",
  "rbash",
  "fish",
  "csh",
  "tcsh",
  "yash",
  "bash.exe",
  "lksh",
  "oksh",
  "elvish",
  "nu",
  "xonsh",
]); // deno-fmt-ignore

const VALUED = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);

/**
 * Reads `text` as shell text one level deeper. Where `text` is not wholly known (it was put together
 * from `words`), what can be read is read, and text of unknown content is a doubt.
 */
export function readShellText(
  text: Word,
  words: readonly Word[],
  frame: Frame,
  by: string,
): Output {
  const open = words.some((word) => word.value === undefined);
  if (open && isUnread(text.text, frame)) {
    frame.sink.doubt(
      "unread code",
      `${by} runs text of unknown content: ${shown(text.text)}`,
      text.span,
    );
  }
  return frame.engine.text(text.value ?? text.text, frame, text.span);
}

/** True where the unknown parts of a text may themselves be commands. */
function isUnread(text: string, frame: Frame): boolean {
  if (/`|\$\(|<\(|\$FETCHED_INPUT/.test(text) || /^\s*["']?\$/.test(text)) return true;
  if (/[;&|({\n]\s*["']?\$[\w{@*]/.test(text)) return true;
  for (const match of text.matchAll(/\$\{?([A-Za-z_]\w*|[@*\d])/g)) {
    if (frame.scope.vars.has(match[1] ?? "") || /[@*\d]/.test(match[1] ?? "")) return true;
  }
  return false;
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Reads what a shell is given to run. */
export function readShellProgram(program: Program): Output {
  const { args, frame, name, call } = program;
  let command = false;
  let stdin = false;
  let interactive = false;
  let i = 0;
  for (; i < args.length; i++) {
    const text = args[i]?.value ?? args[i]?.text ?? "";
    if (text === "--" || text === "-") {
      i++;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (/^--(?:version|help)$/.test(text)) return undefined;
    if (VALUED.has(text)) {
      i++;
      continue;
    }
    if (text === "--command" || /^-[A-Za-z]*c/.test(text)) command = true;
    if (/^-[A-Za-z]*s/.test(text)) stdin = true;
    if (/^-[A-Za-z]*i/.test(text) || text === "--interactive") interactive = true;
    // `-o` and `-O` inside a bundle take the next word.
    if (/^[-+][A-Za-z]*[oO]$/.test(text)) i++;
  }
  const rest = args.slice(i);
  const first = rest[0];
  if (command) {
    if (first === undefined) return undefined;
    const inner = withPositional(through(own(frame), `${name} -c`), rest.slice(2));
    if (rest[1] !== undefined) inner.scope.assign("0", rest[1].value);
    return readShellText(first, [first], inner, `${name} -c`);
  }
  if (first !== undefined && !stdin) return readScriptFile(first, rest.slice(1), program);
  const inner = withPositional(through(own(frame), `${name} <`), rest);
  return readFed({ ...program, frame: inner }, interactive, call.span);
}

/** A shell of its own: what it sets stays in it. */
function own(frame: Frame): Frame {
  return { ...frame, scope: frame.scope.fork() };
}

function withPositional(frame: Frame, args: readonly Word[]): Frame {
  frame.scope.setArguments(args);
  return frame;
}

function readFed(program: Program, interactive: boolean, span: Word["span"]): Output {
  const { frame, name } = program;
  const { input } = frame;
  const inner: Frame = { ...frame, input: { kind: "none" } };
  switch (input.kind) {
    case "text":
      return frame.engine.text(input.text, inner, span);
    case "pipe": {
      const from = input.from.map((source) => source ?? "an unknown program").join(" | ");
      frame.sink.doubt("unread code", `${from} piped into ${name}`, span);
      return undefined;
    }
    case "file":
      return readWritten(input.path, inner, `${name} < ${input.path.text}`);
    case "none":
      frame.sink.doubt(
        "interactive",
        interactive ? `${name} opened interactively` : `${name} opened without a command`,
        span,
      );
      return undefined;
  }
}

/** `bash FILE`: read where this command line wrote the file, else a doubt. */
function readScriptFile(file: Word, args: readonly Word[], program: Program): Output {
  const { frame, name } = program;
  const inner = withPositional(through(own(frame), `${name} ${file.text}`), args);
  if (/^\/dev\/(?:stdin|fd\/0)$/.test(file.value ?? "")) {
    return readFed({ ...program, frame: inner }, false, program.call.span);
  }
  frame.sink.file("read", file, name, frame);
  return readWritten(file, { ...inner, input: frame.input }, `${name} ${file.text}`);
}

/** Reads a file as shell text where its content stands in the same command line. */
export function readWritten(file: Word, frame: Frame, what: string): Output {
  const written = frame.scope.shared.written;
  const at = resolvedPath(file.value, frame.scope) ?? file.value ?? "";
  if (!written.has(at)) {
    frame.sink.doubt("indirect", `${what} runs a script that was not read`, file.span);
    return undefined;
  }
  const text = written.get(at);
  if (text === undefined) {
    frame.sink.doubt("unread code", `${what} runs text that this command fetches`, file.span);
    return undefined;
  }
  return frame.engine.text(text, frame, file.span);
}

/** `eval WORD…`: the words joined by blanks, read in the shell's own state. */
export function readEval(program: Program): Output {
  const { args, frame, call } = program;
  const words = args[0]?.value === "--" ? args.slice(1) : args;
  if (words.length === 0) return "";
  const known = words.every((word) => word.value !== undefined);
  const text = words.map((word) => word.value ?? word.text).join(" ");
  const holder = { start: words[0]!.span.start, end: words[words.length - 1]!.span.end };
  const word: Word = known
    ? knownWord(text, holder)
    : { text, value: undefined, glob: false, span: call.span };
  return readShellText(word, words, through(frame, "eval"), "eval");
}

/** `source FILE` and `. FILE`: read in the shell's own state. */
export function readSource(program: Program): Output {
  const file = program.args.find((word) => word.value !== "--");
  if (file === undefined) return undefined;
  // A `.env` file is made to be loaded, which shows nothing of it.
  if (!/(?:^|\/)\.env(?:\.[\w.-]+)?$/.test(file.value ?? "")) {
    program.frame.sink.file("read", file, program.name, program.frame);
  }
  const inner = through(program.frame, `${program.name} ${file.text}`);
  if (/^\/dev\/(?:stdin|fd\/0)$/.test(file.value ?? "")) {
    return readFed({ ...program, frame: inner }, false, program.call.span);
  }
  return readWritten(file, inner, `${program.name} ${file.text}`);
}
