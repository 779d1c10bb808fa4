/**
 * Reading the options of a program from its words, given which of them take a value.
 */
import type { Word } from "./reading.ts";

/** Options found, and the words that are none. */
export interface Options {
  /** Option to value: the word it took, or undefined for a flag. Short bundles are taken apart. */
  readonly given: readonly { readonly name: string; readonly value: Word | undefined }[];
  /** The words that are not options, in order. */
  readonly operands: readonly Word[];
  /** Index in the arguments of the first operand, or their number where there is none. */
  readonly first: number;
}

const sets = new Map<string, ReadonlySet<string>>();

/** The blank-separated names in `list` as a set, made once. */
export function namesIn(list: string): ReadonlySet<string> {
  let set = sets.get(list);
  if (set === undefined) sets.set(list, set = new Set(list.split(" ")));
  return set;
}

/**
 * Reads options. `valued` lists, blank-separated, those that take a value (`-u --user`); with
 * `leading`, reading stops at the first operand, as programs do that run the rest as a command.
 */
export function readOptions(args: readonly Word[], valued: string, leading: boolean): Options {
  const takes = namesIn(valued);
  const given: { name: string; value: Word | undefined }[] = [];
  const operands: Word[] = [];
  let first = args.length;
  let i = 0;
  for (; i < args.length; i++) {
    const word = args[i];
    if (word === undefined) break;
    const text = word.value ?? word.text;
    if (text === "--") {
      first = Math.min(first, i + 1);
      operands.push(...args.slice(i + 1));
      break;
    }
    if (text.length < 2 || !text.startsWith("-")) {
      first = Math.min(first, i);
      if (leading) {
        operands.push(...args.slice(i));
        break;
      }
      operands.push(word);
      continue;
    }
    const equals = text.indexOf("=");
    if (text.startsWith("--")) {
      if (equals > 0) given.push({ name: text.slice(0, equals), value: cut(word, equals + 1) });
      else given.push({ name: text, value: takes.has(text) ? args[++i] : undefined });
      continue;
    }
    if (takes.has(text)) {
      given.push({ name: text, value: args[++i] });
      continue;
    }
    if (equals > 0 && takes.has(text.slice(0, equals))) {
      given.push({ name: text.slice(0, equals), value: cut(word, equals + 1) });
      continue;
    }
    for (let at = 1; at < text.length; at++) {
      const name = `-${text[at]}`;
      if (!takes.has(name)) {
        given.push({ name, value: undefined });
        continue;
      }
      given.push({ name, value: at + 1 < text.length ? cut(word, at + 1) : args[++i] });
      break;
    }
  }
  return { given, operands, first };
}

/** The value of the last option of one of these names, undefined where none was given. */
export function valueFor(options: Options, ...names: string[]): Word | undefined {
  return options.given.findLast((option) => names.includes(option.name))?.value;
}

/** True where one of these options was given. */
export function has(options: Options, ...names: string[]): boolean {
  return options.given.some((option) => names.includes(option.name));
}

/** The part of a word from `at` on. */
export function cut(word: Word, at: number): Word {
  return {
    ...word,
    text: word.text.slice(at),
    value: word.value === undefined ? undefined : word.value.slice(at),
  };
}
