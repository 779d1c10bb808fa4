/** The command line: which commands there are, their flags and help, and how they end. */
import { buildApplication, run } from "@stricli/core";
import config from "../../deno.json" with { type: "json" };
import { denoSystem } from "../system/deno.ts";
import { exit, stdoutIsLost, writeStderr, writeStdout } from "../system/process.ts";
import { denoTerminal } from "../system/terminal.ts";
import type { CliContext } from "./adapt.ts";
import { routes } from "./routes.ts";
import { NEAR_MISS, wording } from "./wording.ts";

/** Runs one command and ends the process. `launchFlags` are the runtime's, from `main.ts`. */
export async function cli(args: readonly string[], launchFlags: readonly string[]): Promise<never> {
  const system = denoSystem();
  const inputs = spelledAsFlags(args);
  const application = buildApplication(routes, {
    name: "gitvow",
    versionInfo: { currentVersion: config.version },
    scanner: {
      caseStyle: "allow-kebab-for-camel",
      allowArgumentEscapeSequence: true,
      distanceOptions: NEAR_MISS,
    },
    documentation: { disableAnsiColor: system.env("NO_COLOR") !== undefined },
    localization: { text: wording(inputs) },
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
      terminal: denoTerminal(system.env("NO_COLOR"), system.env("TERM")),
      launchFlags,
      version: config.version,
    },
  };
  await run(application, inputs, context);
  const code = Number(context.process.exitCode ?? 0);
  if (stdoutIsLost()) {
    writeStderr("gitvow: Standard output cannot be written\n  make room on the disk it goes to\n");
  }
  return exit(code < 0 || code === 0 && stdoutIsLost() ? 1 : code);
}

/** `help [COMMAND]`, `version` and `-V` as the flags that answer them. */
function spelledAsFlags(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  if (first === "help") return [...rest, "--help"];
  return first === "version" || first === "-V" ? ["--version"] : args;
}
