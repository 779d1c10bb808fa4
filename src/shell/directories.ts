/**
 * `cd`, `pushd`, `popd`: where the next commands run, as far as the text tells.
 */
import { isAbsolute, resolve } from "../system/paths.ts";
import type { Word } from "./reading.ts";
import type { Scope } from "./scope.ts";
import { BoundReached } from "./sink.ts";

const MAX_DIRECTORIES = 64;
const MAX_PATH = 8 * 1024;

/** Moves `scope` to the directory named by `word`; unknown words make it unknown. */
export function changeDirectory(word: Word | undefined, scope: Scope): void {
  const before = scope.cwd;
  scope.cwd = bounded(target(word, scope), scope);
  scope.previous = before;
  scope.version++;
}

/** `path`, where it is not too long and not one too many. Throws `BoundReached`. */
function bounded(path: string | undefined, scope: Scope): string | undefined {
  if (path === undefined) return undefined;
  if (path.length > MAX_PATH) {
    throw new BoundReached(`a path is longer than ${MAX_PATH} characters`);
  }
  const { visited } = scope.shared;
  visited.add(path);
  if (visited.size > MAX_DIRECTORIES) {
    throw new BoundReached(`more than ${MAX_DIRECTORIES} directories are entered`);
  }
  return path;
}

function target(word: Word | undefined, scope: Scope): string | undefined {
  if (scope.elsewhere !== undefined) return undefined;
  if (word === undefined) return scope.home;
  if (word.value === undefined || word.glob) return undefined;
  if (word.value === "-") return scope.previous;
  if (word.value === "") return scope.cwd;
  if (isAbsolute(word.value)) return resolve("/", word.value);
  return scope.cwd === undefined ? undefined : resolve(scope.cwd, word.value);
}

/** Runs a directory builtin on `scope`; false where `name` is none. */
export function directoryBuiltin(name: string, args: readonly Word[], scope: Scope): boolean {
  const operand = args.find((word) =>
    word.value === "-" || !/^-[LPe@n]+$/.test(word.text) &&
      word.value !== "--"
  );
  switch (name) {
    case "cd":
    case "chdir":
      changeDirectory(operand, scope);
      return true;
    case "pushd":
      scope.stack.push(scope.cwd);
      if (operand === undefined || /^[+-]\d/.test(operand.text)) scope.cwd = undefined;
      else changeDirectory(operand, scope);
      scope.version++;
      return true;
    case "popd":
      if (scope.stack.length > 0) scope.cwd = scope.stack.pop();
      else scope.cwd = undefined;
      scope.version++;
      return true;
    default:
      return false;
  }
}
