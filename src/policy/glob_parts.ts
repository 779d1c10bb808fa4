/**
 * A glob in pieces: one list of segments for each way its braces can be read.
 *
 * Policy globs are refused where they are malformed; an operand of a shell command is read as the
 * shell would, where an unclosed bracket stands for itself.
 */

/** One step of a path segment. Letters are folded to lower case. */
export type GlobStep =
  | { readonly kind: "unit"; readonly unit: string }
  /** `?`: any one character but `/`. */
  | { readonly kind: "any" }
  /** `*`: any number of characters but `/`. */
  | { readonly kind: "star" }
  /** `[a-z]`, as pairs of first and last unit. */
  | { readonly kind: "class"; readonly ranges: readonly number[]; readonly negated: boolean };

/** One segment between two `/`; `deep` is `**`, any number of whole segments. */
export type GlobSegment =
  | { readonly kind: "deep" }
  | { readonly kind: "plain"; readonly steps: readonly GlobStep[] };

/** What is wrong with a glob, and where: the unit's index. */
export class GlobFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const ALTERNATIVES_LIMIT = 256;
const EXPANDED_LIMIT = 16 * 1024;

/** Characters that some file systems ignore in names (`.g\u200cit` is `.git` on HFS+). */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const ASCII = /^[\0-\x7f]*$/;

/** `text` as file systems that fold letter case compare it. */
export function foldName(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFC").replace(IGNORED, "").toUpperCase().toLowerCase();
}

/** Index of the `]` that closes the class opened at `open`, or -1. */
function classEnd(source: string, open: number): number {
  let at = open + 1;
  if (source[at] === "!" || source[at] === "^") at++;
  if (source[at] === "]") at++;
  for (; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "]") return at;
    else if (source[at] === "/") return -1;
  }
  return -1;
}

/** The parts of the brace opened at `open` and the index of its `}`; no parts where it has no comma. */
function braceParts(source: string, open: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < source.length; at++) {
    const unit = source[at];
    if (unit === "\\") at++;
    else if (unit === "[") {
      const end = classEnd(source, at);
      if (end > 0) at = end;
    } else if (unit === "{") depth++;
    else if (unit === "," && depth === 1) {
      parts.push(source.slice(start, at));
      start = at + 1;
    } else if (unit === "}" && --depth === 0) {
      if (parts.length > 0) parts.push(source.slice(start, at));
      return { parts, end: at };
    }
  }
  return undefined;
}

/**
 * Every text that the braces of `source` stand for. A `**` that is only part of a segment is
 * written out as `*` and as `*` followed by whole segments. Throws `GlobFault` past the bounds, and
 * with `strict` for a brace that is not closed.
 */
function expansions(source: string, strict: boolean): string[] {
  const done: string[] = [];
  const waiting: { readonly text: string; readonly from: number }[] = [{ text: source, from: 0 }];
  let size = 0;
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { text, from } = one;
    const choice = firstChoice(text, from, strict);
    if (choice === undefined) {
      done.push(text);
      size += text.length;
    } else {
      const { start, end, parts } = choice;
      for (const part of parts.toReversed()) {
        const next = text.slice(0, start) + part + text.slice(end);
        waiting.push({ text: next, from: choice.skip ? start + part.length : start });
        size += text.length / 16;
      }
    }
    if (done.length + waiting.length > ALTERNATIVES_LIMIT || size > EXPANDED_LIMIT) {
      throw new GlobFault("its braces stand for too many globs", 0);
    }
  }
  return done;
}

/** The first place from `from` on that stands for several texts, with those texts. */
function firstChoice(
  text: string,
  from: number,
  strict: boolean,
): { start: number; end: number; parts: readonly string[]; skip: boolean } | undefined {
  for (let at = from; at < text.length; at++) {
    const unit = text[at];
    if (unit === "\\") at++;
    else if (unit === "[") {
      const end = classEnd(text, at);
      if (end > 0) at = end;
    } else if (unit === "{") {
      const brace = braceParts(text, at);
      if (brace === undefined && strict) throw new GlobFault("the { is not closed", at);
      if (brace !== undefined && brace.parts.length > 0) {
        return { start: at, end: brace.end + 1, parts: brace.parts, skip: false };
      }
    } else if (unit === "*" && text[at + 1] === "*") {
      let end = at;
      while (text[end] === "*") end++;
      const alone = (at === 0 || text[at - 1] === "/") &&
        (end === text.length || text[end] === "/");
      // `{**,x}`: what follows a brace's part decides whether it is a whole segment.
      if (alone) at = end - 1;
      else return { start: at, end, parts: ["*", "*/**/*"], skip: true };
    }
  }
  return undefined;
}

/** Reads `source` into one list of segments for each reading of its braces. */
export function globParts(source: string, strict: boolean): GlobSegment[][] {
  return expansions(source, strict).map((text) => segmentsOf(text, strict));
}

function segmentsOf(text: string, strict: boolean): GlobSegment[] {
  const segments: GlobSegment[] = [];
  let steps: GlobStep[] = [];
  let start = 0;
  const close = (end: number) => {
    if (/^\*{2,}$/.test(text.slice(start, end))) {
      if (segments.at(-1)?.kind !== "deep") segments.push({ kind: "deep" });
    } else segments.push({ kind: "plain", steps });
    steps = [];
    start = end + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text[at] ?? "";
    if (unit === "/") close(at);
    else if (unit === "*") {
      if (steps.at(-1)?.kind !== "star") steps.push({ kind: "star" });
    } else if (unit === "?") steps.push({ kind: "any" });
    else if (unit === "[") {
      const end = classEnd(text, at);
      if (end < 0 && strict) throw new GlobFault("the [ is not closed", at);
      if (end < 0) steps.push({ kind: "unit", unit });
      else {
        steps.push(classStep(text.slice(at + 1, end)));
        at = end;
      }
    } else {
      if (unit === "\\") at++;
      if (strict && at >= text.length) throw new GlobFault("the \\ escapes nothing", at - 1);
      for (const folded of foldName(text[at] ?? "\\")) steps.push({ kind: "unit", unit: folded });
    }
  }
  close(text.length);
  return segments;
}

/** The class with this text between its brackets. */
function classStep(body: string): GlobStep {
  const negated = body.startsWith("!") || body.startsWith("^");
  const units: { readonly unit: string; readonly escaped: boolean }[] = [];
  for (let at = negated ? 1 : 0; at < body.length; at++) {
    const escaped = body[at] === "\\" && at + 1 < body.length;
    if (escaped) at++;
    units.push({ unit: body[at] ?? "", escaped });
  }
  const ranges: number[] = [];
  for (let at = 0; at < units.length; at++) {
    const low = units[at]?.unit.charCodeAt(0) ?? 0;
    const dash = units[at + 1];
    const high = units[at + 2]?.unit.charCodeAt(0);
    if (dash?.unit === "-" && !dash.escaped && high !== undefined) {
      ranges.push(low, high);
      at += 2;
    } else ranges.push(low, low);
  }
  return { kind: "class", ranges, negated };
}

/** True where the class holds the folded unit in either case. */
export function classHolds(step: GlobStep & { kind: "class" }, unit: string): boolean {
  const codes = [unit.charCodeAt(0), unit.toUpperCase().charCodeAt(0)];
  let held = false;
  for (let index = 0; index < step.ranges.length; index += 2) {
    const low = step.ranges[index] ?? 0;
    const high = step.ranges[index + 1] ?? 0;
    held ||= codes.some((code) => low <= code && code <= high);
  }
  return held !== step.negated;
}
