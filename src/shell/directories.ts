/**
 * `cd`, `pushd`, `popd`: where the next commands run, as far as the text tells.
 */
import { isAbsolute, resolve } from "../system/paths.ts";
import type { Word } from "./reading.ts";
import type { Scope } from "./scope.ts";

/** Moves `scope` to the directory named by `word`; unknown words make it unknown. */
export function changeDirectory(word: Word | undefined, scope: Scope): void {
  const before = scope.cwd;
  scope.cwd = target(word, scope);
  scope.previous = before;
  scope.version++;
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
