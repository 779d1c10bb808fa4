/** The packaged default policy, as text: what `install` writes where there is none. */
import policy from "./default_policy.json" with { type: "json" };

/** The default policy file's text. */
export const DEFAULT_POLICY = `${JSON.stringify(policy, null, 2)}\n`;
