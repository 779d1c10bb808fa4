/**
 * Reads what matches single characters: escapes and bracketed classes.
 *
 * Where Python and JavaScript read the same text differently, Python's meaning holds; an escape
 * that has a meaning in neither is refused instead of standing for its letter.
 */
import { foldSet } from "./case_fold.ts";
import {
  type CharSet,
  complement,
  DIGIT_NARROW,
  DIGIT_WIDE,
  printSet,
  SPACE_NARROW,
  SPACE_WIDE,
  WORD_NARROW,
  WORD_WIDE,
} from "./char_set.ts";
import type { RegexCursor } from "./regex_cursor.ts";
import type { RegexMode, RegexNode } from "./regex_tree.ts";

/** A character (by code point), or a set such as `\d`. */
type Member = { readonly code: number } | { readonly set: CharSet };

const CONTROLS: Readonly<Record<string, number>> = {
  a: 0x07,
  t: 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
};

const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** What `\D`, `\W` and `\S` stand for, by the set they exclude. */
const COMPLEMENTS = new Map<CharSet, CharSet>();

function allBut(set: CharSet): CharSet {
  const known = COMPLEMENTS.get(set);
  if (known !== undefined) return known;
  const others = complement(set);
  COMPLEMENTS.set(set, others);
  return others;
}

/** The set of `\d`, `\w`, `\s` or their opposites. */
function escapeSet(letter: string, { ascii, narrow }: RegexMode): CharSet | undefined {
  switch (letter) {
    case "d":
      return narrow || ascii ? DIGIT_NARROW : DIGIT_WIDE;
    case "D":
      return allBut(narrow && !ascii ? DIGIT_WIDE : DIGIT_NARROW);
    case "w":
      return narrow || ascii ? WORD_NARROW : WORD_WIDE;
    case "W":
      return allBut(narrow && !ascii ? WORD_WIDE : WORD_NARROW);
    case "s":
      return narrow ? SPACE_NARROW : SPACE_WIDE;
    case "S":
      return allBut(narrow ? SPACE_WIDE : SPACE_NARROW);
  }
  return undefined;
}

function hexEscape(cursor: RegexCursor, length: number, start: number): number {
  const digits = cursor.takeWhile(/^[0-9A-Fa-f]$/, length);
  const code = digits.length === length ? parseInt(digits, 16) : Infinity;
  if (code > 0x10ffff) {
    throw cursor.fail(
      `the escape needs ${length} hexadecimal digits of a Unicode character`,
      "Write characters as \\xHH, \\uHHHH or \\UHHHHHHHH",
      start,
    );
  }
  return code;
}

/** An escape that starts with a digit: an octal character, or a backreference, which is refused. */
function digitEscape(cursor: RegexCursor, inClass: boolean, start: number): number {
  const octal = /^[0-7]{1,3}/.exec(cursor.source.slice(start + 1, start + 4))?.[0] ?? "";
  if (!inClass && !octal.startsWith("0") && octal.length < 3) {
    throw cursor.fail(
      "a backreference could keep the gate busy without end",
      "Write out what the group matches",
      start,
    );
  }
  const code = octal === "" ? Infinity : parseInt(octal, 8);
  if (code > 0o377) {
    throw cursor.fail(
      "the octal escape is not a character",
      "Write characters as \\xHH or \\uHHHH",
      start,
    );
  }
  cursor.at = start + 1 + octal.length;
  return code;
}

/** Reads an escape whose backslash has been taken. Edges such as `\b` are not its business. */
function readEscape(cursor: RegexCursor, mode: RegexMode, inClass: boolean): Member {
  const start = cursor.at - 1;
  const first = cursor.take();
  if (first === "") {
    throw cursor.fail("a backslash escapes nothing", "Write \\\\ for a backslash", start);
  }
  const set = escapeSet(first, mode);
  if (set !== undefined) return { set };
  const control = CONTROLS[first];
  if (control !== undefined) return { code: control };
  const hexLength = HEX_LENGTHS[first];
  if (hexLength !== undefined) return { code: hexEscape(cursor, hexLength, start) };
  if (/^[0-9]$/.test(first)) return { code: digitEscape(cursor, inClass, start) };
  if (inClass && first === "b") return { code: 0x08 };
  if (first === "c" && /^[A-Za-z]$/.test(cursor.peek())) {
    return { code: cursor.take().charCodeAt(0) % 32 };
  }
  if (/^[A-Za-z]$/.test(first)) {
    throw cursor.fail(
      `the escape \\${first} has no meaning here`,
      `Write ${first} for the letter, and characters as \\xHH or \\uHHHH`,
      start,
    );
  }
  return { code: codePointAt(cursor, cursor.at - 1) };
}

/** The code point at `at`, with the cursor moved behind it. */
function codePointAt(cursor: RegexCursor, at: number): number {
  const code = cursor.source.codePointAt(at) ?? 0;
  cursor.at = at + (code > 0xffff ? 2 : 1);
  return code;
}

/** Two surrogate units in a row, for a character beyond U+FFFF. */
function astralNode(code: number): RegexNode {
  const units = [...String.fromCodePoint(code).split("")];
  return {
    kind: "sequence",
    items: units.map((unit) => {
      const at = unit.charCodeAt(0);
      return { kind: "unit", source: printSet([at, at], false) };
    }),
  };
}

/** Nodes of literals met before, by unit: as they are, and folded for either sense. */
const EXACT: RegexNode[] = [];
const FOLDED_WIDE: RegexNode[] = [];
const FOLDED_NARROW: RegexNode[] = [];

/** The node for one literal character, in every case where the mode ignores case. */
function literalNode(code: number, mode: RegexMode): RegexNode {
  if (code > 0xffff) return astralNode(code);
  const nodes = !mode.ignoreCase ? EXACT : mode.narrow ? FOLDED_NARROW : FOLDED_WIDE;
  const known = nodes[code];
  if (known !== undefined) return known;
  const set: CharSet = [code, code];
  const source = printSet(mode.ignoreCase ? foldSet(set, !mode.narrow) : set, false);
  const node: RegexNode = { kind: "unit", source };
  if (code < 0x80) nodes[code] = node;
  return node;
}

/** Nodes of the sets that escapes stand for, by the set itself. */
const SETS = new Map<CharSet, RegexNode>();

function setNode(set: CharSet): RegexNode {
  const known = SETS.get(set);
  if (known !== undefined) return known;
  const node: RegexNode = { kind: "unit", source: printSet(set, false) };
  SETS.set(set, node);
  return node;
}

/** Reads the next character of the pattern as a literal. */
export function readLiteral(cursor: RegexCursor, mode: RegexMode): RegexNode {
  return literalNode(codePointAt(cursor, cursor.at), mode);
}

/** Reads an escape for a character or a set; the backslash has been taken. */
export function readEscapeNode(cursor: RegexCursor, mode: RegexMode): RegexNode {
  const member = readEscape(cursor, mode, false);
  return "code" in member ? literalNode(member.code, mode) : setNode(member.set);
}

/** Reads a class; its `[` has been taken. A first `]` stands for itself, as in Python. */
export function readClass(cursor: RegexCursor, mode: RegexMode): RegexNode {
  const start = cursor.at - 1;
  const negated = cursor.accept("^");
  const inner: RegexMode = { ...mode, narrow: mode.narrow !== negated };
  const literal: number[] = [];
  const escapes: number[] = [];
  const astral: number[] = [];
  const ambiguous = cursor.peek() === "]";

  const readMember = (): Member => {
    if (cursor.accept("\\")) return readEscape(cursor, inner, true);
    if (ambiguous && cursor.peek() === "[" && cursor.peek(1) !== "]") {
      throw cursor.fail(
        `${negated ? "[^]" : "[]"} is a whole class in JavaScript and the start of one in Python`,
        "Write [\\s\\S] for any character, and \\] for a bracket inside a class",
        start,
      );
    }
    return { code: codePointAt(cursor, cursor.at) };
  };
  const add = (member: Member) => {
    if ("set" in member) escapes.push(...member.set);
    else if (member.code > 0xffff) astral.push(member.code);
    else literal.push(member.code, member.code);
  };

  for (let first = true; first || cursor.peek() !== "]"; first = false) {
    if (cursor.ended) {
      throw cursor.fail(
        "the class is not closed",
        "Add a ]; write \\[ for a bracket and [\\s\\S] for any character",
        start,
      );
    }
    const at = cursor.at;
    const from = readMember();
    if (cursor.peek() !== "-" || cursor.peek(1) === "]" || cursor.peek(1) === "") {
      add(from);
      continue;
    }
    cursor.at++;
    const to = readMember();
    if ("set" in from || "set" in to) {
      [from, { code: 0x2d }, to].forEach(add);
      continue;
    }
    if (to.code < from.code) {
      throw cursor.fail("the range runs backwards", "Put the lower character first", at);
    }
    if (to.code > 0xffff) {
      throw cursor.fail(
        "a range cannot reach beyond U+FFFF",
        "List the characters one by one",
        at,
      );
    }
    literal.push(from.code, to.code);
  }
  cursor.at++;

  const folded = mode.ignoreCase ? foldSet(literal, !inner.narrow) : literal;
  const set: CharSet = [...folded, ...escapes];
  if (astral.length === 0) return { kind: "unit", source: printSet(set, negated) };
  if (negated) {
    if (!mode.narrow) return { kind: "unit", source: printSet(set, true) };
    throw cursor.fail(
      "a negated class cannot exclude a character beyond U+FFFF here",
      "Leave that character out of the class",
      start,
    );
  }
  const units: RegexNode = { kind: "unit", source: printSet(set, false) };
  return { kind: "choice", branches: [units, ...astral.map(astralNode)] };
}
