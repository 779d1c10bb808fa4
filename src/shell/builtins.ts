/**
 * Shell builtins that change what later commands mean: variables, aliases, traps, directories.
 */
import { directoryBuiltin } from "./directories.ts";
import { type Output, through } from "./frame.ts";
import type { Program } from "./program.ts";
import type { Word } from "./reading.ts";
import { readEval, readShellText, readSource } from "./shells.ts";

/** Carries out a builtin; undefined where the program is none. */
export function runBuiltin(program: Program): { readonly output: Output } | undefined {
  const { name, args, frame } = program;
  const scope = frame.scope;
  if (directoryBuiltin(name, args, scope)) return { output: "" };
  switch (name) {
    case "eval":
      return { output: readEval(program) };
    case "source":
    case ".":
      return { output: readSource(program) };
    case "export":
    case "declare":
    case "local":
    case "readonly":
    case "typeset":
      for (const word of args) declare(word, program);
      return { output: "" };
    case "unset":
      for (const word of args) {
        if (word.value === undefined || word.value.startsWith("-")) continue;
        scope.assign(word.value, null);
        scope.functions.delete(word.value);
      }
      return { output: "" };
    case "read":
      readVariables(program);
      return { output: "" };
    case "printf":
      printIntoVariable(program);
      return undefined;
    case "mapfile":
    case "readarray": {
      const target = args.findLast((word) => !word.text.startsWith("-"))?.value ?? "MAPFILE";
      if (frame.input.kind === "text") {
        const end = args.some((word) => word.value === "-t") ? "" : "\n";
        const lines = frame.input.text.replace(/\n$/, "").split("\n");
        scope.assignList(target, lines.map((line) => line + end));
      } else scope.assign(target, undefined);
      return { output: "" };
    }
    case "alias":
      for (const word of args) {
        const match = /^([^=\s]+)=([^]*)$/.exec(word.value ?? "");
        if (match !== null) scope.aliases.set(match[1] ?? "", match[2] ?? "");
      }
      return { output: "" };
    case "unalias":
      for (const word of args) scope.aliases.delete(word.value ?? "");
      return { output: "" };
    case "hash": {
      const at = args.findIndex((word) => word.value === "-p");
      const path = args[at + 1]?.value;
      if (at >= 0 && path !== undefined) {
        for (const word of args.slice(at + 2)) scope.shared.hashed.set(word.value ?? "", path);
      }
      return { output: "" };
    }
    case "trap": {
      const text = args[0]?.value === "--" ? args[1] : args[0];
      if (text === undefined || args.length < 2 || /^(?:-|-[lp]+|)$/.test(text.value ?? "?")) {
        return { output: "" };
      }
      readShellText(text, [text], through(frame, "trap"), "trap");
      return { output: "" };
    }
    case "set": {
      const at = args.findIndex((word) => word.value === "--");
      const plain = !/^[-+]/.test(args[0]?.text ?? "-");
      if (at >= 0 || plain) {
        scope.setArguments(args.slice(plain ? 0 : at + 1));
      }
      return { output: "" };
    }
    case "shift":
      if (scope.positional !== undefined) {
        const count = args[0] === undefined ? 1 : Number(args[0].value);
        scope.positional = Number.isInteger(count) ? scope.positional.slice(count) : undefined;
        scope.uncertain = Math.max(0, scope.uncertain - count);
        scope.version++;
      }
      return { output: "" };
    case "getopts":
      scope.assign(args[1]?.value ?? "", undefined);
      return { output: "" };
    case "test":
    case "[":
    case "true":
    case "false":
    case ":":
    case "exit":
    case "return":
    case "wait":
      return { output: "" };
    default:
      return undefined;
  }
}

/** A name that is declared without a value keeps it; `NAME=value` words from expansions set it. */
function declare(word: Word, program: Program): void {
  const match = /^([A-Za-z_]\w*)=([^]*)$/.exec(word.text);
  if (match === null) return;
  const scope = program.frame.scope;
  const name = match[1] ?? "";
  if (scope.vars.get(name)?.list !== undefined) return;
  const value = word.value?.slice(name.length + 1);
  if (!scope.vars.has(name) || scope.vars.get(name)?.values[0] !== value) scope.assign(name, value);
}

/** `read a b <<< "x y"`: every line of a known input may be the one that is read. */
function readVariables(program: Program): void {
  const { frame, args } = program;
  const names: string[] = [];
  let list: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.value ?? "";
    if (/^-[A-Za-z]*a$/.test(text)) list = args[++i]?.value;
    else if (/^-[A-Za-z]*[dinNptu]$/.test(text)) i++;
    else if (text === "-" || !text.startsWith("-") && text !== "") names.push(text);
  }
  if (frame.input.kind !== "text") {
    for (const name of list === undefined ? names : [list]) frame.scope.assign(name, undefined);
    if (names.length === 0 && list === undefined) frame.scope.assign("REPLY", undefined);
    return;
  }
  const given = program.call.assignments.find((assignment) => assignment.name === "IFS");
  const bound = frame.scope.lookup("IFS")?.at(-1);
  const marks = given === undefined ? bound ?? " \t\n" : given.value ?? " \t\n";
  const lines = frame.input.text.replace(/\n$/, "").split("\n");
  if (list !== undefined) {
    return frame.scope.assignList(list, takeFields(lines[0] ?? "", marks, Infinity));
  }
  if (names.length === 0) return frame.scope.assignAll("REPLY", lines);
  const fields = lines.map((line) => takeFields(line, marks, names.length));
  names.forEach((name, i) => frame.scope.assignAll(name, fields.map((words) => words[i] ?? "")));
}

/** Splits a line at the characters of `marks` into at most `count` fields, the last with the rest. */
function takeFields(line: string, marks: string, count: number): string[] {
  const blank = (char: string | undefined) =>
    char !== undefined && /\s/.test(char) && marks.includes(char);
  const out: string[] = [];
  let at = 0;
  let end = line.length;
  while (end > 0 && blank(line[end - 1])) end--;
  while (at < end && blank(line[at])) at++;
  while (at < end && out.length < count - 1) {
    const start = at;
    while (at < end && !marks.includes(line[at] ?? "")) at++;
    out.push(line.slice(start, at));
    while (at < end && blank(line[at])) at++;
    if (at < end && !blank(line[at]) && marks.includes(line[at] ?? "")) at++;
    while (at < end && blank(line[at])) at++;
  }
  if (at < end) out.push(line.slice(at, end));
  return out;
}

/** `printf -v NAME FORMAT …` sets a variable. */
function printIntoVariable(program: Program): void {
  const { args, frame } = program;
  if (args[0]?.value !== "-v") return;
  const name = args[1]?.value;
  if (name === undefined) return;
  const plain = args.length === 3 && !/[%\\]/.test(args[2]?.value ?? "%");
  const only = args.length === 4 && args[2]?.value === "%s" ? args[3]?.value : undefined;
  frame.scope.assign(name, plain ? args[2]?.value : only);
}
