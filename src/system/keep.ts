/** Keeps program files where no cache clean-up reaches them. */
import { basename } from "./paths.ts";

/** Folders that package managers and operating systems feel free to empty. */
const CACHED = /\/(?:node_modules|_npx|\.npm|\.?[Cc]aches?|tmp|temp)(?:\/|$)/;

/** Hard-links `from` to `to`, or copies it where the file system cannot; replaces what is there. */
export function linkOrCopy(from: string, to: string): void {
  // Renaming one name of a file over another of the same file does nothing and leaves both.
  if (sameFile(from, to)) return;
  const fresh = `${to}.new`;
  try {
    Deno.removeSync(fresh);
  } catch { /* there was none */ }
  try {
    Deno.linkSync(from, fresh);
  } catch {
    Deno.copyFileSync(from, fresh);
  }
  Deno.renameSync(fresh, to);
}

/**
 * Copies `from` to `to`, replacing what is there whole. Never a hard link: writing to `from` later,
 * as a build or an agent may, must leave the copy as it is.
 */
export function copyWhole(from: string, to: string): void {
  const fresh = `${to}.new`;
  try {
    Deno.removeSync(fresh);
  } catch { /* there was none */ }
  Deno.copyFileSync(from, fresh);
  Deno.renameSync(fresh, to);
}

/** True where `b` is no link and the same file on disk as `a`. */
function sameFile(a: string, b: string): boolean {
  try {
    const [left, right] = [Deno.statSync(a), Deno.lstatSync(b)];
    return left.ino !== null && left.ino === right.ino && left.dev === right.dev;
  } catch {
    return false;
  }
}

/**
 * A path of the runtime that stays: the one given, or where that lies in a cache a hard link or
 * copy of it in `folder`.
 */
export function keepRuntime(runtime: string, folder: string): string {
  const real = Deno.realPathSync(runtime);
  if (!CACHED.test(real)) return real;
  const kept = `${folder}/${basename(real)}`;
  linkOrCopy(real, kept);
  return kept;
}
