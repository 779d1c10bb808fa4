/** Calls and findings for the approval tests. */
import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import type { Finding } from "../../src/domain/finding.ts";
import { approve, consume, type Judged, offer } from "../../src/record/approvals.ts";
import type { System } from "../../src/system/system.ts";

export const MINUTE = 60_000;

export const CONFIRM: Finding = {
  outcome: "confirm",
  subject: "run terraform apply",
  reason: "Changes what runs in production",
  evidence: ["terraform apply"],
  source: "rule bash_confirm[3] in ~/.gitvow/policy.json",
};
export const SECOND: Finding = { ...CONFIRM, subject: "edit ci.yml" };
export const DENY: Finding = { ...CONFIRM, outcome: "deny", subject: "run rm -rf /" };
export const OBSERVE: Finding = { ...CONFIRM, outcome: "observe", subject: "run make" };

export const CALL: Judged["call"] = {
  agent: "codex",
  session: "s1",
  tool: "shell",
  input: { command: "terraform apply", options: { a: 1, b: [true, null] } },
  cwd: "/srv/app",
};

/** A call, changed as said, with findings. */
export function judged(
  changes: Partial<Judged["call"]> = {},
  findings: Finding[] = [CONFIRM],
): Judged {
  return { call: { ...CALL, ...changes }, findings };
}

/** Offers a call and approves it. */
export async function approveOnce(system: System, what: Judged, session = false): Promise<void> {
  const result = await approve(system, await offer(system, what), { session });
  assert.ok(!(result instanceof Failure), result instanceof Failure ? result.message : "");
}

/** True where nothing stops the call any more. */
export async function passes(system: System, what: Judged): Promise<boolean> {
  const { remaining } = await consume(system, what);
  return remaining.every(({ outcome }) => outcome === "observe");
}
