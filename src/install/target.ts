/**
 * Which file an installation may write: inside the home or the repository, and nothing surprising.
 */

import { Failure } from "../domain/failure.ts";
import { isAbsolute, normalize, relativeTo } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import type { Scope } from "./spec.ts";

/** A settings file that may be written. */
export interface Target {
  /** The absolute path with links resolved: where the bytes go. */
  readonly path: string;
  readonly exists: boolean;
  /** Permission bits of the file, or for a new one; undefined where the system has none. */
  readonly mode: number | undefined;
  /** The directories on the way that do not exist yet, outermost first. */
  readonly missing: readonly string[];
}

/**
 * Finds the settings file `relative` under `root` (absolute). In user scope the person's own links
 * are followed; in repository scope nothing may lead outside, into `.git`, or onto anything but a
 * plain file with one name. Throws a Failure that names the file and the reason.
 */
export function checkTarget(
  system: System,
  scope: Scope,
  root: string,
  relative: string,
): Target {
  const refuse = (why: string, remedy = "") =>
    new Failure(`Cannot use the settings file ${JSON.stringify(relative)}: ${why}`, remedy);
  const parts = partsOf(relative, refuse);
  const base = system.files.realPath(root);
  if (base === undefined || !system.files.isDirectory(base)) {
    throw refuse(`there is no directory ${JSON.stringify(root)}`);
  }
  const stayInside = (path: string) => {
    if (scope === "user") return;
    const inside = relativeTo(base, path);
    const remedy = "Put a plain folder in the link's place";
    if (inside === undefined) {
      throw refuse(`it leads out of the repository, to ${quote(path)}`, remedy);
    }
    if (inside.split("/").some(isGitDirectory)) throw refuse("it leads into .git", remedy);
  };
  const missing: string[] = [];
  let directory = base;
  for (const part of parts.slice(0, -1)) {
    const next = join(directory, part);
    directory = missing.length > 0 ? next : system.files.realPath(next) ?? next;
    stayInside(directory);
    if (missing.length === 0 && system.files.isDirectory(directory)) continue;
    if (missing.length === 0 && system.files.lookAt(next) !== undefined) {
      throw refuse(`${quote(next)} is not a directory`, "Move it out of the way");
    }
    missing.push(directory);
  }
  const named = join(directory, parts.at(-1) ?? "");
  stayInside(named);
  const info = missing.length > 0 ? undefined : system.files.lookAt(named);
  if (info === undefined) {
    return { path: named, exists: false, mode: scope === "user" ? 0o600 : 0o644, missing };
  }
  if (info.kind === "symlink" && scope === "repository") {
    throw refuse("it is a link", "Put a plain file in its place");
  }
  const path = info.kind === "symlink" ? system.files.realPath(named) : named;
  if (path === undefined) {
    throw refuse(`${quote(named)} is a link to nothing`, "Remove the link, or make its target");
  }
  const file = system.files.lookAt(path);
  if (file?.kind !== "file") {
    throw refuse(`${quote(path)} is not a plain file`, "Move it out of the way");
  }
  if ((file.links ?? 1) > 1) {
    throw refuse(
      `${quote(path)} has ${file.links} names, and writing it would part them`,
      "Copy the file to itself under a new name, and move that over it",
    );
  }
  return { path, exists: true, mode: file.mode, missing };
}

/** The parts of a relative path that stays below where it starts. */
function partsOf(relative: string, refuse: (why: string) => Failure): string[] {
  if (relative === "" || /\p{Cc}/u.test(relative)) throw refuse("it is no file name");
  if (isAbsolute(relative) || /^~|[\\]|^[A-Za-z]:/.test(relative)) {
    throw refuse("the path must be relative, and written with /");
  }
  if (relative.split("/").includes("..")) throw refuse("the path must not hold ..");
  const parts = normalize(relative).split("/");
  if (relative.endsWith("/") || parts[0] === ".") throw refuse("it is no file name");
  return parts;
}

/** True for `.git` in every spelling that some file system takes for it. */
function isGitDirectory(part: string): boolean {
  return /^(?:\.git|git~1)[ .]*(?::.*)?$/i.test(part.replace(/\p{Cf}/gu, ""));
}

function join(directory: string, name: string): string {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

function quote(path: string): string {
  return JSON.stringify(path);
}
