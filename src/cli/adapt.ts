/** Makes a command of `src/commands/` one that the command-line library can run. */
import type { CommandContext, StricliProcess } from "@stricli/core";
import type { Command, CommandWorld } from "../commands/command.ts";
import { Failure, messageOf } from "../domain/failure.ts";

/** What the library hands to a command. */
export interface CliContext extends CommandContext {
  readonly process: StricliProcess;
  readonly world: CommandWorld;
}

/** The lines a person reads where something failed: a known failure plainly, a bug with its trace. */
export function describeFailure(error: unknown): string {
  if (error instanceof Failure) {
    return `gitvow: ${error.message}${error.remedy === "" ? "" : `\n  ${error.remedy}`}`;
  }
  if (isRefusal(error)) {
    return `gitvow: ${
      messageOf(error)
    }\n  see that nothing stands in its way, that you may write there, and that there is room`;
  }
  const trace = error instanceof Error && error.stack !== undefined ? `\n${error.stack}` : "";
  return `gitvow: this is a bug: ${messageOf(error)}${trace}`;
}

/** True for an error of the operating system, such as a permission that is missing or a full disk. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" &&
    /^E[A-Z0-9]+$/.test(error.code);
}

/** A loader for the library: `load` fetches the command when it is called. */
export function lazily<Flags>(load: () => Promise<Command<Flags>>) {
  return async () => {
    const command = await load();
    return async function (
      this: CliContext,
      flags: Flags,
      ...words: (string | undefined)[]
    ): Promise<void> {
      try {
        const given = words.filter((word) => word !== undefined);
        this.process.exitCode = await command(this.world, flags, given);
      } catch (error) {
        this.world.terminal.err(describeFailure(error));
        this.process.exitCode = 1;
      }
    };
  };
}
