/**
 * Route literals in an edit: quoted strings that look like the path of a route, and which of them
 * an edit brings in or takes away.
 */
import type { TextChange } from "../domain/call.ts";

/** How many route literals of one edit are asked about. */
export const ROUTE_LIMIT = 64;

/** The route literals that an edit adds to a file or drops from it, in the order they stand in. */
export interface RouteChanges {
  readonly added: readonly string[];
  readonly dropped: readonly string[];
}

/** Endings of files that are served or compiled, never handled by a route of their own. */
const FILE_ENDINGS = new Set(
  ("avif bmp c cc class cpp cs css cts cxx dart eot ex exs gif go h hpp htm html ico java jpeg jpg " +
    "js jsx kt kts less lua m4a map mjs cjs mov mp3 mp4 mts ogg otf png psd py pyc rb rs sass " +
    "scala scss sh svelte svg swift tif tiff ts tsx ttf vue wasm wav webm webp woff woff2").split(
      " ",
    ),
);

const QUOTE = /["'`]/g;
const BACKSLASH = 0x5c;
const SPACE = /\s/;

/** True for white space; a regular expression is asked only about what is rare in code. */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code >= 0xa0 && SPACE.test(String.fromCharCode(code));
}

/**
 * The route literals in a text, in order, repeated as often as they occur: quoted strings that
 * begin with one `/`, are longer than that, hold no whitespace, and do not end like a static asset
 * or a source file. Written as in the text, escapes and placeholders included.
 *
 * Every quote may open one: an edit often begins in the middle of a string or a comment, where
 * pairing quotes from the start would take the inside of strings for the outside.
 */
export function routeLiterals(text: string): string[] {
  const found: string[] = [];
  QUOTE.lastIndex = 0;
  for (let match = QUOTE.exec(text); match !== null; match = QUOTE.exec(text)) {
    const start = match.index + 1;
    if (text.charAt(start) !== "/" || text.charAt(start + 1) === "/") continue;
    const escaped = text.charAt(match.index - 1) === "\\";
    const literal = readLiteral(text, start, match[0], escaped);
    if (literal !== undefined && isRoute(literal)) found.push(literal);
  }
  return found;
}

/** The text up to the closing quote; undefined where whitespace or the end comes first. */
function readLiteral(
  text: string,
  start: number,
  quote: string,
  escaped: boolean,
): string | undefined {
  const closing = quote.charCodeAt(0);
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === closing) return escaped ? undefined : text.slice(start, at);
    if (isSpace(code)) return undefined;
    if (code !== BACKSLASH) continue;
    const next = text.charCodeAt(at + 1);
    // A string inside a string ends at the escaped quote it began with.
    if (escaped && next === closing) return text.slice(start, at).replace(/\\+$/, "");
    if (isSpace(next)) return undefined;
    at++;
  }
  return undefined;
}

function isRoute(literal: string): boolean {
  // `"/>` is an attribute's closing quote and the end of its tag.
  if (literal.length < 2 || literal.startsWith("/>")) return false;
  const ending = /\.([A-Za-z0-9]+)$/.exec(literal)?.[1];
  return ending === undefined || !FILE_ENDINGS.has(ending.toLowerCase());
}

/** How often each literal of a text occurs, added to or taken from `counts`. */
function count(counts: Map<string, number>, literals: readonly string[], weight: number): void {
  for (const literal of literals) counts.set(literal, (counts.get(literal) ?? 0) + weight);
}

function unixLines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/**
 * What an edit does to the route literals of one file, whose text before the edit is `file`.
 *
 * Added: in the new text and not in the old. Dropped: in the old text, not in the new, and not
 * left standing elsewhere in the resulting file. A change without a text before it replaces the
 * whole file. The resulting file is looked at as well, because an edit of a few letters in the
 * middle of a literal has no quotes to go by.
 */
export function changedRoutes(changes: readonly TextChange[], file: string): RouteChanges {
  const initial = unixLines(file);
  const scanned = new Map<string, readonly string[]>();
  const literalsOf = (text: string): readonly string[] => {
    const known = scanned.get(text) ?? routeLiterals(text);
    scanned.set(text, known);
    return known;
  };
  const before = new Set<string>();
  const after = new Set<string>();
  const change = new Map<string, number>();
  let result = initial;
  for (const { before: given, after: written } of changes) {
    const old = given === undefined ? result : unixLines(given);
    const gone = literalsOf(old);
    const come = literalsOf(written);
    for (const literal of gone) before.add(literal);
    for (const literal of come) after.add(literal);
    // An edit tool replaces the only occurrence, or is told to replace all of them.
    if (given === undefined) result = unixLines(written);
    else if (old !== "" && result.includes(old)) result = result.replaceAll(old, () => written);
    else {
      count(change, gone, -1);
      count(change, come, 1);
    }
  }
  const earlier = new Map<string, number>();
  const later = change;
  count(earlier, literalsOf(initial), 1);
  count(later, literalsOf(result), 1);
  const standing = (counts: Map<string, number>, literal: string) => counts.get(literal) ?? 0;
  const more = [...later.keys()].filter((it) => standing(later, it) > standing(earlier, it));
  return {
    added: [...new Set([...after, ...more])].filter((literal) => !before.has(literal)),
    dropped: [...new Set([...before, ...earlier.keys()])].filter((literal) =>
      !after.has(literal) && standing(later, literal) <= 0
    ),
  };
}
