/** Judges the calls of one payload before a tool runs: gate, approvals, record, answer. */
import type { Agent, Exchange, HookResponse } from "../../agents/agent.ts";
import type { HookCall } from "../../domain/call.ts";
import { decide, type Decision, type Finding, type Verdict } from "../../domain/finding.ts";
import type { Failure } from "../../domain/failure.ts";
import { describeAction } from "../../gate/actions.ts";
import type { GateContext } from "../../gate/context.ts";
import { gate } from "../../gate/gate.ts";
import { verdictOn } from "../../gate/message.ts";
import { prepare } from "../../gate/prepare.ts";
import type { CallIdentity } from "../../record/fingerprints.ts";
import { record } from "../../record/journal.ts";
import { programFiles } from "../../system/process.ts";
import type { System } from "../../system/system.ts";
import { callEntry } from "./note.ts";

/** One payload to judge. */
export interface JudgeJob {
  readonly agent: Agent;
  readonly exchange: Exchange;
  readonly system: System;
  /** When the process began to work, on the performance clock. */
  readonly started: number;
  /** Milliseconds the whole hook may take. */
  readonly deadlineMs: number;
}

/** Judges every call, records each, and renders the strictest verdict once. */
export async function judgeCalls(
  calls: readonly HookCall[],
  job: JudgeJob,
): Promise<HookResponse> {
  const identity = identityOf(calls, job);
  const findings: Finding[] = [];
  const problems = new Set<string>();
  for (const call of calls) {
    const context = await prepare(call, {
      system: job.system,
      executables: programFiles(),
      deadline: job.system.now() + job.deadlineMs - (performance.now() - job.started),
    });
    const decision = await withApprovals(await gate(call, context), identity, job);
    findings.push(...decision.findings);
    for (const problem of keep(call, context, decision, job)) problems.add(problem.message);
  }
  const decision = decide(findings);
  const response = await job.agent.respond(await verdict(decision, identity, job), job.exchange);
  const said = [...problems].map((problem) => `gitvow: ${problem}\n`).join("");
  return { ...response, stderr: response.stderr + said };
}

/** The decision with approved confirmations taken as observations. */
async function withApprovals(
  decision: Decision,
  identity: CallIdentity,
  job: JudgeJob,
): Promise<Decision> {
  if (decision.outcome !== "confirm") return decision;
  const { consume } = await import("../../record/approvals.ts");
  const { remaining, approved } = await consume(job.system, {
    call: identity,
    findings: decision.findings,
  });
  const passed = approved.map((finding): Finding => ({
    ...finding,
    outcome: "observe",
    evidence: [...finding.evidence, "approved by a person"],
  }));
  return decide([...remaining, ...passed]);
}

/** What an approval is for: the payload's whole input, even where it holds several calls. */
function identityOf(calls: readonly HookCall[], job: JudgeJob): CallIdentity {
  const payload = calls[0]?.payload;
  return {
    agent: job.agent.name,
    session: payload?.session_id ?? "",
    tool: payload?.tool_name ?? "",
    input: { calls: calls.map((call) => call.payload.tool_input) },
    cwd: payload?.cwd ?? "",
  };
}

/** The verdict; where the agent has no question of its own, with a code a person can approve. */
async function verdict(
  decision: Decision,
  identity: CallIdentity,
  job: JudgeJob,
): Promise<Verdict> {
  if (decision.outcome !== "confirm" || job.agent.asks(job.exchange)) {
    return verdictOn(decision);
  }
  const { offer } = await import("../../record/approvals.ts");
  try {
    const code = await offer(job.system, {
      call: identity,
      findings: decision.findings.filter((finding) => finding.outcome === "confirm"),
    });
    return verdictOn(decision, code);
  } catch {
    // Without a place to keep the code nobody can approve; the block stands all the same.
    return verdictOn(decision);
  }
}

/** Records the call and the helpers that failed it; returns what could not be recorded. */
function keep(
  call: HookCall,
  context: GateContext,
  decision: Decision,
  job: JudgeJob,
): Failure[] {
  const first = context.actions[0];
  const entry = callEntry("tool_call", call, {
    agent: job.agent,
    system: job.system,
    started: job.started,
  });
  const entries = [
    ...context.failures.map((failure) => ({
      ...entry,
      kind: failure.kind,
      outcome: "confirm" as const,
      detail: `${failure.name}: ${failure.cause}`,
    })),
    {
      ...entry,
      outcome: decision.outcome,
      findings: decision.findings,
      detail: first === undefined ? "" : describeAction(first),
      repo: context.repo ?? "",
    },
  ];
  return entries.map((one) => record(job.system, one)).filter((problem) => problem !== undefined);
}
