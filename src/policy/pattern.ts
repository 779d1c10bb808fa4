/**
 * Regular expressions of a policy, compiled so that none can hang the gate.
 *
 * A pattern is JavaScript or Python syntax, searched without regard to either's flags: where the
 * two languages differ it matches what either would. Characters beyond U+FFFF count as two, and
 * `\b` knows ASCII words only.
 */
import { Failure } from "../domain/failure.ts";
import { plainRegex } from "./plain_regex.ts";
import { printRegex } from "./regex_print.ts";
import { readRegex } from "./regex_reader.ts";
import { type Search, searchInWorkers, type SearchResult } from "./search_workers.ts";

export type { SearchResult } from "./search_workers.ts";
export { stopSearching } from "./search_workers.ts";

/** A compiled pattern. */
export interface Pattern {
  /** The pattern as the policy has it. */
  readonly source: string;
  /** The same in JavaScript, without flags. */
  readonly regexp: RegExp;
  /** True where V8's linear engine can run it, so that the fast engine may fall back to that. */
  readonly linear: boolean;
  /** About how many states the engine needs. */
  readonly size: number;
  readonly sense: Sense;
}

/**
 * What a match means: `catches` something for a finding, or `excuses` it from one. Where Python and
 * JavaScript differ, the first matches what either would and the second only what both would.
 */
export type Sense = "catches" | "excuses";

/** Length of the longest pattern, in UTF-16 units. */
const SOURCE_LIMIT = 64 * 1024;

/**
 * Texts up to this length are searched at once: measured, the worst pattern (`x*x*y`) keeps the
 * fast engine busy for 80 ms there, and minutes on a mebibyte, before it falls back.
 */
const TEXT_LIMIT = 4096;

/** States times length for one synchronous search: about 12 ms in the linear engine. */
const WORK_LIMIT = 400_000;

/** States from which a pattern is tried once, because V8 refuses a large one only when it runs. */
const TRIAL_SIZE = 500;

/** Compiles a pattern. Throws `Failure` with what is wrong and at which character. */
export function compilePattern(source: string, sense: Sense = "catches"): Pattern {
  if (source === "") {
    throw new Failure('Cannot use pattern "": it matches everything', "Write what it is to match");
  }
  if (source.length > SOURCE_LIMIT) {
    throw new Failure(
      `Cannot use pattern "${source.slice(0, 40)}…": it has ${source.length} characters`,
      `Split it into rules of at most ${SOURCE_LIMIT} characters`,
    );
  }
  return compileAs(source, sense, false);
}

function compileAs(source: string, sense: Sense, whole: boolean): Pattern {
  if (sense === "catches" && !whole && source.length <= TRIAL_SIZE) {
    // A plain pattern that V8 refuses is read whole, for a failure that names the place.
    const plain = plainRegex(source);
    const regexp = plain && regexpOf(plain.source);
    if (plain && regexp) return patternOf(source, regexp, plain.size, sense);
  }
  const printed = printRegex(readRegex(source, sense === "excuses"), whole);
  const regexp = regexpOf(printed.source);
  if (regexp !== undefined && (printed.size <= TRIAL_SIZE || canRun(regexp))) {
    return patternOf(source, regexp, printed.size, sense);
  }
  throw new Failure(
    `Cannot use pattern ${JSON.stringify(source.slice(0, 200))}: it is too large`,
    "Split the rule in several",
  );
}

function patternOf(source: string, regexp: RegExp, size: number, sense: Sense): Pattern {
  // The linear engine alone knows what it takes; without the launch flag it takes nothing.
  const linear = regexpOf(regexp.source, "l") !== undefined;
  return { source, regexp, linear, size, sense };
}

/** The compiled source, or undefined where V8 refuses it. */
function regexpOf(source: string, flags = ""): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** False where V8 finds a pattern too large when it first runs, on either kind of string. */
function canRun(regexp: RegExp): boolean {
  return ["", "\u0100"].every((text) => searchedBy(regexp, text) !== undefined);
}

const wholes = new WeakMap<Pattern, Pattern>();

/** The pattern that matches where `pattern` matches the whole text. */
function wholeOf(pattern: Pattern): Pattern {
  const known = wholes.get(pattern);
  if (known !== undefined) return known;
  const whole = compileAs(pattern.source, pattern.sense, true);
  wholes.set(pattern, whole);
  return whole;
}

/**
 * Searches `text` for the first match. Undefined where that could take long (a pattern the linear
 * engine cannot run, a long text): `search` then answers within a limit.
 */
export function searchNow(pattern: Pattern, text: string): SearchResult | undefined {
  if (!pattern.linear || text.length > TEXT_LIMIT) return undefined;
  if (pattern.size * text.length > WORK_LIMIT) return undefined;
  return searchedBy(pattern.regexp, text) ??
    searchedBy(new RegExp(pattern.regexp.source, "l"), text) ?? { kind: "timeout" };
}

/** The result of one engine, or undefined where it gave up for want of memory or stack. */
function searchedBy(regexp: RegExp, text: string): SearchResult | undefined {
  try {
    const match = regexp.exec(text);
    if (match === null) return { kind: "none" };
    return { kind: "match", start: match.index, end: match.index + match[0].length };
  } catch {
    return undefined;
  }
}

/** Searches `text` for the first match; `timeout` after 250 ms in a worker. */
export async function search(pattern: Pattern, text: string): Promise<SearchResult> {
  const [result] = await searchAll([pattern], text);
  return result ?? { kind: "timeout" };
}

/**
 * Searches `text` for every pattern, the slow ones side by side; one result a pattern, in order.
 * Slow ones that are still waiting after a second are timeouts.
 */
export async function searchAll(
  patterns: readonly Pattern[],
  text: string,
): Promise<SearchResult[]> {
  const results = patterns.map((pattern) => searchNow(pattern, text));
  const slow: Search[] = [];
  patterns.forEach((pattern, index) => {
    if (results[index] === undefined) slow.push({ regexp: pattern.regexp, text });
  });
  const found = slow.length === 0 ? [] : await searchInWorkers(slow);
  let next = 0;
  return results.map((result) => result ?? found[next++] ?? { kind: "timeout" });
}

/** `searchNow` for a pattern that must match the whole text. */
export function matchesWholeNow(pattern: Pattern, text: string): SearchResult | undefined {
  return searchNow(wholeOf(pattern), text);
}

/** `search` for a pattern that must match the whole text. */
export function matchesWhole(pattern: Pattern, text: string): Promise<SearchResult> {
  return search(wholeOf(pattern), text);
}
