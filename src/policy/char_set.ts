/**
 * Sets of UTF-16 units, as the classes of a regular expression need them.
 *
 * A set is a flat list of pairs `[low, high, low, high, …]`, both ends included. The `WIDE` forms
 * hold at least what Python's or JavaScript's escape matches; the `NARROW` ones at most what both do.
 */
export type CharSet = readonly number[];

/** Every unit. */
export const ANY: CharSet = [0, 0xffff];

/** `\d` as JavaScript has it. */
export const DIGIT_NARROW: CharSet = [0x30, 0x39];

/** `\d` with the blocks that hold other scripts' digits; coarse, to stay short. */
export const DIGIT_WIDE: CharSet = [
  ...[0x30, 0x39, 0x660, 0x1099, 0x17e0, 0x1c59, 0xa620, 0xa629, 0xa8d0, 0xabf9, 0xff10, 0xff19],
];

/** `\w` as JavaScript has it. */
export const WORD_NARROW: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

/** `\w` with the blocks that hold other letters and numbers, and the halves of those beyond U+FFFF. */
export const WORD_WIDE: CharSet = [
  ...WORD_NARROW,
  ...[0xaa, 0xaa, 0xb2, 0xb3, 0xb5, 0xb5, 0xb9, 0xba, 0xbc, 0xbe, 0xc0, 0x1fff, 0x2070, 0x209c],
  ...[0x2100, 0x218b, 0x2460, 0x24ff, 0x2776, 0x2793, 0x2c00, 0x2dff, 0x2e2f, 0x2e2f],
  ...[0x3005, 0xdfff, 0xf900, 0xfdfb, 0xfe70, 0xfefc, 0xff10, 0xffdc],
];

/** `\s` where Python and JavaScript agree. */
export const SPACE_NARROW: CharSet = [
  ...[0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029],
  ...[0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000],
];

/** `\s` with U+001C to U+001F and U+0085 (Python) and U+FEFF (JavaScript). */
export const SPACE_WIDE: CharSet = [...SPACE_NARROW, 0x1c, 0x1f, 0x85, 0x85, 0xfeff, 0xfeff];

/** What `.` does not match: a line feed in Python, four line ends in JavaScript. */
export const LINE_FEED: CharSet = [0x0a, 0x0a];
export const LINE_ENDS: CharSet = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];

/** The same set in ascending order, with ranges that touch or overlap joined. */
export function tidySet(set: CharSet): CharSet {
  if (set.length <= 2) return set;
  const pairs: [number, number][] = [];
  for (let index = 0; index < set.length; index += 2) {
    pairs.push([set[index] ?? 0, set[index + 1] ?? 0]);
  }
  pairs.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [low, high] of pairs) {
    const last = out[out.length - 1];
    if (last !== undefined && low <= last + 1) out[out.length - 1] = Math.max(last, high);
    else out.push(low, high);
  }
  return out;
}

/** Everything that `set` does not hold. */
export function complement(set: CharSet): CharSet {
  const tidy = tidySet(set);
  const out: number[] = [];
  let next = 0;
  for (let index = 0; index < tidy.length; index += 2) {
    const low = tidy[index] ?? 0;
    if (low > next) out.push(next, low - 1);
    next = (tidy[index + 1] ?? 0) + 1;
  }
  if (next <= 0xffff) out.push(next, 0xffff);
  return out;
}

/** One unit as JavaScript source that means only itself, in a class and outside one. */
export function printUnit(unit: number): string {
  const letter = (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x61 && unit <= 0x7a);
  if (letter) return String.fromCharCode(unit);
  if (unit < 0x20 || unit === 0x7f) return `\\x${unit.toString(16).padStart(2, "0")}`;
  if (unit > 0x7f) return `\\u${unit.toString(16).padStart(4, "0")}`;
  const char = String.fromCharCode(unit);
  return "^$\\.*+?()[]{}|/-".includes(char) ? `\\${char}` : char;
}

/** The set as JavaScript source: one unit, a class, or a negated class. */
export function printSet(set: CharSet, negated: boolean): string {
  const tidy = tidySet(set);
  const first = tidy[0];
  if (!negated && tidy.length === 2 && first !== undefined && first === tidy[1]) {
    return printUnit(first);
  }
  let out = negated ? "[^" : "[";
  for (let index = 0; index < tidy.length; index += 2) {
    const low = tidy[index] ?? 0;
    const high = tidy[index + 1] ?? 0;
    out += printUnit(low);
    if (high > low) out += (high > low + 1 ? "-" : "") + printUnit(high);
  }
  return `${out}]`;
}
