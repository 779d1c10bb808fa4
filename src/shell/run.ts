/**
 * One command whose words are evaluated: notes it, and hands it to whoever knows that program.
 */
import { resolve } from "../system/paths.ts";
import { runBuiltin } from "./builtins.ts";
import { checkProgram } from "./deception.ts";
import { readFiles } from "./files.ts";
import { readFind } from "./find.ts";
import { type Call, type Frame, type Output, through } from "./frame.ts";
import { gitDirectory, readGit } from "./git.ts";
import { readInterpreter } from "./interpreters.ts";
import { outputOf } from "./output.ts";
import { type Program, programName } from "./program.ts";
import type { Input, Place, Word } from "./reading.ts";
import { readRemote } from "./remote.ts";
import { readShellProgram, readWritten, SHELLS } from "./shells.ts";
import { resolvedPath } from "./sink.ts";
import { decided, undecided, withoutPieces, withoutUnknown } from "./spliced_words.ts";
import { readWindows } from "./windows.ts";
import { unwrap } from "./wrappers.ts";

/**
 * Reads the command that `words` stand for, and what it is where a variable in them is empty; gives
 * what it prints.
 */
export function runWords(words: readonly Word[], frame: Frame, call: Call): Output {
  const output = runOnce(words, frame, call);
  const program = words[0];
  const shorter = program && withoutPieces(words, programName(program));
  if (shorter !== undefined) runOnce(shorter, { ...frame, scope: frame.scope.fork() }, call);
  return output;
}

function runOnce(words: readonly Word[], frame: Frame, call: Call): Output {
  frame.sink.step(1 + Math.floor(words.length / 15));
  const word = words[0];
  if (word === undefined) return "";
  const actual = follow(word, frame);
  const name = programName(actual);
  const args = decided(words.slice(1), name ?? "");
  const scope = frame.scope;
  const place: Place = scope.elsewhere === undefined
    ? { kind: "here", cwd: name === "git" ? gitDirectory(args, scope) : scope.cwd }
    : { kind: "elsewhere", by: scope.elsewhere };
  frame.sink.invocation({
    name,
    program: word,
    args,
    assignments: call.assignments,
    redirections: call.redirections,
    input: inputOf(args, frame),
    place,
    via: frame.via,
    span: call.span,
    source: call.source,
  });
  checkProgram(word, args, frame, call.source);
  if (name === undefined) {
    doubtProgram(word, frame);
    return undefined;
  }
  const open = undecided(args, name);
  if (open !== undefined) {
    const what = `a wildcard stands for what ${name} does: ${open.text.slice(0, 120)}`;
    frame.sink.doubt("unread code", what, open.span);
  }
  const output = read({ name, word: actual, args, frame, call });
  // `=rm` is a program to zsh alone.
  return word.value?.startsWith("=") === true ? undefined : output;
}

/** A program whose name is partly there, the rest hidden, is no variable that holds a tool. */
function doubtProgram(word: Word, frame: Frame): void {
  const shown = word.text.slice(0, 120);
  if (word.value !== undefined) {
    frame.sink.doubt("unread code", `a wildcard in the program's name: ${shown}`, word.span);
  } else if (/[^/]$/.test(withoutUnknown(word) ?? "")) {
    frame.sink.doubt("unread code", `part of the program's name is hidden: ${shown}`, word.span);
  } else frame.sink.doubt("indirect", `program known only at run time: ${shown}`, word.span);
}

/** What feeds the command: its input, or the programs behind a `<(…)` that stands for it. */
function inputOf(args: readonly Word[], frame: Frame): Input {
  const { input } = frame;
  const { feeds } = frame.scope.shared;
  if (feeds.size === 0 || input.kind === "text" || input.kind === "pipe") return input;
  const file = input.kind === "file" ? input.path : args.find((word) => !word.text.startsWith("-"));
  const from = feeds.get(file?.value ?? "");
  return from === undefined ? input : { kind: "pipe", from };
}

function read(program: Program): Output {
  const { name } = program;
  runAssigned(program);
  const builtin = runBuiltin(program);
  if (builtin !== undefined) return builtin.output;
  readFiles(program);
  if (SHELLS.has(name)) return readShellProgram(program);
  const wrapped = unwrap(program);
  if (wrapped !== undefined) return wrapped.output ?? outputOf(program);
  if (readWindows(program)) return undefined;
  readWrittenProgram(program);
  if (name === "git") readGit(program);
  else if (name === "find" || name === "gfind" || name === "fd" || name === "fdfind") {
    readFind(program);
  } else if (!readRemote(program)) readInterpreter(program);
  return outputOf(program);
}

/** Links and `hash -p` names made by the same command line stand for what they point to. */
function follow(word: Word, frame: Frame): Word {
  if (word.value === undefined) return word;
  const hashed = frame.scope.shared.hashed.get(word.value);
  if (hashed !== undefined) return { ...word, value: hashed, text: hashed };
  if (!word.value.includes("/") || frame.scope.shared.links.size === 0) return word;
  const at = resolve(frame.scope.cwd ?? "/", word.value);
  const target = frame.scope.shared.links.get(at);
  return target === undefined ? word : { ...word, value: target, text: target };
}

/** `./x` where this command line wrote `x`: its text is read, or is not known. */
function readWrittenProgram(program: Program): void {
  const { word, frame, args } = program;
  if (word.value?.includes("/") !== true) return;
  const at = resolvedPath(word.value, frame.scope) ?? word.value;
  if (!frame.scope.shared.written.has(at)) return;
  const inner = through({ ...frame, scope: frame.scope.fork() }, word.text);
  inner.scope.setArguments(args);
  readWritten(word, inner, word.text);
}

/** Environment variables whose value programs run as a command. */
const COMMAND_VARIABLES =
  /^(?:GIT_(?:SSH_COMMAND|SSH|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|PROMPT_COMMAND|LESSOPEN|LESSCLOSE|RSYNC_RSH|SSH_ASKPASS|SUDO_ASKPASS)$/;

function runAssigned(program: Program): void {
  const { frame, call } = program;
  for (const { name, value } of call.assignments) {
    if (name === "BASH_ENV" && value !== "") {
      frame.sink.doubt("indirect", "BASH_ENV names a script that every bash runs first", call.span);
    }
    if (value === undefined || !COMMAND_VARIABLES.test(name)) continue;
    if (!/\s/.test(value)) continue;
    frame.engine.text(value, through({ ...frame, scope: frame.scope.fork() }, name), call.span);
  }
}
