/** Which repositories hold a directory: found by walking up to `.git`, without running git. */
import { dirname } from "../system/paths.ts";
import type { Files } from "../system/system.ts";

/**
 * Top levels of the repositories that hold `directory`, innermost first.
 *
 * All of them, not only the nearest: a repository made inside another (`git init` in a subfolder)
 * does not escape the outer one's policy. Links on the way are followed, so that a linked folder
 * belongs to the repository it really stands in as well as to the one it is reached through.
 */
export function repositoriesOf(files: Files, directory: string): string[] {
  const found: string[] = [];
  const real = files.realPath(directory);
  for (const start of real === undefined || real === directory ? [directory] : [real, directory]) {
    for (let at = start;; at = dirname(at)) {
      if (!found.includes(at) && isRepository(files, at)) found.push(at);
      if (dirname(at) === at) break;
    }
  }
  return found;
}

/** True where `directory` is the top level of a repository: it holds a `.git` of whatever kind. */
export function isRepository(files: Files, directory: string): boolean {
  return files.lookAt(directory === "/" ? "/.git" : `${directory}/.git`) !== undefined;
}
