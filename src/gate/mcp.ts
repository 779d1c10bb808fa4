/** The MCP stage: `mcp_deny` and `mcp_allow` on whole tool names `mcp__server__tool`. */
import type { HookCall } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import { search } from "../policy/pattern.ts";
import type { McpRule } from "../policy/policy.ts";
import type { GateContext } from "./context.ts";
import { sourceOf, timedOut } from "./findings.ts";

/** A finding per layer that denies the tool, or whose allow list does not hold it. */
export async function mcpStage(_call: HookCall, context: GateContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const action of context.actions) {
    if (action.kind !== "mcp") continue;
    const subject = `call ${action.tool}`;
    for (const layer of context.policy.layers) {
      for (const rule of layer.mcpDeny) {
        const hit = await holds(rule, action.tool);
        if (hit === "timeout") findings.push(timedOut(rule.origin, subject));
        if (hit !== "match") continue;
        findings.push({
          outcome: "deny",
          subject,
          reason: `the MCP tool ${action.tool} is denied`,
          evidence: [],
          source: sourceOf(rule.origin),
        });
      }
      if (layer.mcpAllow.length === 0) continue;
      const hits = [];
      for (const rule of layer.mcpAllow) hits.push(await holds(rule, action.tool));
      if (hits.includes("match")) continue;
      findings.push({
        outcome: "confirm",
        subject,
        reason: "the MCP tool is not on the allow list",
        evidence: [],
        source: `mcp_allow in ${layer.file}`,
      });
    }
  }
  return findings;
}

async function holds(rule: McpRule, tool: string): Promise<"match" | "none" | "timeout"> {
  return (await search(rule.pattern, tool)).kind;
}
