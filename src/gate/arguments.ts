/** Reads an invocation's words as flags, positional words and a verb, by the usual conventions. */
import type { Invocation, Word } from "../shell/reading.ts";
import { readsStatements, VALUE_OPTIONS, type ValueOptions } from "./option_table.ts";

/** The words of an invocation, sorted out. */
export interface Arguments {
  /** The program as rules name it; empty where only the shell will know. */
  readonly program: string;
  /** Option words in front of any `--`, without values of options known to take one. */
  readonly flags: readonly Word[];
  /** Words that are neither options nor values of options known to take one. */
  readonly positional: readonly Word[];
  /**
   * The words from each place where the verb may stand: after the global options, at each global
   * option, the positional words alone, each assignment in front of the program, the programs that
   * are piped in (`curl | tee |`), and, for programs that are given statements (`psql`), each
   * statement.
   */
  readonly verbPlaces: readonly (readonly Word[])[];
  /** The text of each of these places, as verbs are matched against it. */
  readonly verbTexts: readonly VerbText[];
  /** Short options of this program that take a value, which ends a bundle: `m` in `-am`. */
  readonly valueLetters: ReadonlySet<string>;
}

/** The words of one place joined by single spaces; long ones as several texts, none of them long. */
export interface VerbText {
  readonly texts: readonly string[];
  /** False where the first word is known only at run time. */
  readonly known: boolean;
}

function isOption(text: string): boolean {
  return text.length > 1 && text.startsWith("-") && text !== "--";
}

/** True where `word` is an option whose value is the next word: `-C` but not `-C/tmp` or `--x=y`. */
function takesNext(word: string, options: readonly string[]): boolean {
  if (options.includes(word)) return true;
  if (!/^-[A-Za-z]{2,}$/.test(word)) return false;
  const letters = [...word.slice(1)];
  const at = letters.findIndex((letter) => options.includes(`-${letter}`));
  return at >= 0 && at === letters.length - 1;
}

/** A program's name in lower case, without the version that a package runner takes: `rimraf@5`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/(?<=.)@.*$/, "");
}

/** Sorts an invocation's words out. */
export function argumentsOf(invocation: Invocation): Arguments {
  const name = plainName(invocation.name ?? "");
  const table = VALUE_OPTIONS[name];
  const verbAt = verbIndex(invocation.args, table);
  const verb = invocation.args[verbAt]?.text ?? "";
  const after = table?.verbs?.[verb] ?? table?.after ?? [];
  const flags: Word[] = [];
  const positional: Word[] = [];
  for (let at = 0; at < invocation.args.length; at++) {
    const word = invocation.args[at];
    if (word === undefined) break;
    if (word.text === "--") {
      positional.push(...invocation.args.slice(at + 1));
      break;
    }
    if (!isOption(word.text)) {
      positional.push(word);
      if (/^\/[A-Za-z?]+(?::|$)/.test(word.text)) flags.push(word);
      continue;
    }
    flags.push(word);
    if (takesNext(word.text, at < verbAt ? table?.before ?? [] : after)) at++;
  }
  const places = verbPlaces(invocation.args, table, verbAt);
  if (flags.length > 0) places.push(positional);
  places.push(...assigned(invocation));
  if (invocation.input.kind === "pipe") {
    places.push([textWord(piped(invocation.input.from), invocation)]);
  }
  if (readsStatements(name)) places.push(...statementsOf(invocation));
  return {
    program: name,
    flags,
    positional,
    verbPlaces: places,
    verbTexts: places.map(verbText),
    valueLetters: lettersOf(after, table?.attached?.[verb] ?? ""),
  };
}

/** The letters among `options`, and those of `attached`. */
function lettersOf(options: readonly string[], attached: string): Set<string> {
  const letters = options.filter((one) => /^-[A-Za-z]$/.test(one)).map((one) => one.slice(1));
  return new Set([...letters, ...attached]);
}

/**
 * Where the first word stands that is no global option, no value of one known to take it, and no
 * `+toolchain`.
 */
function verbIndex(args: readonly Word[], table: ValueOptions | undefined): number {
  let at = 0;
  while (at < args.length) {
    const word = args[at]?.text ?? "";
    if (word === "--") return at;
    if (isOption(word)) {
      if (table !== undefined && takesNext(word, table.before)) at++;
    } else if (!/^[+@]/.test(word)) return at;
    at++;
  }
  return at;
}

/** Every place the verb may stand: after each global option, with and without a value where unknown. */
function verbPlaces(
  args: readonly Word[],
  table: ValueOptions | undefined,
  verbAt: number,
): Word[][] {
  const start = args[verbAt]?.text === "--" ? verbAt + 1 : verbAt;
  const places = [args.slice(start)];
  for (let at = 0; at < verbAt; at++) {
    const word = args[at]?.text ?? "";
    if (!isOption(word)) continue;
    places.push(args.slice(at));
    const known = table !== undefined &&
      (takesNext(word, table.before) || (table.bare ?? []).includes(word));
    // It may take the next word as its value: then the verb is one further on.
    const next = args[at + 1]?.text;
    if (!known && !word.includes("=") && next !== undefined && !isOption(next)) {
      places.push(args.slice(at + 2));
    }
  }
  return places;
}

/** `NAME=value` in front of the program, each as a place of its own; an unknown value is left out. */
function assigned(invocation: Invocation): Word[][] {
  return invocation.assignments.map(({ name, value }) => {
    return [textWord(`${name}=${value ?? ""}`, invocation)];
  });
}

/** What is piped in, as `curl | tee |`; a program that is not known is `?`. */
function piped(from: readonly (string | undefined)[]): string {
  return from.map((name) => `${name ?? "?"} |`).join(" ");
}

function textWord(text: string, invocation: Invocation): Word {
  return { text, value: text, glob: false, span: invocation.span };
}

/** What is longer is searched in another thread, which no daily command should have to wait for. */
const TEXT_LIMIT = 4096;
/** In a long command words are cut to this many UTF-16 units: what a verb looks for is short. */
const WORD_LIMIT = 256;
/** Words at the front of a long command that every one of its texts begins with. */
const FRONT = 6;
/** Words that a text of a long command shares with the one before. */
const OVERLAP = 4;

/**
 * A long place is matched stretch by stretch, each behind the words at its front, so that no
 * amount of padding hides an option.
 */
function verbText(place: readonly Word[]): VerbText {
  const known = place[0] === undefined || place[0].value !== undefined;
  const whole = place.map((word) => word.text).join(" ");
  if (whole.length <= TEXT_LIMIT) return { texts: [whole], known };
  const words = place.map((word) => word.text.slice(0, WORD_LIMIT));
  if (words.length <= FRONT) return { texts: [whole.slice(0, TEXT_LIMIT), words.join(" ")], known };
  const front = words.slice(0, FRONT).join(" ");
  const texts: string[] = [];
  for (let start = FRONT; start < words.length;) {
    let text = front;
    let end = start;
    while (end < words.length && text.length + (words[end]?.length ?? 0) < TEXT_LIMIT) {
      text += ` ${words[end++]}`;
    }
    texts.push(text);
    start = end < words.length ? end - OVERLAP : end;
  }
  return { texts, known };
}

/** Statements longer than this are cut: what a rule looks for stands at their front. */
const STATEMENT_LIMIT = 2000;

/** Each statement among the words, the values of options and the text on standard input, once. */
function statementsOf(invocation: Invocation): Word[][] {
  const texts = invocation.args.map(({ text }) => {
    return text.replace(/^--[A-Za-z][\w-]*=|^-[A-Za-z](?=.)/, "");
  });
  if (invocation.input.kind === "text") texts.push(invocation.input.text);
  const found = new Set<string>();
  for (const text of texts) {
    // A statement may span lines and hold comments, a string may look like a comment, and some
    // clients take a statement a line: whatever is a statement in one of these readings counts.
    const readings = [text.split(/[;\n]/), text.split(";"), withoutComments(text).split(";")];
    for (const part of readings.flat()) {
      const statement = part.replace(/\s+/g, " ").trim().slice(0, STATEMENT_LIMIT);
      if (statement !== "") found.add(statement);
    }
  }
  return [...found].map((text) => [textWord(text, invocation)]);
}

/** The text without its SQL comments; one that is not closed stays. */
function withoutComments(text: string): string {
  let out = "";
  let at = 0;
  for (;;) {
    const open = text.indexOf("/*", at);
    const close = open < 0 ? -1 : text.indexOf("*/", open + 2);
    if (close < 0) break;
    out += `${text.slice(at, open)} `;
    at = close + 2;
  }
  return (out + text.slice(at)).replace(/--[^\n]*/g, " ");
}

/**
 * True where `word` gives the flag `flag`: exactly, with `=value`, as an unambiguous abbreviation of
 * a long one (from `abbreviation` letters on), or inside a bundle of short ones. A flag written with
 * a value (`--dry-run=client`) is given by exactly that word.
 */
export function givesFlag(
  word: string,
  flag: string,
  valueLetters: ReadonlySet<string>,
  abbreviation = 1,
): boolean {
  if (word === flag) return true;
  if (flag.includes("=")) return false;
  if (flag.startsWith("/")) return word.toLowerCase() === flag.toLowerCase();
  const name = word.split("=", 1)[0] ?? word;
  if (flag.startsWith("--")) {
    if (name === flag) return true;
    return name.startsWith("--") && name.length - 2 >= abbreviation && flag.startsWith(name);
  }
  if (/^-[A-Za-z0-9]$/.test(flag)) {
    if (!/^-[A-Za-z0-9]/.test(word)) return false;
    for (const letter of word.slice(1)) {
      if (!/[A-Za-z0-9]/.test(letter)) return false;
      if (letter === flag[1]) return true;
      if (valueLetters.has(letter)) return false;
    }
    return false;
  }
  if (name === flag || name === `-${flag}`) return true;
  // PowerShell: -Recurse may be written -recurse or cut to -r.
  return /^-[A-Z]/.test(flag) && name.length > 1 &&
    flag.toLowerCase().startsWith(name.toLowerCase());
}
