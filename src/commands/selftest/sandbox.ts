/** A throwaway home and repository, and gitvow run there as a process with nothing of the user's. */
import { Failure } from "../../domain/failure.ts";
import { launcherText } from "../../install/launcher.ts";
import { basename, dirname, resolve } from "../../system/paths.ts";
import type { RunningProgram } from "../../system/process.ts";
import type { RunOutcome, System } from "../../system/system.ts";
import type { HookAnswer } from "./samples.ts";

/** Milliseconds one process may take, and bytes it may print. */
const RUN_MS = 60_000;
const OUTPUT_LIMIT = 4 * 1024 * 1024;

/** Bytes of a file in the sandbox that are read. */
const FILE_LIMIT = 16 * 1024 * 1024;

/** How a process in the sandbox ended; code -1 where it did not end by itself. */
export interface Ended extends HookAnswer {
  readonly ms: number;
}

/** Where to run gitvow without doing anything to the user's own. */
export interface Sandbox {
  readonly home: string;
  readonly repo: string;
  /** The real system, but with this home. */
  readonly system: System;
  /** Runs gitvow with arguments, in the repository. */
  gitvow(args: readonly string[]): Promise<Ended>;
  /** Runs a command line as agents do: `sh -c`, with `stdin` as its whole standard input. */
  shell(command: string, stdin: string): Promise<Ended>;
  /** The text of a file, or undefined where there is none. */
  read(path: string): string | undefined;
  /** Writes a file with the folders on the way. */
  write(path: string, text: string): void;
  /** The texts of all files in a folder. */
  readAll(folder: string): readonly string[];
  /** Removes it with everything in it. */
  remove(): void;
}

/**
 * The file that starts the running gitvow: the launcher beside a built bundle, the one above an
 * installed one, or the executable itself. Throws a `Failure` where it runs from its sources.
 */
export function launcherOf(system: System, running: RunningProgram): string {
  if (running.standalone) return running.runtime;
  const folder = dirname(running.program);
  if (basename(running.program) === "gitvow.js") {
    for (const path of [`${folder}/gitvow`, resolve(folder, "../../bin/gitvow")]) {
      if (system.files.lookAt(path)?.kind === "file") return path;
    }
  }
  throw new Failure(
    `There is no launcher for "${running.program}", which hooks would call`,
    "run `deno task build`, then `dist/gitvow selftest`",
  );
}

/**
 * Makes a sandbox. gitvow runs there by a launcher of its own, or as the executable itself: one
 * that is installed stands for the home it was installed in, whatever the environment says.
 */
export function makeSandbox(
  system: System,
  running: RunningProgram,
  launchFlags: readonly string[],
): Sandbox {
  const { files } = system;
  const root = files.temporaryDirectory("gitvow-selftest-");
  const home = `${root}/home`;
  const repo = `${home}/project`;
  const env = {
    HOME: home,
    USERPROFILE: home,
    PATH: `${home}/.gitvow/bin:${system.env("PATH") ?? ""}`,
    NO_COLOR: "1",
  };
  const run = async (program: string, args: readonly string[], stdin: string): Promise<Ended> =>
    endOf(
      await system.run({
        program,
        args,
        cwd: repo,
        stdin,
        timeoutMs: RUN_MS,
        stdoutLimit: OUTPUT_LIMIT,
        env,
      }),
    );
  const read = (path: string) => {
    const content = files.read(path, FILE_LIMIT);
    return content.kind === "read"
      ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(content.bytes)
      : undefined;
  };
  const write = (path: string, text: string) => {
    files.makeDirectory(dirname(path), 0o700);
    files.writeAtomic(path, new TextEncoder().encode(text), 0o600);
  };
  write(`${repo}/.git/HEAD`, "ref: refs/heads/main\n");
  const launcher = running.standalone ? running.runtime : `${root}/gitvow`;
  if (!running.standalone) {
    const { runtime, program } = running;
    const cache = `${dirname(program)}/cache`;
    const text = launcherText({ runtime, program, cache }, launchFlags);
    files.writeAtomic(launcher, new TextEncoder().encode(text), 0o755);
  }
  return {
    home,
    repo,
    system: { ...system, home },
    gitvow: (args) => run(launcher, args, ""),
    shell: (command, stdin) => run("sh", ["-c", command], stdin),
    read,
    write,
    readAll: (folder) => files.list(folder).map((name) => read(`${folder}/${name}`) ?? ""),
    remove: () => files.removeTree(root),
  };
}

function endOf(outcome: RunOutcome): Ended {
  switch (outcome.kind) {
    case "exited":
      return { ...outcome, stdout: new TextDecoder().decode(outcome.stdout) };
    case "killed":
      return { code: -1, stdout: "", stderr: `killed by ${outcome.signal}`, ms: outcome.ms };
    case "timed out":
      return { code: -1, stdout: "", stderr: `no end in ${RUN_MS} ms`, ms: outcome.ms };
    case "too much output":
      return {
        code: -1,
        stdout: "",
        stderr: `over ${outcome.limit} bytes of output`,
        ms: outcome.ms,
      };
    case "not started":
      return { code: -1, stdout: "", stderr: outcome.why, ms: 0 };
  }
}
