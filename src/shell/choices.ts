/**
 * Reading one piece of text once for each value that the variables in it may hold.
 */
import type { Frame } from "./frame.ts";
import type { Value } from "./scope.ts";

const MAX_CHOICES = 64;

/**
 * Calls `read` once for each combination of the values that the variables named in `text` may
 * hold. What `read` sets is gathered: afterwards those variables may hold any of it.
 */
export function overChoices(frame: Frame, text: string, read: (frame: Frame) => void): void {
  const names = frame.scope.ambiguous(text);
  if (names.length === 0) return read(frame);
  let choices: Value[][] = [[]];
  for (const name of names) {
    const values = frame.scope.vars.get(name)?.values ?? [];
    choices = choices.length * values.length > MAX_CHOICES
      ? choices.map((chosen) => [...chosen, undefined])
      : choices.flatMap((chosen) => values.map((value) => [...chosen, value]));
  }
  const before = frame.scope.fork();
  let result: Frame["scope"] | undefined;
  for (const chosen of choices) {
    const scope = before.fork();
    names.forEach((name, i) => scope.vars.set(name, { values: [chosen[i]], list: undefined }));
    const version = scope.version;
    read({ ...frame, scope });
    if (scope.version === version && scope.cwd === before.cwd) continue;
    if (result === undefined) result = scope;
    else result.join(scope);
  }
  if (result === undefined) return;
  for (const name of names) {
    const chosen = new Set(choices.map((choice) => choice[names.indexOf(name)]));
    const now = result.vars.get(name);
    const untouched = now?.values.every((value) => chosen.has(value)) === true;
    const bound = before.vars.get(name);
    if (untouched && bound !== undefined) result.vars.set(name, bound);
  }
  frame.scope.become(result);
}
