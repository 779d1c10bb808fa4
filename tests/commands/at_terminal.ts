/** Runs gitvow at a terminal of its own, made by util-linux `script`, and types answers into it. */
import { type Ended, GITVOW, type RunOptions, type World } from "../support/world.ts";

/** True where this machine has a `script` that can make a terminal for a command. */
export const HAS_TERMINAL = hasScript();

function hasScript(): boolean {
  try {
    const { stdout } = new Deno.Command("script", { args: ["--version"] }).outputSync();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

/** Runs gitvow with `typed` at its terminal; what it prints to either stream is in `stdout`. */
export async function atTerminal(
  world: World,
  args: readonly string[],
  typed: string,
  options: RunOptions = {},
): Promise<Ended> {
  const program = options.program ?? GITVOW;
  const line = [program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const ended = await world.run(["-q", "-e", "-c", line, "/dev/null"], {
    ...options,
    env: { ...world.env, NO_COLOR: "1", TERM: "dumb", SHELL: "/bin/sh", ...options.env },
    program: "script",
    stdin: typed,
  });
  return { ...ended, stdout: ended.stdout.replaceAll("\r\n", "\n") };
}
