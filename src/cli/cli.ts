/** The command line: which commands there are, their flags and help, and how they end. */
import { type ApplicationText, buildApplication, run, text_en } from "@stricli/core";
import config from "../../deno.json" with { type: "json" };
import { denoSystem } from "../system/deno.ts";
import { exit, writeStderr, writeStdout } from "../system/process.ts";
import { denoTerminal } from "../system/terminal.ts";
import { type CliContext, describeFailure } from "./adapt.ts";
import { routes } from "./routes.ts";

const TEXT: ApplicationText = {
  ...text_en,
  noCommandRegisteredForInput: ({ input, corrections }) =>
    `gitvow: there is no command "${input}"${
      corrections.length > 0 ? `; did you mean ${corrections.join(" or ")}?` : ""
    }\n  \`gitvow --help\` lists the commands.`,
  exceptionWhileParsingArguments: (error) =>
    `gitvow: ${
      error instanceof Error ? error.message : String(error)
    }\n  Add --help to see how it is used.`,
  exceptionWhileRunningCommand: (error) => describeFailure(error),
  exceptionWhileLoadingCommandFunction: (error) => describeFailure(error),
};

/** Runs one command and ends the process. `launchFlags` are the runtime's, from `main.ts`. */
export async function cli(args: readonly string[], launchFlags: readonly string[]): Promise<never> {
  const system = denoSystem();
  const application = buildApplication(routes, {
    name: "gitvow",
    versionInfo: { currentVersion: config.version },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: system.env("NO_COLOR") !== undefined },
    localization: { text: TEXT },
  });
  const context: CliContext = {
    process: {
      stdout: { write: writeStdout },
      stderr: { write: writeStderr },
      // Left empty: the library writes its own code only where there is none.
      exitCode: null,
    },
    world: {
      system,
      terminal: denoTerminal(system.env("NO_COLOR")),
      launchFlags,
      version: config.version,
    },
  };
  await run(application, args, context);
  const code = Number(context.process.exitCode ?? 0);
  return exit(code < 0 ? 1 : code);
}
