/**
 * Appends whole lines to a file that several processes write to.
 */
import { Failure, messageOf } from "../domain/failure.ts";

/** How long a line waits for the lock, in milliseconds; then it goes in without, in one write. */
const LOCK_WAIT_MS = 2000;

/** What the append does to an open file; `Deno.FsFile` has it all. */
export interface AppendTarget {
  writeSync(bytes: Uint8Array): number;
  truncateSync(length?: number): void;
  readSync(bytes: Uint8Array): number | null;
  seekSync(offset: number, whence: Deno.SeekMode): number;
  statSync(): { readonly size: number };
}

/**
 * Appends `line` and a line end to the file at `path`, made with `mode` where there is none, under
 * an exclusive lock. A line that does not fit whole leaves the file as it was, and throws; so does
 * anything at `path` that is not a plain file. A line torn by an earlier crash is ended first.
 */
export function appendLine(path: string, line: string, mode: number): void {
  const file = openPlain(path, mode);
  try {
    const locked = lock(file);
    writeWhole(file, line, locked);
  } finally {
    // Closing gives the lock back.
    file.close();
  }
}

/** Writes the line in one call, and takes back what a full disk has let through of it. */
export function writeWhole(file: AppendTarget, line: string, locked: boolean): void {
  const end = file.statSync().size;
  const start = end > 0 && lastByte(file) !== 0x0a ? "\n" : "";
  const bytes = new TextEncoder().encode(`${start}${line.replace(/[\r\n]+/g, " ")}\n`);
  let written = 0;
  let why = "the disk took only a part of it";
  try {
    written = file.writeSync(bytes);
  } catch (thrown) {
    why = messageOf(thrown);
  }
  if (written === bytes.length) return;
  // Without the lock another line may follow already, which must not be cut off.
  if (written > 0 && (locked || file.statSync().size === end + written)) file.truncateSync(end);
  throw new Failure(`Cannot write ${bytes.length} bytes: ${why}`, "Make room on the disk");
}

/** Opens a plain file for appending; a link, a directory or a device is refused. */
function openPlain(path: string, mode: number): Deno.FsFile {
  refuseOther(path, look(path));
  const file = Deno.openSync(path, { read: true, append: true, create: true, mode });
  try {
    // Looked at again, so that nothing was put in its place between the look and the open.
    const now = look(path);
    refuseOther(path, now);
    const opened = file.statSync();
    if (now === undefined || now.ino !== opened.ino || now.dev !== opened.dev) {
      throw new Failure(`Cannot append to "${path}": it was replaced while it was opened`);
    }
    return file;
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}

function look(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return undefined;
    throw thrown;
  }
}

function refuseOther(path: string, info: Deno.FileInfo | undefined): void {
  if (info === undefined || (info.isFile && !info.isSymlink)) return;
  const what = info.isSymlink ? "a symbolic link" : info.isDirectory ? "a directory" : "a device";
  throw new Failure(`Cannot append to "${path}": it is ${what}`, `Remove "${path}"`);
}

/** Takes the lock; false where it stays taken, or the file system has none, for too long. */
function lock(file: Deno.FsFile): boolean {
  const first = tryLock(file);
  if (first !== false) return first ?? false;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const until = performance.now() + LOCK_WAIT_MS;
  for (let wait = 1; performance.now() < until; wait = Math.min(wait * 2, 16)) {
    // Nobody wakes the cell: this sleeps, without a timer and without giving up the thread.
    Atomics.wait(cell, 0, 0, wait);
    const taken = tryLock(file);
    if (taken !== false) return taken ?? false;
  }
  return false;
}

/** True where the lock is taken, false where another has it, undefined where there are no locks. */
function tryLock(file: Deno.FsFile): boolean | undefined {
  try {
    return file.tryLockSync(true);
  } catch {
    return undefined;
  }
}

function lastByte(file: AppendTarget): number | undefined {
  file.seekSync(-1, Deno.SeekMode.End);
  const byte = new Uint8Array(1);
  return file.readSync(byte) === 1 ? byte[0] : undefined;
}
