/**
 * gitvow: the gate between AI coding agents and the machines they act on.
 *
 * `hook` is answered at once, by the one module it needs; every other command goes through the
 * command line of `src/cli/`, which loads commands as they are called.
 */
import { hook } from "./src/commands/hook.ts";

/** The permissions gitvow lives with: no network, no foreign functions, no questions. */
export const PERMISSIONS: readonly string[] = [
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-env=HOME,USERPROFILE,PATH,NO_COLOR,TERM,CLAUDE_CONFIG_DIR",
  "--deny-net",
  "--deny-ffi",
  "--no-prompt",
];

/**
 * How V8 is set up: the linear regular expression engine, so that no pattern can hang the gate, and
 * what measurably shortens a short life: all functions compiled into the code cache (3 ms of a
 * hook), and room enough that no garbage is collected before the answer (1 ms).
 */
export const ENGINE: readonly string[] = [
  "--v8-flags=" + [
    "--enable-experimental-regexp-engine",
    "--enable-experimental-regexp-engine-on-excessive-backtracks",
    "--regexp-backtracks-before-fallback=2000",
    "--no-lazy",
    "--min-semi-space-size=16",
  ].join(","),
];

/** Nothing of the directory gitvow is started in decides what it runs. */
export const ISOLATION: readonly string[] = [
  "--no-config",
  "--no-lock",
  "--no-npm",
  "--no-remote",
];

/** Everything the launcher passes to the runtime. */
export const LAUNCH_FLAGS: readonly string[] = [...ISOLATION, ...PERMISSIONS, ...ENGINE];

if (import.meta.main) {
  const [command, ...rest] = Deno.args;
  if (command === "hook" && !rest.some((word) => word === "--help" || word === "-h")) {
    await hook(rest);
  } else {
    const { cli } = await import("./src/cli/cli.ts");
    await cli(Deno.args, LAUNCH_FLAGS);
  }
}
