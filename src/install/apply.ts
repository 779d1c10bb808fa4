/**
 * Carries out a plan: settings file, directories and ledger, in an order that survives a crash at
 * any moment.
 */

import { Failure, messageOf } from "../domain/failure.ts";
import { dirname } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import { writeRecord } from "./ledger.ts";
import { type Plan, readText, refusal } from "./plan.ts";

/**
 * Writes what the plan says. The file is replaced whole or not at all, and the ledger knows the
 * new text before it stands there. Throws a Failure where the file changed since it was planned or
 * cannot be written.
 */
export function applyPlan(system: System, plan: Plan): void {
  const verb = plan.after === undefined ? "remove" : "write";
  try {
    if (plan.changed) change(system, plan, verb);
    if (plan.after === undefined) removeDirectories(system, plan.recorded?.directories ?? []);
    if (plan.changed || plan.record !== plan.recorded) {
      writeRecord(system, plan.path, plan.record);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw refusal(system, plan.path, verb, messageOf(error), "", { cause: error });
  }
}

function change(system: System, plan: Plan, verb: string): void {
  if (readText(system, plan.target, verb) !== plan.before) {
    throw refusal(system, plan.path, verb, "it has just been changed", "Try again");
  }
  if (plan.record !== undefined) {
    // Either text may be found after a crash, so the ledger holds both until the new one stands.
    const states = [...plan.record.states, ...plan.recorded?.states ?? []];
    writeRecord(system, plan.path, { ...plan.record, states: states.slice(0, 2) });
  }
  if (plan.after === undefined) {
    system.files.remove(plan.path);
    return;
  }
  const directoryMode = plan.scope === "user" ? 0o700 : 0o755;
  system.files.makeDirectory(dirname(plan.path), directoryMode);
  const bytes = new TextEncoder().encode(plan.after);
  system.files.writeAtomic(plan.path, bytes, plan.target.mode ?? 0o644);
}

/** Removes the directories that install made, innermost first, as far as they are empty. */
function removeDirectories(system: System, directories: readonly string[]): void {
  for (const directory of [...directories].reverse()) {
    if (!system.files.isDirectory(directory)) continue;
    if (system.files.list(directory).length > 0) return;
    system.files.remove(directory);
  }
}
