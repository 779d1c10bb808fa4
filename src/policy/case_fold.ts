/**
 * Which UTF-16 units are the same letter in another case.
 *
 * The table for letters beyond ASCII costs about a millisecond and is built only when a pattern
 * asks for one of them. It joins what Python's `re.IGNORECASE` and JavaScript's `i` flag join: `s`
 * and U+017F, `k` and U+212A too.
 */
import { type CharSet, tidySet } from "./char_set.ts";

/** Blocks that hold letters with two cases, as pairs of first and last unit. */
const CASED: CharSet = [
  ...[0x41, 0x5a, 0x61, 0x7a, 0xb5, 0x587, 0x10a0, 0x10ff, 0x13a0, 0x13ff, 0x1c80, 0x1cbf],
  ...[0x1d79, 0x1d8e, 0x1e00, 0x1fff, 0x2126, 0x2188, 0x24b6, 0x24e9, 0x2c00, 0x2d2d],
  ...[0xa640, 0xa7ff, 0xab30, 0xabbf, 0xfb05, 0xfb06, 0xff21, 0xff5a],
];

/** Letters that are one in Python though single-unit case mapping does not say so. */
const ALSO: ReadonlyMap<number, number> = new Map([
  [0x130, 0x69],
  [0x1fd3, 0x390],
  [0x1fe3, 0x3b0],
  [0xfb06, 0xfb05],
]);

/** Letters beyond ASCII that fold into ASCII: i, k, s. */
const INTO_ASCII: ReadonlyMap<number, CharSet> = new Map([
  [0x69, [0x130, 0x131]],
  [0x6b, [0x212a, 0x212a]],
  [0x73, [0x17f, 0x17f]],
]);

let groups: ReadonlyMap<number, readonly number[]> | undefined;

/** The one unit that stands for `unit` in every case. */
function folded(unit: number): number {
  const also = ALSO.get(unit);
  if (also !== undefined) return also;
  const upper = String.fromCharCode(unit).toUpperCase();
  const lower = (upper.length === 1 ? upper : String.fromCharCode(unit)).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}

function caseGroups(): ReadonlyMap<number, readonly number[]> {
  if (groups !== undefined) return groups;
  const found = new Map<number, number[]>();
  for (let index = 0; index < CASED.length; index += 2) {
    for (let unit = CASED[index] ?? 0; unit <= (CASED[index + 1] ?? 0); unit++) {
      const key = folded(unit);
      const group = found.get(key);
      if (group === undefined) found.set(key, [unit]);
      else group.push(unit);
    }
  }
  groups = found;
  return found;
}

function foldAscii(low: number, high: number, wide: boolean, out: number[]): void {
  const addOtherCase = (from: number, to: number, shift: number) => {
    const first = Math.max(low, from);
    const last = Math.min(high, to);
    if (first <= last) out.push(first + shift, last + shift);
  };
  addOtherCase(0x41, 0x5a, 32);
  addOtherCase(0x61, 0x7a, -32);
  if (!wide) return;
  for (const [letter, others] of INTO_ASCII) {
    const held = (unit: number) => low <= unit && unit <= high;
    if (held(letter) || held(letter - 32)) out.push(...others);
  }
}

/**
 * The set together with every other case of its letters. With `wide`, letters beyond ASCII also
 * join the ASCII ones they fold to; without it ASCII stays among itself.
 */
export function foldSet(set: CharSet, wide: boolean): CharSet {
  const out = [...set];
  for (let index = 0; index < set.length; index += 2) {
    const low = set[index] ?? 0;
    const high = set[index + 1] ?? 0;
    if (low <= 0x7f) foldAscii(low, Math.min(high, 0x7f), wide, out);
    if (high <= 0x7f) continue;
    for (const group of caseGroups().values()) {
      if (group.length < 2 || !group.some((unit) => low <= unit && unit <= high)) continue;
      for (const unit of group) if (wide || unit > 0x7f) out.push(unit, unit);
    }
  }
  return tidySet(out);
}
