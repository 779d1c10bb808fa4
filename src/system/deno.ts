/** The real world: `System` on Deno's own APIs, synchronous where the hook would only wait anyway. */
import { appendLine } from "./append.ts";
import { basename, dirname, slashed } from "./paths.ts";
import type { FileInfo, FileRead, Files, Os, System } from "./system.ts";

function currentOs(): Os {
  return Deno.build.os === "windows" || Deno.build.os === "darwin" ? Deno.build.os : "linux";
}

function describe(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.IsADirectory) return "it is a directory";
  if (error instanceof Deno.errors.NotADirectory) return "a folder on the way to it is a file";
  if (error instanceof Deno.errors.FilesystemLoop) return "its links form a loop";
  return (error instanceof Error ? error.message : String(error)).replace(
    /\s*\(os error \d+\).*/s,
    "",
  );
}

/** What `path` names, a final link not followed; undefined where nothing is there. */
function lookAt(path: string): FileInfo | undefined {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch {
    return undefined;
  }
  return {
    kind: info.isSymlink
      ? "symlink"
      : info.isFile
      ? "file"
      : info.isDirectory
      ? "directory"
      : "other",
    size: info.size,
    mode: info.mode === null ? undefined : info.mode & 0o7777,
    links: info.nlink ?? undefined,
  };
}

/** Reads to the end or one byte past `limit`, whichever comes first. */
function readBounded(file: Deno.FsFile, limit: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let total = 0;
  let buffer = new Uint8Array(16 * 1024);
  while (total <= limit) {
    const count = file.readSync(buffer);
    if (count === null) break;
    chunks.push(buffer.subarray(0, count));
    total += count;
    buffer = new Uint8Array(count === buffer.length ? buffer.length * 2 : buffer.length);
  }
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const all = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function linkToNothing(path: string): FileRead | undefined {
  if (lookAt(path)?.kind !== "symlink" || files.realPath(path) !== undefined) return undefined;
  return { kind: "unreadable", why: `${basename(path)} is a link to nothing` };
}

function read(path: string, limit: number): FileRead {
  let file: Deno.FsFile;
  try {
    // Looked at first: opening a named pipe would wait for a writer that may never come.
    const info = Deno.statSync(path);
    if (!info.isFile) {
      const what = info.isDirectory ? "it is a directory" : "it is not a plain file";
      return { kind: "unreadable", why: what };
    }
    file = Deno.openSync(path, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      return linkToNothing(path) ?? linkToNothing(dirname(path)) ?? { kind: "missing" };
    }
    return { kind: "unreadable", why: describe(error) };
  }
  try {
    const bytes = readBounded(file, limit);
    return bytes.length > limit
      ? { kind: "unreadable", why: `it is larger than ${limit} bytes` }
      : { kind: "read", bytes };
  } catch (error) {
    return { kind: "unreadable", why: describe(error) };
  } finally {
    file.close();
  }
}

/** Writes beside the target, flushes, and renames, so that a crash leaves the old or the new file. */
function writeAtomic(path: string, bytes: Uint8Array, mode: number): void {
  const suffix = [...crypto.getRandomValues(new Uint8Array(6))].map((b) => b.toString(36)).join("");
  const temporary = `${dirname(path)}/.${basename(path)}.${suffix}.tmp`;
  const file = Deno.openSync(temporary, { write: true, createNew: true, mode });
  try {
    try {
      let written = 0;
      while (written < bytes.length) written += file.writeSync(bytes.subarray(written));
      file.syncDataSync();
    } finally {
      file.close();
    }
    if (Deno.build.os !== "windows") Deno.chmodSync(temporary, mode);
    Deno.renameSync(temporary, path);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch { /* the first error is the one to tell */ }
    throw error;
  }
}

const files: Files = {
  read,
  lookAt,
  isDirectory(path) {
    try {
      return Deno.statSync(path).isDirectory;
    } catch {
      return false;
    }
  },
  realPath(path) {
    try {
      return slashed(Deno.realPathSync(path), Deno.build.os);
    } catch {
      return undefined;
    }
  },
  readLink(path) {
    try {
      return slashed(Deno.readLinkSync(path), Deno.build.os);
    } catch {
      return undefined;
    }
  },
  list(path) {
    try {
      return [...Deno.readDirSync(path)].map((entry) => entry.name).sort();
    } catch {
      return [];
    }
  },
  makeDirectory(path, mode) {
    Deno.mkdirSync(path, { recursive: true, mode });
  },
  writeAtomic,
  appendLine,
  remove(path) {
    try {
      Deno.removeSync(path);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  },
  temporaryDirectory(prefix) {
    return slashed(Deno.realPathSync(Deno.makeTempDirSync({ prefix })), Deno.build.os);
  },
  removeTree(path) {
    try {
      Deno.removeSync(path, { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  },
};

/** The `System` of this process. Reads the environment once; holds no other state. */
export function denoSystem(): System {
  const os = currentOs();
  const home = Deno.env.get(os === "windows" ? "USERPROFILE" : "HOME");
  return {
    os,
    home: home === undefined || home === "" ? undefined : slashed(home, os),
    files,
    env: (name) => Deno.env.get(name),
    cwd() {
      try {
        return slashed(Deno.cwd(), os);
      } catch {
        return undefined;
      }
    },
    now: () => Date.now(),
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    // Loaded when first used: most hooks start no process.
    run: async (request) => (await import("./run.ts")).run(request),
  };
}
