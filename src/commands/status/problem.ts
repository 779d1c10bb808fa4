/** Something that is wrong with the gate, and what mends it. */
import { Failure, messageOf } from "../../domain/failure.ts";
import { shellWord } from "../../domain/words.ts";
import { visible } from "../../domain/visible.ts";
import { tildify } from "../../system/paths.ts";
import type { Terminal } from "../../system/terminal.ts";

/** One problem: a sentence without a full stop, and a command or step that mends it. */
export interface Problem {
  readonly what: string;
  readonly mend: string;
}

/** The problem that something thrown stands for; `mend` where a failure names no remedy. */
export function problemOf(thrown: unknown, mend: string): Problem {
  const remedy = thrown instanceof Failure ? thrown.remedy : "";
  return { what: messageOf(thrown), mend: remedy === "" ? mend : remedy };
}

/** A path as one word of a command for a person to copy. */
export function pathWord(path: string, home: string | undefined): string {
  const shown = tildify(path, home);
  return /^~?[A-Za-z0-9_@%+=:,./-]*$/.test(shown) ? shown : shellWord(path);
}

/** A problem as a person reads it, its remedy on a second line. */
export function problemLines({ what, mend }: Problem, terminal: Terminal): string[] {
  const first = `  ${terminal.paint("red", "!")} ${visible(what)}`;
  return mend === "" ? [first] : [first, `    To mend it: ${visible(mend)}`];
}
