/** `gitvow hook` reached through the command line, which `main.ts` avoids for speed. */
import type { Command } from "./command.ts";
import { hook } from "./hook.ts";

/** Runs the hook, which ends the process itself. */
export const hookCommand: Command<{ readonly agent: string | undefined }> = (
  _world,
  flags,
  words,
) => hook([...(flags.agent === undefined ? [] : ["--agent", flags.agent]), ...words]);
