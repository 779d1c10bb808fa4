/** The folders that commands need: a home that exists, and none of gitvow's own behind a file. */
import { Failure } from "../domain/failure.ts";
import { homeOf } from "../gate/prepare.ts";
import { tildify } from "../system/paths.ts";
import type { System } from "../system/system.ts";

/** The home. Throws a `Failure` where it is not set, or is no directory that exists. */
export function existingHome(system: System): string {
  const home = homeOf(system);
  if (system.files.isDirectory(home)) return home;
  throw new Failure(
    `The home directory "${home}" does not exist`,
    "set HOME to your home directory",
  );
}

/** True where something other than a directory stands at `path`. */
export function isInTheWay(system: System, path: string): boolean {
  return system.files.lookAt(path) !== undefined && !system.files.isDirectory(path);
}

/** Throws a `Failure` where a file stands at one of the paths that gitvow keeps a folder at. */
export function needFolders(system: System, ...paths: readonly string[]): void {
  for (const path of paths) {
    if (!isInTheWay(system, path)) continue;
    const shown = tildify(path, system.home);
    throw new Failure(
      `"${shown}" is a file, and gitvow keeps a folder of that name`,
      `move it out of the way: mv ${shown} ${shown}.old`,
    );
  }
}
