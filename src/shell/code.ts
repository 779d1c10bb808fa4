/**
 * What a piece of Python, JavaScript, Perl, Ruby, PHP or Lua would run and touch: real calls with
 * their arguments, as far as those are literal.
 */
import { quoteWord } from "./command.ts";
import { type Frame, knownWord, through, unknownWord } from "./frame.ts";
import type { Span, Word } from "./reading.ts";
import { readShellText } from "./shells.ts";
import { CALLS, type Effect, type Language } from "./tables/calls.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** An argument: a string known or not, or a list of them; `shown` is its text. */
interface Argument {
  readonly value: string | undefined;
  readonly list: readonly (string | undefined)[] | undefined;
  readonly shown: string;
}

interface Reader {
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly frame: Frame;
  readonly span: Span;
  readonly by: string;
  readonly literals: Map<string, string>;
  readonly code: string;
}

const HIDDEN =
  /b64decode|atob|Buffer|urlopen|requests|fetch|fromCharCode|decompress|decode|unhex|pack|curl|http/;

/** Reads `code` and notes what its calls do. `by` names the interpreter. */
export function readCode(
  code: string,
  language: Language,
  frame: Frame,
  span: Span,
  by: string,
): void {
  const tokens = tokensOf(code, language);
  const reader: Reader = { language, tokens, frame, span, by, literals: new Map(), code };
  const table = CALLS[language];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) continue;
    if (token.kind === "string") {
      if (token.shell) {
        runLine(
          { value: token.open ? undefined : token.text, list: undefined, shown: token.text },
          reader,
        );
      }
      continue;
    }
    if (token.kind !== "name") continue;
    const chain = chainAt(tokens, i);
    noteLiteral(reader, i, chain.end);
    const effect = effectOf(chain, table, reader);
    if (effect !== undefined) {
      const args = argumentsAt(reader, chain.end);
      if (args !== undefined) apply(effect, chain, args, reader);
    }
    i = chain.last;
  }
}

interface Chain {
  readonly names: readonly string[];
  /** Index after the last name. */
  readonly end: number;
  readonly last: number;
  /** The arguments of a call that the last name is a method of: `Path("x").unlink`. */
  readonly receiver: number | undefined;
}

/** `a.b.c`, `A::B.c`, `require('fs').rmSync`, `Path('x').unlink`. */
function chainAt(tokens: readonly Token[], at: number): Chain {
  const names: string[] = [tokens[at]?.text ?? ""];
  let i = at + 1;
  let receiver: number | undefined;
  for (;;) {
    const mark = tokens[i];
    if (mark?.kind === "mark" && mark.text === "(") {
      // A call whose result has a method called on it.
      const close = closing(tokens, i);
      const after = tokens[close + 1];
      const next = tokens[close + 2];
      const inner = tokens[i + 1];
      const plain = inner?.kind === "string" && close === i + 2 || close === i + 1;
      if (after?.text === "." && next?.kind === "name" && plain) {
        receiver = i;
        if (
          /^(?:require|import|__import__)$/.test(names.at(-1) ?? "") && inner?.kind === "string"
        ) {
          names.splice(0, names.length, inner.text.replace(/^node:/, "").replace("/promises", ""));
        }
        names.push(next.text);
        i = close + 3;
        continue;
      }
    }
    if (mark?.kind !== "mark" || mark.text !== "." && mark.text !== "::") break;
    const next = tokens[i + 1];
    if (next?.kind !== "name") break;
    names.push(next.text);
    i += 2;
  }
  return { names, end: i, last: i - 1, receiver };
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const token = tokens[i];
    if (token?.kind !== "mark") continue;
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text) && --depth === 0) return i;
  }
  return tokens.length;
}

function effectOf(
  chain: Chain,
  table: ReadonlyMap<string, Effect>,
  reader: Reader,
): Effect | undefined {
  const { names } = chain;
  const name = names.at(-1) ?? "";
  if (names.length === 1) {
    // `def system(…)` and `function exec(…)` declare; they call nothing.
    const before = reader.tokens[chain.end - 2];
    if (before?.kind === "name" && /^(?:def|function|sub|import|from)$/.test(before.text)) {
      return undefined;
    }
    if (
      reader.language === "python" && !/^(?:open|exec|eval)$/.test(name) &&
      !reader.code.includes("import")
    ) {
      return undefined;
    }
    if (reader.language === "js" && name === "exec" && !reader.code.includes("child_process")) {
      return undefined;
    }
    return table.get(name);
  }
  const direct = table.get(names.slice(-2).join(".")) ?? table.get(names.join(".")) ??
    table.get(names.slice(-3).join(".")) ?? table.get(names.join("::"));
  if (direct !== undefined) return direct;
  if (chain.receiver !== undefined) return table.get(`*.${name}`);
  // A module under another name: `const f = require("fs"); f.rmSync(…)`.
  if (reader.language === "js" && /Sync$/.test(name)) {
    return table.get(name) ?? table.get(`fs.${name}`);
  }
  if (reader.language === "perl" || reader.language === "php") return undefined;
  return undefined;
}

/** `name = "literal"` is remembered for later arguments. */
function noteLiteral(reader: Reader, at: number, end: number): void {
  const { tokens, literals } = reader;
  const equals = tokens[end];
  const value = tokens[end + 1];
  const name = tokens[at]?.text;
  if (end !== at + 1 || name === undefined || equals?.text !== "=" || value?.kind !== "string") {
    return;
  }
  const after = tokens[end + 2];
  const ends = after === undefined || after.kind === "mark" && /^[;\n,)]$/.test(after.text);
  if (ends && !value.open) literals.set(name, value.text);
}

/** The arguments of the call that stands at `at`, with or without parentheses. */
function argumentsAt(reader: Reader, at: number): Argument[] | undefined {
  const { tokens, language } = reader;
  const mark = tokens[at];
  if (mark?.kind === "mark" && mark.text === "(") {
    return split(reader, at + 1, closing(tokens, at));
  }
  if (language !== "perl" && language !== "ruby") return undefined;
  if (mark === undefined || mark.kind === "mark" && !/^[[%$@]$/.test(mark.text)) return undefined;
  let end = at;
  while (end < tokens.length) {
    const token = tokens[end];
    if (token?.kind === "mark" && /^[;\n}]$/.test(token.text)) break;
    if (token?.kind === "name" && /^(?:if|unless|or|and|for|foreach)$/.test(token.text)) break;
    end++;
  }
  return split(reader, at, end);
}

function split(reader: Reader, from: number, to: number): Argument[] {
  const out: Argument[] = [];
  let start = from;
  let depth = 0;
  for (let i = from; i <= to; i++) {
    const token = reader.tokens[i];
    const mark = token?.kind === "mark" ? token.text : "";
    if (i === to || mark === "," && depth === 0) {
      const piece = reader.tokens.slice(start, i).filter((t) =>
        t.kind !== "mark" || t.text !== "\n"
      );
      if (piece.length > 0) out.push(argument(piece, reader));
      start = i + 1;
    } else if (/^[([{]$/.test(mark)) depth++;
    else if (/^[)\]}]$/.test(mark)) depth--;
  }
  return out;
}

function argument(tokens: readonly Token[], reader: Reader): Argument {
  const shown = tokens.map((t) => t.kind === "string" ? `"${t.text}"` : t.text).join("").slice(
    0,
    200,
  );
  const first = tokens[0];
  const last = tokens.at(-1);
  const bracketed = first?.kind === "mark" && first.text === "[" && last?.text === "]";
  if (bracketed) {
    const inner: Reader = { ...reader, tokens: tokens.slice(1, -1) };
    const items = split(inner, 0, tokens.length - 2);
    return { value: undefined, list: items.map((item) => item.value), shown };
  }
  return { value: valueOf(tokens, reader), list: undefined, shown };
}

const HOME =
  /^(?:process\.env\.HOME|os\.environ\["HOME"\]|os\.environ\.get\("HOME"\)|os\.getenv\("HOME"\)|ENV\["HOME"\]|\$ENV\{"?HOME"?\}|getenv\("HOME"\)|Dir\.home(?:\(\))?|(?:pathlib\.)?Path\.home\(\)|os\.homedir\(\)|homedir\(\)|require\("(?:node:)?os"\)\.homedir\(\)|Deno\.env\.get\("HOME"\)|str\(Path\.home\(\)\))$/;

/** The string an expression stands for: literals, sums of them, the home directory, joins. */
function valueOf(tokens: readonly Token[], reader: Reader): string | undefined {
  const only = tokens[0];
  if (tokens.length === 1 && only !== undefined) {
    if (only.kind === "string") return only.open ? undefined : only.text;
    return only.kind === "name" ? reader.literals.get(only.text) : undefined;
  }
  const text = tokens.map((t) => t.kind === "string" ? `"${t.text}"` : t.text).join("");
  if (HOME.test(text)) return reader.frame.scope.home;
  const call = /^([\w.:]+)\(/.exec(text)?.[1];
  const open = tokens.findIndex((token) => token.kind === "mark" && token.text === "(");
  if (call !== undefined && closing(tokens, open) === tokens.length - 1) {
    const inner: Reader = { ...reader, tokens };
    const args = split(inner, open + 1, tokens.length - 1).map((arg) => arg.value);
    if (args.includes(undefined)) return undefined;
    if (/(?:^|\.)(?:expanduser|expand_path)$/.test(call)) {
      return (args[0] ?? "").replace(/^~(?=\/|$)/, reader.frame.scope.home);
    }
    if (
      /^(?:os\.path\.join|path\.join|path\.resolve|File\.join|Path|pathlib\.Path|str)$/.test(call)
    ) {
      return args.join("/");
    }
    return undefined;
  }
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "mark" && (token.text === "+" || token.text === "." || token.text === "/")) {
      parts.push([]);
    } else parts.at(-1)?.push(token);
  }
  if (parts.length < 2 || parts.some((part) => part.length !== 1)) return undefined;
  const values = parts.map((part) => valueOf(part, reader));
  return values.includes(undefined) ? undefined : values.join(text.includes('/"') ? "/" : "");
}

function wordFor(argument: Argument, reader: Reader): Word {
  return argument.value === undefined
    ? unknownWord(argument.shown, reader.span)
    : knownWord(argument.value, reader.span);
}

function apply(effect: Effect, chain: Chain, args: readonly Argument[], reader: Reader): void {
  const { frame, by } = reader;
  const { sink } = frame;
  const first = args[0];
  const target = effect !== "shell" && effect !== "spawn" && chain.receiver !== undefined &&
      CALLS[reader.language].has(`*.${chain.names.at(-1)}`)
    ? receiverOf(chain, reader)
    : first;
  const note = (how: "read" | "write" | "delete", argument: Argument | undefined, tree = false) => {
    if (argument === undefined) return;
    for (const item of argument.list ?? [argument.value]) {
      sink.file(how, wordFor({ ...argument, value: item }, reader), by, frame, tree);
    }
  };
  switch (effect) {
    case "shell":
      return runArguments(args, reader);
    case "spawn":
      return runArguments(
        args.length > 1 && first?.list === undefined ? flattened(args) : args,
        reader,
      );
    case "delete":
    case "delete tree":
      if (target === first) {
        for (const each of args) {
          if (!each.shown.startsWith("{")) note("delete", each, effect === "delete tree");
        }
      } else note("delete", target);
      return;
    case "write":
      return note("write", target);
    case "read":
      return note("read", target);
    case "copy":
      note("read", first);
      return note("write", args[1]);
    case "move":
      note("delete", first);
      return note("write", args[1]);
    case "open":
      return open(chain, target, args, note, reader);
    case "code": {
      if (first === undefined) return;
      if (first.value !== undefined) {
        readCode(first.value, reader.language, frame, reader.span, by);
      } else if (HIDDEN.test(first.shown)) {
        sink.doubt(
          "unread code",
          `${by} runs decoded or fetched code: ${first.shown.slice(0, 80)}`,
          reader.span,
        );
      }
    }
  }
}

function receiverOf(chain: Chain, reader: Reader): Argument | undefined {
  if (chain.receiver === undefined) return undefined;
  return split(reader, chain.receiver + 1, closing(reader.tokens, chain.receiver))[0];
}

/** The mode is the second argument (`"w"`), a third one in Perl's own order, or part of the name. */
function open(
  chain: Chain,
  target: Argument | undefined,
  args: readonly Argument[],
  note: (how: "read" | "write", argument: Argument | undefined) => void,
  reader: Reader,
): void {
  if (reader.language === "perl") {
    const mode = args[1]?.value ?? "";
    if (/\|/.test(mode)) {
      const line = args[2] ?? { ...args[1]!, value: mode.replace(/^\s*-?\||\|-?\s*$/g, "") };
      return runLine(line, reader);
    }
    const path = args[2] ?? { ...args[1]!, value: mode.replace(/^[+<>]+\s*/, "") };
    return note(mode.includes(">") ? "write" : "read", path);
  }
  const method = target !== args[0];
  const mode = args.slice(method ? 0 : 1).map((arg) => arg.value ?? arg.shown).join(" ");
  const named = /(?:^|mode=|\s)"?[rb]*[wax+]/.test(mode) ||
    /O_(?:WRONLY|RDWR|CREAT|TRUNC)/.test(mode);
  note(named ? "write" : "read", target);
}

function flattened(args: readonly Argument[]): Argument[] {
  const words = args.flatMap((arg) =>
    arg.list ?? (arg.shown.startsWith("{") ? listIn(arg.shown) : [arg.value])
  );
  return [{ value: undefined, list: words, shown: args.map((arg) => arg.shown).join(" ") }];
}

/** `{args: ["-rf", "/"]}` of `Deno.Command`. */
function listIn(shown: string): (string | undefined)[] {
  const list = /args:\[([^\]]*)\]/.exec(shown)?.[1];
  return list === undefined ? [] : [...list.matchAll(/"([^"]*)"/g)].map((match) => match[1]);
}

/** A single string is a shell's line; several, or a list, are a program and its words. */
function runArguments(args: readonly Argument[], reader: Reader): void {
  const first = args[0];
  if (first === undefined) return;
  const more = /^(?:perl|ruby)$/.test(reader.language) && first.list === undefined
    ? args.slice(1).filter((arg) => !/[:=]/.test(arg.shown.slice(0, 12)) || arg.value !== undefined)
    : [];
  const list = first.list ??
    (more.length > 0 ? [first.value, ...more.map((arg) => arg.value)] : undefined);
  if (list === undefined) return runLine(first, reader);
  const words = list.map((value) =>
    value === undefined ? unknownWord(first.shown, reader.span) : knownWord(value, reader.span)
  );
  const { frame, by, span } = reader;
  const source = words.map(quoteWord).join(" ").slice(0, 300);
  const call = { assignments: [], redirections: [], span, source };
  frame.engine.words(words, through({ ...frame, input: { kind: "none" } }, by), call);
}

function runLine(line: Argument, reader: Reader): void {
  const { frame, by } = reader;
  const inner = through({ ...frame, scope: frame.scope.fork(), input: { kind: "none" } }, by);
  if (line.value !== undefined) {
    const word = knownWord(line.value, reader.span);
    readShellText(word, [word], inner, by);
    return;
  }
  frame.sink.doubt(
    "unread code",
    `${by} runs a command known only at run time: ${line.shown.slice(0, 80)}`,
    reader.span,
  );
}
