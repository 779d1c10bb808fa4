/**
 * What a `git push` without a branch pushes: the one that is checked out. It is read from the
 * repository's `HEAD`, so that a rule about pushing to `main` holds for the plain `git push` too.
 */
import { repositoriesOf } from "../policy/repository.ts";
import type { Invocation, Reading, Word } from "../shell/reading.ts";
import { resolve } from "../system/paths.ts";
import type { Files } from "../system/system.ts";
import { argumentsOf } from "./arguments.ts";

/** Bytes that a `HEAD` or a `.git` file may have. */
const LIMIT = 4096;

/** Flags of `git push` that say by themselves what is pushed. */
const EXPLICIT = new Set(["--all", "--branches", "--mirror", "--tags", "--delete", "-d"]);

/** The reading with the current branch as an operand of every push that names none. */
export function withPushedBranch(reading: Reading, files: Files): Reading {
  if (!reading.invocations.some(({ name }) => name === "git")) return reading;
  return {
    ...reading,
    invocations: reading.invocations.map((invocation) => named(invocation, files)),
  };
}

function named(invocation: Invocation, files: Files): Invocation {
  const { place } = invocation;
  if (invocation.name !== "git" || place.kind === "elsewhere" || place.cwd === undefined) {
    return invocation;
  }
  const { flags, positional } = argumentsOf(invocation);
  const verb = positional.findIndex((word) => word.text === "push");
  const operands = positional.slice(verb + 1);
  const refspecs = operands.slice(1);
  const names = refspecs.some((word) => word.text !== "HEAD" && word.text !== "@");
  if (verb < 0 || names || flags.some((flag) => EXPLICIT.has(flag.text))) return invocation;
  const branch = currentBranch(files, place.cwd);
  if (branch === undefined) return invocation;
  const at = (refspecs[0] ?? operands[0] ?? invocation.program).span;
  const word: Word = { text: branch, value: branch, glob: false, span: at };
  return { ...invocation, args: [...invocation.args, word] };
}

/** The branch checked out where `directory` lies; undefined outside a repository or off any branch. */
function currentBranch(files: Files, directory: string): string | undefined {
  const top = repositoriesOf(files, directory)[0];
  if (top === undefined) return undefined;
  const at = `${top === "/" ? "" : top}/.git`;
  // A worktree's `.git` is a file that says where its own folder is.
  const linked = firstLine(files, at)?.match(/^gitdir: (.+)$/)?.[1];
  const folder = linked === undefined ? at : resolve(top, linked);
  return firstLine(files, `${folder}/HEAD`)?.match(/^ref: refs\/heads\/(.+)$/)?.[1];
}

function firstLine(files: Files, path: string): string | undefined {
  const content = files.read(path, LIMIT);
  if (content.kind !== "read") return undefined;
  return new TextDecoder().decode(content.bytes).split("\n", 1)[0]?.trim();
}
