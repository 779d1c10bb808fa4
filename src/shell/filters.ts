/**
 * The little languages of `awk`, `sed`, editors and AppleScript: what they run and write.
 */
import { type Frame, knownWord, through } from "./frame.ts";
import { readOptions } from "./options.ts";
import type { Program } from "./program.ts";
import { BoundReached } from "./sink.ts";
import { readShellText } from "./shells.ts";

/** Reads the script of a filter or an editor; false where the program is none. */
export function readFilter(program: Program): boolean {
  const { name } = program;
  if (/^[gmn]?awk$/.test(name)) readAwk(program);
  else if (name === "sed" || name === "gsed") readSed(program);
  else if (/^(?:vim?|nvim|ex|ed|view)$/.test(name)) readEditor(program);
  else if (name === "osascript") readAppleScript(program);
  else return false;
  return true;
}

/** Longest script that is searched, in UTF-16 units: the search looks ahead from every call in it. */
const MAX_SCRIPT = 8 * 1024;

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
  if (text.length > MAX_SCRIPT) {
    throw new BoundReached(`an awk program is longer than ${MAX_SCRIPT} characters`);
  }
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
  if (rest.trim() !== "") throw new BoundReached("a sed script holds more than 500 commands");
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
    if (word.text.length > MAX_SCRIPT) {
      throw new BoundReached(`an editor's script is longer than ${MAX_SCRIPT} characters`);
    }
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
