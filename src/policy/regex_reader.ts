/**
 * Reads a regular expression in JavaScript's or Python's syntax into a tree without flags.
 *
 * Refused, with the place: backreferences, conditionals, named characters, locale flags, and what
 * neither language understands. Possessive quantifiers and atomic groups lose their possessiveness
 * where that matches more, and are refused where it would match less.
 */
import { ANY, LINE_ENDS, LINE_FEED, printSet } from "./char_set.ts";
import { readClass, readEscapeNode, readLiteral } from "./regex_class.ts";
import { RegexCursor } from "./regex_cursor.ts";
import type { LookOpening, RegexMode, RegexNode } from "./regex_tree.ts";

const DEPTH_LIMIT = 200;
const LOOKS: readonly LookOpening[] = ["(?=", "(?!", "(?<=", "(?<!"];
const FLAG_MODES = {
  i: "ignoreCase",
  m: "multiLine",
  s: "dotAll",
  x: "verbose",
  a: "ascii",
} as const;

const QUANTIFIERS: Readonly<Record<string, { readonly min: number; readonly max: number }>> = {
  "*": { min: 0, max: Infinity },
  "+": { min: 1, max: Infinity },
  "?": { min: 0, max: 1 },
};

/** The places between characters that escapes stand for. */
const EDGE_ESCAPES: Readonly<Record<string, string>> = {
  A: "^",
  Z: "$",
  z: "$",
  b: "\\b",
  B: "\\B",
};

/**
 * Reads `source`. With `narrow`, places where the two languages differ match only what both would;
 * without it, what either would. Throws `Failure`.
 */
export function readRegex(source: string, narrow: boolean): RegexNode {
  const reader = new RegexReader(source, narrow);
  return reader.readAll();
}

class RegexReader {
  readonly #cursor: RegexCursor;
  #mode: RegexMode;
  #depth = 0;

  constructor(source: string, narrow: boolean) {
    this.#cursor = new RegexCursor(source);
    this.#mode = {
      ignoreCase: false,
      multiLine: false,
      dotAll: false,
      verbose: false,
      ascii: false,
      narrow,
    };
  }

  readAll(): RegexNode {
    const cursor = this.#cursor;
    for (;;) {
      const global = /^\(\?[A-Za-z]+\)/.exec(cursor.source.slice(cursor.at, cursor.at + 30))?.[0];
      if (global !== undefined) {
        const at = cursor.at;
        this.#mode = this.#withFlags(global.slice(2, -1), "", at);
        cursor.at = at + global.length;
      } else if (!this.#skipComment()) break;
    }
    const node = this.#choice();
    if (!cursor.ended) throw cursor.fail("a ) closes nothing", "Write \\) for a bracket");
    return node;
  }

  #choice(): RegexNode {
    const branches = [this.#sequence()];
    while (this.#cursor.accept("|")) branches.push(this.#sequence());
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: "choice", branches };
  }

  #sequence(): RegexNode {
    const cursor = this.#cursor;
    const items: RegexNode[] = [];
    for (;;) {
      while (this.#skipComment());
      if (cursor.ended || cursor.peek() === "|" || cursor.peek() === ")") break;
      const item = this.#item();
      while (this.#skipComment());
      items.push(this.#quantified(item));
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: "sequence", items };
  }

  /** Steps over `(?#…)`, and over blanks and `#…` in verbose mode; false where nothing was there. */
  #skipComment(): boolean {
    const cursor = this.#cursor;
    if (cursor.peek() === "(" && cursor.peek(1) === "?" && cursor.peek(2) === "#") {
      const end = cursor.source.indexOf(")", cursor.at);
      if (end < 0) throw cursor.fail("the comment is not closed", "Add a )");
      cursor.at = end + 1;
      return true;
    }
    if (!this.#mode.verbose) return false;
    if (cursor.peek() === "#") {
      const end = cursor.source.indexOf("\n", cursor.at);
      cursor.at = end < 0 ? cursor.source.length : end + 1;
      return true;
    }
    return cursor.takeWhile(/^[ \t\n\r\v\f]$/, Infinity) !== "";
  }

  #item(): RegexNode {
    const cursor = this.#cursor;
    const { narrow, multiLine } = this.#mode;
    switch (cursor.peek()) {
      case "(":
        return this.#group();
      case "[":
        cursor.at++;
        return readClass(cursor, this.#mode);
      case ".":
        cursor.at++;
        return this.#dot();
      case "^":
        cursor.at++;
        if (!multiLine) return { kind: "edge", source: "^" };
        return { kind: "edge", source: narrow ? "(?<![^\\n])" : "(?m:^)" };
      case "$":
        cursor.at++;
        if (!multiLine) return narrow ? { kind: "edge", source: "$" } : { kind: "end" };
        return { kind: "edge", source: narrow ? "(?![^\\n])" : "(?m:$)" };
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
        throw cursor.fail("the quantifier has nothing to repeat", "Write \\ before a literal one");
      case "{":
        if (this.#counts() !== undefined) {
          throw cursor.fail("the quantifier has nothing to repeat", "Write \\{ for a brace");
        }
    }
    return readLiteral(cursor, this.#mode);
  }

  #dot(): RegexNode {
    const { dotAll, narrow } = this.#mode;
    if (dotAll) return { kind: "unit", source: printSet(ANY, false) };
    return { kind: "unit", source: narrow ? printSet(LINE_ENDS, true) : printSet(LINE_FEED, true) };
  }

  #escape(): RegexNode {
    const cursor = this.#cursor;
    const start = cursor.at;
    cursor.at++;
    const edge = EDGE_ESCAPES[cursor.peek()];
    if (edge !== undefined) {
      cursor.at++;
      return { kind: "edge", source: edge };
    }
    if (cursor.peek() === "k" && cursor.peek(1) === "<") {
      throw cursor.fail(
        "a backreference could keep the gate busy without end",
        "Write out what the group matches",
        start,
      );
    }
    return readEscapeNode(cursor, this.#mode);
  }

  #group(): RegexNode {
    const cursor = this.#cursor;
    const start = cursor.at;
    const outer = this.#mode;
    if (++this.#depth > DEPTH_LIMIT) {
      throw cursor.fail(`groups nest deeper than ${DEPTH_LIMIT}`, "Split the rule in several");
    }
    const look = LOOKS.find((opening) => cursor.accept(opening));
    if (look === undefined) this.#openGroup(start);
    else if (look.endsWith("!")) this.#mode = { ...outer, narrow: !outer.narrow };
    const inner = this.#choice();
    if (!cursor.accept(")")) {
      throw cursor.fail("the group is not closed", "Add a ); write \\( for a bracket", start);
    }
    this.#mode = outer;
    this.#depth--;
    if (look !== undefined) return { kind: "look", opening: look, item: inner };
    // A bare place cannot be repeated, a group of one can.
    return inner.kind === "edge" || inner.kind === "end"
      ? { kind: "sequence", items: [inner] }
      : inner;
  }

  /** Reads what opens a group that is no lookaround, and sets the mode that holds inside. */
  #openGroup(start: number): void {
    const cursor = this.#cursor;
    cursor.at++;
    if (cursor.peek() !== "?" || cursor.accept("?:")) return;
    if (cursor.accept("?>")) return this.#refuseNarrow("an atomic group", start);
    if (cursor.accept("?P<") || cursor.accept("?<")) {
      const name = cursor.takeWhile(/^[^<>()\\]$/, 200);
      if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && cursor.accept(">")) return;
      throw cursor.fail("the group has no proper name", "Write (?<name>…)", start);
    }
    const flags = /^\?([A-Za-z]*)(-[A-Za-z]+)?([:)])/.exec(
      cursor.source.slice(cursor.at, cursor.at + 30),
    );
    if (flags?.[3] === ":") {
      this.#mode = this.#withFlags(flags[1] ?? "", flags[2] ?? "", start);
      cursor.at += flags[0].length;
      return;
    }
    if (flags !== null) {
      throw cursor.fail(
        `the flags (${flags[0]} stand in the middle`,
        "Put them at the start of the pattern, or write (?i:…) around what they are for",
        start,
      );
    }
    if (cursor.peek(1) === "P" && cursor.peek(2) === "=") {
      throw cursor.fail(
        "a backreference could keep the gate busy without end",
        "Write out what the group matches",
        start,
      );
    }
    const what = cursor.peek(1) === "(" ? "a conditional group" : "this kind of group";
    throw cursor.fail(`${what} is not supported`, "Write its cases as alternatives", start);
  }

  #withFlags(on: string, off: string, start: number): RegexMode {
    let mode = this.#mode;
    for (const [letters, value] of [[on, true], [off.slice(1), false]] as const) {
      for (const letter of letters) {
        const name = FLAG_MODES[letter as keyof typeof FLAG_MODES];
        if (name !== undefined) mode = { ...mode, [name]: value };
        else if (letter === "u" && value) mode = { ...mode, ascii: false };
        else {
          throw this.#cursor.fail(
            `the flag ${letter} is not supported`,
            "Use the flags i, m, s, x, a and u",
            start,
          );
        }
      }
    }
    return mode;
  }

  #refuseNarrow(what: string, start: number): void {
    if (!this.#mode.narrow) return;
    throw this.#cursor.fail(
      `${what} is not supported where it decides what is let through`,
      "Write an ordinary group or quantifier",
      start,
    );
  }

  /** The counts of `{n}`, `{n,}`, `{,m}` or `{n,m}` standing next, and its length. */
  #counts(): { readonly min: number; readonly max: number; readonly length: number } | undefined {
    const { source, at } = this.#cursor;
    if (source.charCodeAt(at) !== 0x7b) return undefined;
    const match = /^\{(?:(\d+)|(\d*),(\d*))\}/.exec(source.slice(at, at + 40));
    if (match === null) return undefined;
    const [whole, exact, low, high] = match;
    const min = Number(exact ?? (low || "0"));
    const max = Number(exact ?? (high || "Infinity"));
    return { min, max, length: whole.length };
  }

  #quantified(item: RegexNode): RegexNode {
    const cursor = this.#cursor;
    const start = cursor.at;
    const range = this.#quantifier();
    if (range === undefined) return item;
    if (item.kind === "edge" || item.kind === "end") {
      throw cursor.fail("the quantifier repeats a place", "Leave the quantifier out", start);
    }
    const lazy = cursor.accept("?");
    if (!lazy && cursor.accept("+")) this.#refuseNarrow("a possessive quantifier", start);
    while (this.#skipComment());
    const extra = cursor.at;
    if (this.#quantifier() !== undefined) {
      throw cursor.fail(
        "a quantifier repeats a quantifier",
        "Put a group (?:…) around the first",
        extra,
      );
    }
    return { kind: "repeat", item, min: range.min, max: range.max, lazy };
  }

  #quantifier(): { readonly min: number; readonly max: number } | undefined {
    const cursor = this.#cursor;
    const simple = QUANTIFIERS[cursor.peek()];
    if (simple !== undefined) {
      cursor.at++;
      return simple;
    }
    const counts = this.#counts();
    if (counts === undefined) return undefined;
    if (counts.max < counts.min || counts.min > 100_000) {
      throw cursor.fail("the counts are not a range", "Write {least,most}, at most 100000");
    }
    cursor.at += counts.length;
    return counts;
  }
}
