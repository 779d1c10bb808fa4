/**
 * A cheap look at whether a glob can match at all, from its text alone: compiling one costs a hook
 * about 0.1 ms, and most globs of a policy are nowhere near the path at hand.
 */

/** Where a glob's first special character stands; braces and brackets count, so does `\`. */
const SPECIAL = /[*?[\]{}\\]/;

/** A glob's text in front of its first special character, folded. */
function literalStart(source: string): string {
  const at = source.search(SPECIAL);
  return (at < 0 ? source : source.slice(0, at)).toLowerCase();
}

/**
 * False only where the glob `source` matches none of the spellings. The folding is that of simple
 * lower case, so a text beyond ASCII is never ruled out here.
 */
export function mayMatch(source: string, spellings: readonly string[]): boolean {
  const text = source.replace(/^(?:\.\/)+/, "");
  const anywhere = text.startsWith("**/");
  const start = literalStart(anywhere ? text.slice(3) : text);
  if (start === "" || /[^\x20-\x7e]/.test(start)) return true;
  // A `/` behind a brace may stand in one of its readings only, and a last one anchors nothing.
  const whole = start.length === text.length;
  const anchored = !anywhere && (whole ? start.replace(/\/+$/, "") : start).includes("/");
  return spellings.some((spelling) => {
    if (/[^\x20-\x7e]/.test(spelling)) return true;
    const path = spelling.toLowerCase();
    if (!anchored) return `/${path}/`.includes(`/${start}`);
    // `X/**` matches X itself, so the literal may end in a `/` that the path does not have.
    return `${path}/`.startsWith(start);
  });
}
