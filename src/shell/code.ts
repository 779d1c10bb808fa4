/**
 * What a piece of Python, JavaScript, Perl, Ruby, PHP or Lua would run and touch: real calls with
 * their arguments, as far as those are literal.
 */
import { quoteWord } from "./command.ts";
import { type Frame, knownWord, through, unknownWord } from "./frame.ts";
import type { Span, Word } from "./reading.ts";
import {
  type Argument,
  type Chain,
  chainAt,
  closing,
  type CodeReader,
  split,
} from "./expressions.ts";
import { noteImports, renamed } from "./imports.ts";
import { readShellText } from "./shells.ts";
import { callsOf, type Effect, type Language } from "./tables/calls.ts";
import { tokensOf } from "./tokens.ts";

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
  const reader: CodeReader = {
    language,
    tokens,
    frame,
    span,
    by,
    literals: new Map(),
    aliases: new Map(),
    code,
  };
  const table = callsOf(language);
  if (language === "python" || language === "js") noteImports(tokens, reader.aliases);
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
    const chain = renamed(chainAt(tokens, i), reader.aliases);
    noteLiteral(reader, i, chain.end);
    if (chain.names[0] === "getattr") noteGetattr(chain, reader);
    const effect = effectOf(chain, table, reader);
    if (effect !== undefined) {
      const args = argumentsAt(reader, chain.end);
      if (args !== undefined) apply(effect, chain, args, reader);
    } else if (chain.base !== undefined) applyBase(chain.base, table, reader);
    i = chain.last;
  }
}

/** `getattr(os, "system")` calls what no name shows. */
function noteGetattr(chain: Chain, reader: CodeReader): void {
  const args = argumentsAt(reader, chain.end);
  if (!/os|subprocess|shutil|__import__|import_module|builtins/.test(args?.[0]?.shown ?? "")) {
    return;
  }
  const what = `${reader.by} calls a function by a made-up name: getattr(${args?.[0]?.shown}, …)`;
  reader.frame.sink.doubt("unread code", what.slice(0, 120), reader.span);
}

/** `open("x").read()`: the call itself matters where its method does not. */
function applyBase(
  base: NonNullable<Chain["base"]>,
  table: ReadonlyMap<string, Effect>,
  reader: CodeReader,
): void {
  const chain: Chain = { ...base, last: base.end - 1, receiver: undefined, base: undefined };
  const effect = effectOf(chain, table, reader);
  const args = effect === undefined ? undefined : argumentsAt(reader, base.end);
  if (effect !== undefined && args !== undefined) apply(effect, chain, args, reader);
}

function effectOf(
  chain: Chain,
  table: ReadonlyMap<string, Effect>,
  reader: CodeReader,
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
function noteLiteral(reader: CodeReader, at: number, end: number): void {
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
function argumentsAt(reader: CodeReader, at: number): Argument[] | undefined {
  const { tokens, language } = reader;
  const mark = tokens[at];
  if (mark?.kind === "mark" && mark.text === "(") {
    const end = closing(tokens, at);
    spend(reader, end - at);
    return split(reader, at + 1, end);
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
  spend(reader, end - at);
  return split(reader, at, end);
}

/** Counts the tokens of a call: calls inside calls are read once for each. */
function spend(reader: CodeReader, tokens: number): void {
  reader.frame.sink.step(Math.ceil(tokens / 50));
}

function wordFor(argument: Argument, reader: CodeReader): Word {
  return argument.value === undefined
    ? unknownWord(argument.shown, reader.span)
    : knownWord(argument.value, reader.span);
}

function apply(effect: Effect, chain: Chain, args: readonly Argument[], reader: CodeReader): void {
  const { frame, by } = reader;
  const { sink } = frame;
  const first = args[0];
  const target = effect !== "shell" && effect !== "spawn" && chain.receiver !== undefined &&
      callsOf(reader.language).has(`*.${chain.names.at(-1)}`)
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
      return open(target, args, note, reader);
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

function receiverOf(chain: Chain, reader: CodeReader): Argument | undefined {
  if (chain.receiver === undefined) return undefined;
  return split(reader, chain.receiver + 1, closing(reader.tokens, chain.receiver))[0];
}

/** The mode is the second argument (`"w"`), a third one in Perl's own order, or part of the name. */
function open(
  target: Argument | undefined,
  args: readonly Argument[],
  note: (how: "read" | "write", argument: Argument | undefined) => void,
  reader: CodeReader,
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
function runArguments(args: readonly Argument[], reader: CodeReader): void {
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

function runLine(line: Argument, reader: CodeReader): void {
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
