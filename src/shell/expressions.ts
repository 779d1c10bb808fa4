/**
 * The arguments of calls in code of other languages: literals, sums of them, lists, the home.
 */
import type { Frame } from "./frame.ts";
import type { Span } from "./reading.ts";
import type { Language } from "./tables/calls.ts";
import type { Token } from "./tokens.ts";

/** An argument: a string known or not, or a list of them; `shown` is its text. */
export interface Argument {
  readonly value: string | undefined;
  readonly list: readonly (string | undefined)[] | undefined;
  readonly shown: string;
}

/** A piece of code being read. */
export interface CodeReader {
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly frame: Frame;
  readonly span: Span;
  readonly by: string;
  readonly literals: Map<string, string>;
  /** Other names for modules and functions. */
  readonly aliases: Map<string, string>;
  readonly code: string;
}

/** Longest list of arguments that is looked through, in tokens. */
const MAX_ARGUMENTS = 1_000;

/** The index of the bracket that closes the one at `open`, or where looking for it ends. */
export function closing(tokens: readonly Token[], open: number): number {
  const stop = Math.min(tokens.length, open + MAX_ARGUMENTS);
  let depth = 0;
  for (let i = open; i < stop; i++) {
    const token = tokens[i];
    if (token?.kind !== "mark") continue;
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text) && --depth === 0) return i;
  }
  return stop;
}

/** The arguments in the tokens `[from, to)`, split at commas. */
export function split(reader: CodeReader, from: number, to: number): Argument[] {
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

function argument(tokens: readonly Token[], reader: CodeReader): Argument {
  const shown = tokens.map((t) => t.kind === "string" ? `"${t.text}"` : t.text).join("").slice(
    0,
    200,
  );
  const first = tokens[0];
  const last = tokens.at(-1);
  const bracketed = first?.kind === "mark" && first.text === "[" && last?.text === "]";
  if (bracketed) {
    const inner: CodeReader = { ...reader, tokens: tokens.slice(1, -1) };
    const items = split(inner, 0, tokens.length - 2);
    return { value: undefined, list: items.map((item) => item.value), shown };
  }
  return { value: valueOf(tokens, reader), list: undefined, shown };
}

const HOME =
  /^(?:process\.env\.HOME|os\.environ\["HOME"\]|os\.environ\.get\("HOME"\)|os\.getenv\("HOME"\)|ENV\["HOME"\]|\$ENV\{"?HOME"?\}|getenv\("HOME"\)|Dir\.home(?:\(\))?|(?:pathlib\.)?Path\.home\(\)|os\.homedir\(\)|homedir\(\)|require\("(?:node:)?os"\)\.homedir\(\)|Deno\.env\.get\("HOME"\)|str\(Path\.home\(\)\))$/;

/** The string an expression stands for: literals, sums of them, the home directory, joins. */
function valueOf(tokens: readonly Token[], reader: CodeReader): string | undefined {
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
    const inner: CodeReader = { ...reader, tokens };
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

/** A dotted name that is called. */
export interface Chain {
  readonly names: readonly string[];
  /** Index after the last name. */
  readonly end: number;
  readonly last: number;
  /** The arguments of a call that the last name is a method of: `Path("x").unlink`. */
  readonly receiver: number | undefined;
  /** The call whose result the method is called on. */
  readonly base: { readonly names: readonly string[]; readonly end: number } | undefined;
}

/** `a.b.c`, `A::B.c`, `require('fs').rmSync`, `Path('x').unlink`. */
export function chainAt(tokens: readonly Token[], at: number): Chain {
  const names: string[] = [tokens[at]?.text ?? ""];
  let i = at + 1;
  let receiver: number | undefined;
  let base: Chain["base"];
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
        base ??= { names: [...names], end: i };
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
  return { names, end: i, last: i - 1, receiver, base };
}
