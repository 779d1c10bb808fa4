/** The packaged default policy, as text: what `install` writes where there is none. */
import policy from "./default_policy.json" with { type: "text" };

/** The default policy file's text, byte for byte. */
export const DEFAULT_POLICY: string = policy;
