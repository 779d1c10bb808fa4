/** What is asked of a person: only at a terminal, and only a plain yes counts. */
import { Failure } from "../domain/failure.ts";
import type { Terminal } from "../system/terminal.ts";

/** Throws a `Failure` unless a person sits at both ends; `what` begins with a verb, as a command. */
export function needPerson(terminal: Terminal, what: string): void {
  if (terminal.interactive) return;
  throw new Failure(
    `Cannot ${what}: standard input and standard output are not a terminal`,
    "run it yourself, in a terminal of your own",
  );
}

/** True where the person answers `y` or `yes`; anything else, and the end of input, is a no. */
export function saysYes(terminal: Terminal, question: string): boolean {
  const answer = terminal.ask(`${question} [y/N]`) ?? "";
  return /^\s*y(?:es)?\s*$/i.test(answer);
}
