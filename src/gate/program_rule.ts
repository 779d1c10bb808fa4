/** Matches one program rule against one invocation. */
import { type Pattern, search, searchNow } from "../policy/pattern.ts";
import type { ProgramRule } from "../policy/policy.ts";
import type { Invocation, Word } from "../shell/reading.ts";
import { type Arguments, givesFlag, type VerbText } from "./arguments.ts";

/** How a rule fits: `maybe` where a word that only the shell will know could make it fit. */
export type Fit = "yes" | "maybe" | "no" | "timeout";

/** The texts under which an operand is matched: as it is, and as a path in its canonical form. */
export type Spell = (word: Word) => readonly string[];

/**
 * True where a rule that names `programs` speaks of the program `name`, given as `plainName` has it:
 * letter case does not count (where the file system folds it, `RM` is `rm`), nor does a version.
 */
export function speaksOf(programs: readonly string[], name: string): boolean {
  return programs.includes(name);
}

async function found(pattern: Pattern, text: string): Promise<"match" | "none" | "timeout"> {
  return (searchNow(pattern, text) ?? await search(pattern, text)).kind;
}

/** Letters an abbreviated long flag needs before it lifts a rule: a guess must not loosen. */
const LIFTING_ABBREVIATION = 4;

/** How `rule` fits `invocation`, whose words have been sorted out as `args`. */
export async function fits(
  rule: ProgramRule,
  invocation: Invocation,
  args: Arguments,
  spell: Spell,
): Promise<Fit> {
  if (!speaksOf(rule.programs, args.program)) return "no";
  let fit: Fit = "yes";
  if (rule.flags.length > 0) {
    const given = rule.flags.some((flag) =>
      args.flags.some((word) => givesFlag(word.text, flag, args.valueLetters))
    );
    if (!given && !hasUnknown(invocation.args)) return "no";
    if (!given) fit = "maybe";
  }
  if (liftedByFlag(rule.unless.flags, args)) return "no";
  if (rule.verbs.length > 0) {
    const verb = await fitsVerb(rule.verbs, args.verbTexts);
    if (verb !== "yes" && verb !== "maybe") return verb;
    if (verb === "maybe") fit = verb;
  }
  const words = await fitsWords(rule, args.positional, spell);
  return words === "yes" ? fit : words;
}

/** A flag that is taken back or switched off (`--no-dry-run`, `--dry-run=false`) lifts nothing. */
function liftedByFlag(flags: readonly string[], args: Arguments): boolean {
  if (flags.length === 0) return false;
  const takenBack = args.flags.some((word) =>
    flags.some((flag) => flag.startsWith("--") && word.text === `--no-${flag.slice(2)}`)
  );
  return !takenBack &&
    args.flags.some((word) =>
      word.value !== undefined && !/=(?:false|no|none|off|0)$/i.test(word.value) &&
      flags.some((flag) => givesFlag(word.text, flag, args.valueLetters, LIFTING_ABBREVIATION))
    );
}

async function fitsVerb(
  verbs: readonly Pattern[],
  places: readonly VerbText[],
): Promise<Fit> {
  for (const { texts } of places) {
    for (const text of texts) {
      for (const verb of verbs) {
        const kind = await found(verb, text);
        if (kind === "match") return "yes";
        if (kind === "timeout") return "timeout";
      }
    }
  }
  return places.every((place) => place.known) ? "no" : "maybe";
}

/**
 * `args` must hold for one positional word that `unless.args` does not lift. Without `args`, one
 * known word that `unless.args` matches lifts the rule.
 */
async function fitsWords(
  rule: ProgramRule,
  positional: readonly Word[],
  spell: Spell,
): Promise<Fit> {
  const wanted = rule.args;
  if (wanted === undefined) {
    for (const word of positional) {
      if (word.value !== undefined && await lifts(rule, spell(word))) return "no";
    }
    return "yes";
  }
  let maybe = false;
  for (const word of positional) {
    const texts = spell(word);
    const kind = await anyFound(wanted, texts);
    if (kind === "none" && word.value !== undefined) continue;
    if (await lifts(rule, texts)) continue;
    if (kind === "match") return "yes";
    if (kind === "timeout") return "timeout";
    maybe = true;
  }
  return maybe ? "maybe" : "no";
}

/** True where `unless.args` matches one of the texts. */
async function lifts(rule: ProgramRule, texts: readonly string[]): Promise<boolean> {
  const lifting = rule.unless.args;
  return lifting !== undefined && await anyFound(lifting, texts) === "match";
}

async function anyFound(
  pattern: Pattern,
  texts: readonly string[],
): Promise<"match" | "none" | "timeout"> {
  for (const text of texts) {
    const kind = await found(pattern, text);
    if (kind !== "none") return kind;
  }
  return "none";
}

/** True where a word in flag position is known only at run time: `$FLAGS`, not `x/$NAME`. */
function hasUnknown(words: readonly Word[]): boolean {
  return words.some((word) => word.value === undefined && /^[$`-]/.test(word.text));
}
