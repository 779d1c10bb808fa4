/**
 * Takes secrets out of text before it is kept: each becomes `[redacted:<kind>]`, the rest stays
 * readable.
 *
 * The patterns are our own: of the sets on npm, the kept ones know provider tokens but neither
 * `mysql -pX` nor `PASSWORD=x`, and the best of them takes 53 ms to load, more than the whole hook.
 */
import { ASSIGNMENT_RULES } from "./assignments.ts";
import { FLAG_RULES } from "./flags.ts";
import { KEY_BLOCK_RULES } from "./keyblocks.ts";
import { EMAIL_RULES, PLACE_RULES } from "./places.ts";
import type { SecretRule } from "./secret.ts";
import { TOKEN_RULES } from "./tokens.ts";

/** Every rule, in the order in which they run: the surest first, so that its kind is the one shown. */
export const SECRET_RULES: readonly SecretRule[] = [
  ...KEY_BLOCK_RULES,
  ...TOKEN_RULES,
  ...PLACE_RULES,
  ...FLAG_RULES,
  ...ASSIGNMENT_RULES,
  ...EMAIL_RULES,
];

/** Passes after which a text is taken as clean; two are enough for all but glued secrets. */
const PASSES = 8;

/** Texts too plain to hold a secret, such as names of tools and events. */
const PLAIN = /^\w{0,15}$/;

/** `text` with every secret replaced. Never throws; a redacted text comes back as it is. */
export function redact(text: string): string {
  if (PLAIN.test(text)) return text;
  let before = text;
  // A marker parts what stood together, so that a secret behind another shows in the next pass.
  for (let pass = 0; pass < PASSES; pass++) {
    const after = onePass(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

function onePass(text: string): string {
  const lower = text.toLowerCase();
  let out = text;
  for (const rule of SECRET_RULES) {
    if (rule.hints.some((hint) => lower.includes(hint))) out = rule.hide(out);
  }
  return out;
}
