/**
 * The world as gitvow sees it: files, environment, clock, chance, child processes.
 *
 * Everything else takes a `System` as an argument, so that what a function can touch is in its
 * signature. `deno.ts` is the real one.
 */

/** Operating systems gitvow tells apart. */
export type Os = "linux" | "darwin" | "windows";

/** What reading a file gave; never thrown. `unreadable` carries why, for a person. */
export type FileRead =
  | { readonly kind: "read"; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string };

/** What a path names, without following a final link. */
export interface FileInfo {
  readonly kind: "file" | "directory" | "symlink" | "other";
  readonly size: number;
  /** Permission bits, undefined where the file system has none. */
  readonly mode: number | undefined;
  /** Number of hard links, undefined where unknown. */
  readonly links: number | undefined;
}

/** The file system. Paths are absolute. Writing functions throw the runtime's own errors. */
export interface Files {
  /** Reads a whole file of at most `limit` bytes. A dangling link is unreadable, not missing. */
  read(path: string, limit: number): FileRead;
  /** What stands at `path` (a final link is not followed), or undefined where nothing does. */
  lookAt(path: string): FileInfo | undefined;
  /** True where `path`, links followed, is a directory. */
  isDirectory(path: string): boolean;
  /** The path with every link resolved, or undefined where it does not exist. */
  realPath(path: string): string | undefined;
  /** Where a symbolic link points, as written in it; undefined where `path` is no link. */
  readLink(path: string): string | undefined;
  /** Names in a directory, sorted; empty where there is no such directory. */
  list(path: string): string[];
  /** Makes a directory and its parents; new ones get `mode`. */
  makeDirectory(path: string, mode: number): void;
  /** Replaces `path` whole: temporary file beside it, flush, rename. A crash leaves old or new. */
  writeAtomic(path: string, bytes: Uint8Array, mode: number): void;
  /**
   * Appends one whole line under an exclusive lock; a line that cannot be written whole leaves the
   * file as it was. New files get `mode`.
   */
  appendLine(path: string, line: string, mode: number): void;
  /** Removes a file; false where it was not there, so exactly one of two removers gets true. */
  remove(path: string): boolean;
  /** Makes a directory that only this user can enter, and gives its path with links resolved. */
  temporaryDirectory(prefix: string): string;
  /** Removes a directory with everything in it, links not followed; nothing there is no error. */
  removeTree(path: string): void;
}

/** One child process to run, without a shell. */
export interface RunRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Written to the child's standard input, which the child need not read. */
  readonly stdin: string;
  readonly timeoutMs: number;
  /** Bytes of standard output past which the run counts as failed. */
  readonly stdoutLimit: number;
  /** The child's whole environment; the one of this process is inherited where it is left out. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a child process ended; never thrown. `ms` is its wall time in milliseconds. */
export type RunOutcome =
  | {
    readonly kind: "exited";
    readonly code: number;
    readonly stdout: Uint8Array;
    readonly stderr: string;
    readonly ms: number;
  }
  | {
    readonly kind: "killed";
    readonly signal: string;
    readonly stderr: string;
    readonly ms: number;
  }
  | { readonly kind: "timed out"; readonly ms: number; readonly stderr: string }
  | { readonly kind: "too much output"; readonly limit: number; readonly ms: number }
  | { readonly kind: "not started"; readonly why: string };

/** The world. */
export interface System {
  readonly os: Os;
  /** The user's home directory, absolute, or undefined where it is not set. */
  readonly home: string | undefined;
  readonly files: Files;
  /** An environment variable on the permission list (see `main.ts`). */
  env(name: string): string | undefined;
  /** The process's working directory, or undefined where it no longer exists. */
  cwd(): string | undefined;
  /** The time, in milliseconds since 1970 UTC. */
  now(): number;
  /** Random bytes fit for codes and names. */
  random(count: number): Uint8Array;
  run(request: RunRequest): Promise<RunOutcome>;
}
