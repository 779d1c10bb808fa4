/** The gate: runs the stages in order over one call and adds their findings up. */
import type { HookCall } from "../domain/call.ts";
import { decide, type Decision, type Finding } from "../domain/finding.ts";
import { classifierStage } from "./classifier.ts";
import { confirmStage, denyStage } from "./commands.ts";
import type { GateContext, Stage } from "./context.ts";
import { doubtStage } from "./doubts.ts";
import { guardStage } from "./guard.ts";
import { mcpStage } from "./mcp.ts";
import { pathStage } from "./paths.ts";
import { providerStage } from "./providers.ts";

/** Stages that look at nothing but the call, the policy and the paths named. */
const PURE_STAGES: readonly Stage[] = [
  guardStage,
  denyStage,
  confirmStage,
  doubtStage,
  pathStage,
  mcpStage,
];

/**
 * Decides one PreToolUse call. Providers are asked only where nothing denies, the classifier only
 * where nothing decided (an observation decides nothing, so adding one does not dodge it).
 */
export async function gate(call: HookCall, context: GateContext): Promise<Decision> {
  const findings: Finding[] = [];
  for (const stage of PURE_STAGES) findings.push(...await stage(call, context));
  if (decide(findings).outcome !== "deny") findings.push(...await providerStage(call, context));
  if (decide(findings).outcome === "allow") findings.push(...await classifierStage(call, context));
  return decide(distinct(findings));
}

/** Findings without repetitions: several layers and spellings may say the same thing. */
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const key = JSON.stringify([finding.outcome, finding.subject, finding.reason, finding.source]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
