/**
 * One program about to run, with its words evaluated: what every reader of programs is given.
 */
import type { Call, Frame } from "./frame.ts";
import type { Word } from "./reading.ts";
import { unbracketed } from "./spliced_words.ts";

/** A program, its arguments, and what stands around it. */
export interface Program {
  /** Base name, `.exe` dropped, version digits kept. */
  readonly name: string;
  readonly word: Word;
  readonly args: readonly Word[];
  readonly frame: Frame;
  readonly call: Call;
}

/**
 * The base name of a program word, or undefined where only the shell will know it. The last part
 * of a path is enough: `$VENV/bin/python` is python.
 */
export function programName(word: Word): string | undefined {
  if (word.value === undefined) {
    const tail = /\/([\w.+@:-]+)$/.exec(word.text)?.[1];
    return tail === undefined ? undefined : dropExe(tail);
  }
  // zsh runs the program found on the path for `=rm`.
  const text = (unbracketed(word).value ?? "").replace(/^=(?=[A-Za-z])/, "");
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  if (word.glob && /[*?[]/.test(name)) return undefined;
  return name === "" ? text : dropExe(name);
}

function dropExe(name: string): string {
  return name.replace(/\.(?:exe|EXE|cmd|bat)$/, "");
}
