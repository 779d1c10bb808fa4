/**
 * Brace expansion on the text of one word, the way bash does it: before everything else, and
 * without looking at what the pieces mean.
 */

const MAX_WORDS = 256;
const MAX_BRACES = 500;

/**
 * The words that `{a,b}` and `{1..3}` in `text` stand for, quotes and expansions left as they are;
 * undefined where there are too many to follow.
 */
export function expandBraces(text: string): string[] | undefined {
  let braces = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) {
    if (++braces > MAX_BRACES) return undefined;
  }
  return expanded(text);
}

function expanded(text: string): string[] | undefined {
  const open = findOpen(text, 0);
  if (open === undefined) return [text];
  const head = text.slice(0, open.at);
  const tails = expanded(text.slice(open.end + 1));
  if (tails === undefined) return undefined;
  const out: string[] = [];
  for (const item of open.items) {
    const bodies = expanded(item);
    if (bodies === undefined) return undefined;
    for (const body of bodies) {
      for (const tail of tails) {
        if (out.length >= MAX_WORDS) return undefined;
        out.push(head + body + tail);
      }
    }
  }
  return out;
}

interface Open {
  readonly at: number;
  readonly end: number;
  readonly items: readonly string[];
}

/** The first brace group that expands, from `from` on. */
function findOpen(text: string, from: number): Open | undefined {
  for (let i = from; i < text.length; i++) {
    const skipped = skipQuoted(text, i);
    if (skipped > i) {
      i = skipped - 1;
      continue;
    }
    if (text[i] !== "{") continue;
    const group = readGroup(text, i);
    if (group !== undefined) return group;
  }
  return undefined;
}

function readGroup(text: string, at: number): Open | undefined {
  const items: string[] = [];
  let start = at + 1;
  let depth = 0;
  for (let i = at + 1; i < text.length; i++) {
    const skipped = skipQuoted(text, i);
    if (skipped > i) {
      i = skipped - 1;
      continue;
    }
    const char = text[i];
    if (char === "{") depth++;
    else if (char === "," && depth === 0) {
      items.push(text.slice(start, i));
      start = i + 1;
    } else if (char === "}") {
      if (depth > 0) {
        depth--;
        continue;
      }
      const last = text.slice(start, i);
      if (items.length > 0) return { at, end: i, items: [...items, last] };
      const range = sequence(last);
      if (range !== undefined) return { at, end: i, items: range };
      // bash takes this brace for text and looks on: `{a}b,c}` is `a}b c`.
    }
  }
  return undefined;
}

/** `1..5`, `a..e`, `0..10..2`; undefined for other text. */
function sequence(text: string): string[] | undefined {
  const match = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
  if (match === null) return undefined;
  const [, first = "", last = "", by] = match;
  const letters = /^[A-Za-z]$/.test(first);
  if (letters !== /^[A-Za-z]$/.test(last)) return undefined;
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const width = /^-?0\d/.test(first) || /^-?0\d/.test(last)
    ? Math.max(first.length, last.length)
    : 0;
  const out: string[] = [];
  for (let n = from; from <= to ? n <= to : n >= to; n += from <= to ? step : -step) {
    out.push(letters ? String.fromCharCode(n) : String(n).padStart(width, "0"));
    if (out.length > MAX_WORDS) break;
  }
  return out;
}

/** The index after a quoted or escaped piece, or an expansion, that starts at `i`; `i` if none does. */
function skipQuoted(text: string, i: number): number {
  const char = text[i];
  if (char === "\\") return i + 2;
  if (char === "'") {
    const end = text.indexOf("'", i + 1);
    return end < 0 ? text.length : end + 1;
  }
  if (char === '"' || char === "`") {
    let j = i + 1;
    while (j < text.length && text[j] !== char) j += text[j] === "\\" ? 2 : 1;
    return j + 1;
  }
  if (char !== "$" || (text[i + 1] !== "{" && text[i + 1] !== "(")) return i;
  const close = text[i + 1] === "{" ? "}" : ")";
  const open = text[i + 1];
  let depth = 0;
  let j = i + 1;
  while (j < text.length) {
    if (text[j] === open) depth++;
    else if (text[j] === close && --depth === 0) return j + 1;
    else if (text[j] === "'" || text[j] === '"' || text[j] === "\\") {
      j = skipQuoted(text, j);
      continue;
    }
    j++;
  }
  return text.length;
}
