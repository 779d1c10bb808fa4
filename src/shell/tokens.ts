/**
 * Splits code of a scripting language into strings, names and marks, comments dropped, so that a
 * call in a string is never taken for a call.
 */
import type { Language } from "./tables/calls.ts";

/** One token; `text` of a string is its content, escapes done; `open` where it holds expansions. */
export type Token =
  | {
    readonly kind: "string";
    readonly text: string;
    readonly open: boolean;
    readonly shell: boolean;
  }
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "mark"; readonly text: string };

const MAX_TOKENS = 20_000;

/** The tokens of `code`. Unfinished strings end where the code ends. */
export function tokensOf(code: string, language: Language): Token[] {
  const out: Token[] = [];
  let i = 0;
  while (i < code.length && out.length < MAX_TOKENS) {
    const char = code[i] ?? "";
    const rest = code.slice(i, i + 4);
    if (/\s/.test(char)) {
      if (char === "\n") out.push({ kind: "mark", text: "\n" });
      i++;
    } else if (comment(rest, language)) {
      const end = rest.startsWith("/*") ? code.indexOf("*/", i + 2) + 2 : code.indexOf("\n", i);
      i = end <= 1 ? code.length : end;
    } else if (char === '"' || char === "'" || char === "`") {
      i = quoted(code, i, char, prefixOf(out, code, i, language), language, out);
    } else if (/^(?:qx|%x|qq|%q|%Q|q)[{(\[|!/]/.test(rest) && /perl|ruby/.test(language)) {
      const mark = /^(?:qx|%x|qq|%q|%Q|q)/.exec(rest)?.[0] ?? "";
      const open = code[i + mark.length] ?? "";
      const close = { "{": "}", "(": ")", "[": "]" }[open] ?? open;
      const end = code.indexOf(close, i + mark.length + 1);
      const text = code.slice(i + mark.length + 1, end < 0 ? code.length : end);
      out.push({ kind: "string", text, open: hasHoles(text, language), shell: mark.endsWith("x") });
      i = end < 0 ? code.length : end + 1;
    } else if (language === "js" && char === "/" && regexMayStart(out)) {
      const end = /^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/.exec(
        code.slice(i, i + 2_000),
      );
      i += end?.[0].length ?? 1;
      out.push({ kind: "mark", text: "/" });
    } else {
      const name = /^[$@]?[A-Za-z_][\w]*[?!]?/.exec(code.slice(i, i + 200))?.[0];
      const joint = /^(?:::|->|\?\.|=>|\*\*)/.exec(rest)?.[0];
      const text = name ?? joint ?? char;
      out.push({
        kind: name === undefined ? "mark" : "name",
        text: joint === "->" || joint === "?." ? "." : text,
      });
      i += text.length;
    }
  }
  return out;
}

function comment(rest: string, language: Language): boolean {
  if (language === "js") return rest.startsWith("//") || rest.startsWith("/*");
  if (language === "lua") return rest.startsWith("--");
  if (language === "php") return /^(?:\/\/|\/\*|#)/.test(rest);
  return rest.startsWith("#");
}

/** A string prefix such as Python's `f` or `r`, taken back from the tokens. */
function prefixOf(out: Token[], code: string, at: number, language: Language): string {
  const last = out.at(-1);
  if (language !== "python" || last?.kind !== "name") return "";
  if (!/^[rRbBfFuU]{1,2}$/.test(last.text) || !/\w/.test(code[at - 1] ?? "")) return "";
  out.pop();
  return last.text.toLowerCase();
}

function quoted(
  code: string,
  at: number,
  mark: string,
  prefix: string,
  language: Language,
  out: Token[],
): number {
  const triple = language === "python" && code.startsWith(mark.repeat(3), at);
  const close = triple ? mark.repeat(3) : mark;
  let i = at + close.length;
  let text = "";
  while (i < code.length && !code.startsWith(close, i)) {
    if (code[i] === "\\" && !prefix.includes("r")) {
      const next = code[i + 1] ?? "";
      text += { n: "\n", t: "\t", "\n": "" }[next] ?? next;
      const hex = /^x([0-9a-fA-F]{2})/.exec(code.slice(i + 1, i + 4))?.[1];
      if (hex !== undefined) {
        text = text.slice(0, -1) + String.fromCharCode(parseInt(hex, 16));
        i += 2;
      }
      i += 2;
    } else text += code[i++] ?? "";
  }
  const shell = mark === "`" && language !== "js";
  const holes = prefix.includes("f")
    ? text.includes("{")
    : mark !== "'" && hasHoles(text, language, mark);
  out.push({ kind: "string", text, open: holes, shell });
  return i + close.length;
}

function hasHoles(text: string, language: Language, mark = '"'): boolean {
  switch (language) {
    case "js":
      return mark === "`" && text.includes("${");
    case "ruby":
      return text.includes("#{");
    case "perl":
    case "php":
      return /[$@][A-Za-z_{]/.test(text);
    default:
      return false;
  }
}

function regexMayStart(out: readonly Token[]): boolean {
  const last = out.at(-1);
  if (last === undefined) return true;
  if (last.kind === "mark") return !/^[)\]}]$/.test(last.text);
  return last.kind === "name" && /^(?:return|typeof|case|in|of)$/.test(last.text);
}
