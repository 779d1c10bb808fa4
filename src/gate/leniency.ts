/** What the layers together say about things their text does not tell. */
import type { Leniency, Policy } from "../policy/policy.ts";

const STRICTNESS: readonly Leniency[] = ["allow", "observe", "confirm", "deny"];

/** What holds where no layer says anything. */
const DEFAULTS = { indirectCommands: "observe", unreadCode: "confirm" } as const;

/**
 * The strictest setting of all layers. The user's layer counts with the default where it is silent,
 * so that a repository can tighten the setting and never loosen it.
 */
export function strictestLeniency(
  policy: Policy,
  key: "indirectCommands" | "unreadCode",
): Leniency {
  let strictest: Leniency | undefined;
  for (const layer of policy.layers) {
    const said: Leniency | undefined = layer[key] ??
      (layer.scope === "user" ? DEFAULTS[key] : undefined);
    if (said === undefined) continue;
    if (strictest === undefined || STRICTNESS.indexOf(said) > STRICTNESS.indexOf(strictest)) {
      strictest = said;
    }
  }
  return strictest ?? DEFAULTS[key];
}
