/**
 * How the tests of the shell reader write down a reading: invocations as words joined by blanks,
 * `?` before what only the shell will know.
 */
import { loadParser } from "../../src/shell/parse.ts";
import { readShell } from "../../src/shell/read.ts";
import type { ReadContext, Reading, Word } from "../../src/shell/reading.ts";

export const CONTEXT: ReadContext = { cwd: "/home/dev/shop", home: "/home/dev" };

await loadParser();

/** A reading in the tests' own directory. */
export function read(source: string): Reading {
  return readShell(source, CONTEXT);
}

/** One word: as it is where plain, quoted where it is not, `?` in front where not known. */
function spell(word: Word): string {
  const text = /^[^\s'"|]+$/.test(word.text) ? word.text : JSON.stringify(word.text);
  return word.value === undefined ? `?${text}` : text;
}

/** Every invocation of a reading on its own line. */
export function argvs(reading: Reading): string[] {
  return reading.invocations.map((found) => {
    return [found.program, ...found.args].map(spell).join(" ");
  });
}

/** Every file use: `write /path`, `delete* /path` for whole trees, `?` for unknown ones. */
export function uses(reading: Reading): string[] {
  return reading.files.map((file) => {
    const path = file.resolved ??
      (file.path.value === undefined ? `?${file.path.text}` : `elsewhere ${file.path.text}`);
    return `${file.how}${file.recursive ? "*" : ""} ${path}`;
  });
}

/** The kinds of doubt in a reading, each once, in order. */
export function doubts(reading: Reading): string[] {
  return [...new Set(reading.doubts.map((doubt) => doubt.kind))];
}
