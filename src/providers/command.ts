/**
 * The command of a provider or classifier: its text split as a POSIX shell would split it, and its
 * program found, without a shell and without expansion.
 */
import { Failure } from "../domain/failure.ts";
import { isAbsolute, resolve } from "../system/paths.ts";
import type { System } from "../system/system.ts";

/** A command ready to be run: the program's absolute path and its arguments. */
export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
}

const BLANK = /[ \t\r\n]/;

function unfinished(text: string, what: string): Failure {
  return new Failure(
    `Cannot split the command ${JSON.stringify(text)}: ${what}`,
    "close the quote, or write a literal quote or backslash with a backslash before it",
  );
}

/**
 * Splits a command into words as a POSIX shell would: quotes, backslashes, continued lines and
 * comments mean what they mean there; `$`, `*`, `~`, `|` and their like stand for themselves.
 * Throws a `Failure` for an open quote or a lone backslash at the end.
 */
export function splitCommand(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) throw unfinished(text, "a single quote is never closed");
      word = (word ?? "") + text.slice(at + 1, end);
      at = end;
    } else if (char === '"') {
      const quoted = readDoubleQuoted(text, at + 1);
      if (quoted === undefined) throw unfinished(text, "a double quote is never closed");
      word = (word ?? "") + quoted.value;
      at = quoted.end;
    } else if (char === "\\") {
      at++;
      if (at === text.length) throw unfinished(text, "it ends in a lone backslash");
      if (text.charAt(at) !== "\n") word = (word ?? "") + text.charAt(at);
    } else if (BLANK.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "#" && word === undefined) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    } else {
      word = (word ?? "") + char;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** The value of a double-quoted part that begins at `start`, and where its closing quote stands. */
function readDoubleQuoted(text: string, start: number): { value: string; end: number } | undefined {
  let value = "";
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return { value, end: at };
    if (char !== "\\") {
      value += char;
      continue;
    }
    at++;
    const next = text.charAt(at);
    if (next === "\n") continue;
    value += '$`"\\'.includes(next) ? next : `\\${next}`;
  }
  return undefined;
}

/**
 * Reads a command: splits it, and finds its program. A relative path is taken from `base` (the
 * repository's top level), a bare name is looked up in the absolute directories of PATH. Throws a
 * `Failure` where the text cannot be split or is empty, or the name is not found.
 */
export function readCommand(text: string, base: string | undefined, system: System): CommandLine {
  const [program, ...args] = splitCommand(text);
  if (program === undefined || program === "") {
    throw new Failure(`The command ${JSON.stringify(text)} names no program`);
  }
  if (isPath(program, system)) return { program: fromBase(program, base), args };
  const found = onPath(program, system);
  if (found === undefined) throw new Failure(`There is no program "${program}" on PATH`);
  return { program: found, args };
}

function isPath(program: string, system: System): boolean {
  return program.includes("/") || (system.os === "windows" && program.includes("\\"));
}

function fromBase(program: string, base: string | undefined): string {
  if (isAbsolute(program)) return program;
  if (base !== undefined) return resolve(base, program);
  throw new Failure(
    `The program "${program}" is a relative path, and there is no repository to take it from`,
    "write an absolute path",
  );
}

/** The first file of this name with an execute bit in PATH; on Windows also with `.exe`. */
function onPath(name: string, system: System): string | undefined {
  const windows = system.os === "windows";
  const names = windows && !/\.[a-z]+$/i.test(name) ? [`${name}.exe`] : [name];
  for (const written of (system.env("PATH") ?? "").split(windows ? ";" : ":")) {
    const directory = windows ? written.replaceAll("\\", "/") : written;
    if (!isAbsolute(directory)) continue;
    for (const candidate of names) {
      const path = resolve(directory, candidate);
      if (isRunnable(path, system)) return path;
    }
  }
  return undefined;
}

function isRunnable(path: string, system: System): boolean {
  const real = system.files.realPath(path);
  const info = real === undefined ? undefined : system.files.lookAt(real);
  if (info?.kind !== "file") return false;
  return system.os === "windows" || ((info.mode ?? 0) & 0o111) !== 0;
}
