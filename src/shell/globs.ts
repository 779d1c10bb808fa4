/**
 * Shell patterns against text, without regular expressions, so that none can hang.
 */

/** True where `pattern` (`*`, `?`, `[…]`, `\x`) matches the whole of `text`; `*` crosses `/` too. */
export function matchGlob(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    const next = one(pattern, p, text[t] ?? "");
    if (pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (next > 0) {
      p = next;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** The index after the pattern's next element where it matches `char`, or 0. */
function one(pattern: string, p: number, char: string): number {
  const at = pattern[p];
  if (at === undefined) return 0;
  if (at === "?") return p + 1;
  if (at === "\\" && p + 1 < pattern.length) return pattern[p + 1] === char ? p + 2 : 0;
  if (at === "[") {
    const end = pattern.indexOf("]", p + 2);
    if (end > 0) return inSet(pattern.slice(p + 1, end), char) ? end + 1 : 0;
  }
  return at === char ? p + 1 : 0;
}

function inSet(set: string, char: string): boolean {
  const not = set.startsWith("!") || set.startsWith("^");
  const body = not ? set.slice(1) : set;
  let found = false;
  for (let i = 0; i < body.length; i++) {
    const from = body[i] ?? "";
    if (body[i + 1] === "-" && i + 2 < body.length) {
      if (char >= from && char <= (body[i + 2] ?? "")) found = true;
      i += 2;
    } else if (char === from) found = true;
  }
  return found !== not;
}
