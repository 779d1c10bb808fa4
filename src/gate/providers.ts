/** The provider stage: asks the policy's providers about the files that an edit writes. */
import type { HookCall } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import type { GateContext, HelperFailure } from "./context.ts";

/** What the providers have to say; those that fail are confirms and are reported as failures. */
export async function providerStage(call: HookCall, context: GateContext): Promise<Finding[]> {
  const { system, repo, deadline, speller } = context;
  const { layers } = context.policy;
  const edits = context.actions.flatMap((action) => {
    if (action.kind !== "write") return [];
    const { absolute, real, repositories } = speller.spell(action.path);
    return [{ absolute, real, repositories, changes: action.changes }];
  });
  if (edits.length === 0 || layers.every((layer) => layer.providers.length === 0)) return [];
  const { askAboutEdits } = await import("../providers/edits.ts");
  const { tool_name: tool, tool_input: input } = call.payload;
  const answers = await askAboutEdits({ edits, layers, tool, input, repo, system, deadline });
  for (const { provider, cause } of answers.failures) {
    const failure: HelperFailure = { kind: "provider_failed", name: provider, cause };
    if (!context.failures.some((known) => same(known, failure))) context.failures.push(failure);
  }
  return [...answers.findings];
}

function same(a: HelperFailure, b: HelperFailure): boolean {
  return a.kind === b.kind && a.name === b.name && a.cause === b.cause;
}
