/**
 * Words that may turn into any number of words: an unquoted expansion of unknown text. They make
 * the numbers of the arguments after them uncertain.
 */
import type { Word } from "./reading.ts";

const open = new WeakSet<Word>();

/** Marks a word that may be none, one or several. */
export function markOpen(word: Word): Word {
  open.add(word);
  return word;
}

/** The index of the first word that may be none or several; Infinity where there is none. */
export function firstOpen(words: readonly Word[]): number {
  const at = words.findIndex((word) => open.has(word));
  return at < 0 ? Infinity : at;
}
