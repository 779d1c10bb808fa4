/**
 * Where gitvow itself lives on a user's machine: `~/.gitvow/lib/<version>/` and the launcher
 * `~/.gitvow/bin/gitvow`, so that moving a clone or cleaning a cache never takes the gate away.
 */
import { Failure } from "../domain/failure.ts";
import { copyWhole } from "../system/keep.ts";
import { basename, dirname } from "../system/paths.ts";
import type { RunningProgram } from "../system/process.ts";
import type { Files } from "../system/system.ts";
import { launcherText } from "./launcher.ts";

/** The launcher a user-scope install records, as an absolute path. */
export function installedLauncher(home: string): string {
  return `${home}/.gitvow/bin/gitvow`;
}

/** Copies the running gitvow into the home. Throws a `Failure` where it runs from its sources. */
export function installProgram(
  files: Files,
  home: string,
  running: RunningProgram,
  version: string,
  flags: readonly string[],
): void {
  const lib = `${home}/.gitvow/lib/${version}`;
  const launcher = installedLauncher(home);
  // Policy, record and approvals will lie here too: nobody else's business.
  files.makeDirectory(`${home}/.gitvow`, 0o700);
  files.makeDirectory(`${lib}/parts/cli`, 0o755);
  files.makeDirectory(dirname(launcher), 0o755);
  if (running.standalone) {
    if (running.runtime !== launcher) copyWhole(running.runtime, launcher);
    return;
  }
  const from = dirname(running.program);
  if (basename(running.program) !== "gitvow.js") {
    throw new Failure(
      "gitvow runs from its sources, which hooks cannot do",
      "run `deno task build` and then `dist/gitvow install`",
    );
  }
  const runtime = `${lib}/${basename(running.runtime)}`;
  if (from !== lib) {
    for (const folder of ["parts", "parts/cli"]) {
      for (const part of files.list(`${from}/${folder}`).filter((name) => name.endsWith(".js"))) {
        copyWhole(`${from}/${folder}/${part}`, `${lib}/${folder}/${part}`);
      }
    }
    copyWhole(running.program, `${lib}/gitvow.js`);
    if (running.runtime !== runtime) copyWhole(running.runtime, runtime);
  }
  const text = launcherText(
    { runtime, program: `${lib}/gitvow.js`, cache: `${lib}/cache`, home },
    flags,
  );
  files.writeAtomic(launcher, new TextEncoder().encode(text), 0o755);
}
