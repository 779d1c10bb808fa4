/** The classifier stage: puts what nothing else decided to the policy's classifiers. */
import type { Action, HookCall } from "../domain/call.ts";
import { unreachable } from "../domain/failure.ts";
import type { Finding } from "../domain/finding.ts";
import type { PolicyLayer } from "../policy/policy.ts";
import type { GateContext } from "./context.ts";

/** What the classifiers of all layers say; one that fails is a confirm and is reported. */
export async function classifierStage(call: HookCall, context: GateContext): Promise<Finding[]> {
  const asked = context.policy.layers.map((layer) => ask(layer, call, context));
  return (await Promise.all(asked)).flat();
}

async function ask(
  layer: PolicyLayer,
  call: HookCall,
  context: GateContext,
): Promise<Finding[]> {
  const { classifier } = layer;
  if (classifier === undefined) return [];
  const { classify } = await import("../providers/classify.ts");
  const { trustRefusal } = await import("../policy/trust.ts");
  const { finding, failure } = await classify({
    classifier,
    refusal: trustRefusal(context.system, layer),
    tool_name: call.payload.tool_name,
    tool_input: call.payload.tool_input,
    subject: subjectOf(context.actions[0], call),
    repo: layer.repo ?? context.repo,
    cwd: context.cwd,
    system: context.system,
    deadline: context.deadline,
  });
  if (failure !== undefined) {
    const name = classifier.command.trim().split(/\s/, 1)[0] ?? "";
    context.failures.push({ kind: "classifier_failed", name, cause: failure });
  }
  return finding === undefined ? [] : [finding];
}

/** What the call does, by its first action: `run ls`, `edit src/a.ts`, `use WebFetch`. */
function subjectOf(action: Action | undefined, call: HookCall): string {
  if (action === undefined) return `use ${call.payload.tool_name}`;
  switch (action.kind) {
    case "shell":
      return `run ${action.command}`;
    case "sql":
      return `query ${action.statements}`;
    case "write":
      return `edit ${action.path}`;
    case "read":
      return `read ${action.path}`;
    case "mcp":
    case "other":
    case "unclear":
      return `use ${action.tool}`;
    default:
      return unreachable(action);
  }
}
