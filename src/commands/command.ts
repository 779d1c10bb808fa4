/** What every command is given, and what it gives back. */
import type { System } from "../system/system.ts";
import type { Terminal } from "../system/terminal.ts";

/** The world of one command. */
export interface CommandWorld {
  readonly system: System;
  readonly terminal: Terminal;
  /** The runtime's flags, as `main.ts` states them. */
  readonly launchFlags: readonly string[];
  readonly version: string;
}

/** How a command ends: 0 done or allowed, 1 an error, 2 blocked. */
export type ExitCode = 0 | 1 | 2;

/** One command: flags and words in, an exit code out. Throws a `Failure` where it cannot be done. */
export type Command<Flags> = (
  world: CommandWorld,
  flags: Flags,
  words: readonly string[],
) => Promise<ExitCode> | ExitCode;
