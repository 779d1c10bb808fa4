/**
 * What the gate has to say about a call: findings add up to a decision, and the strictest wins.
 */

/** How strict a finding is: `observe` is only recorded. */
export type Outcome = "observe" | "confirm" | "deny";

/** One thing a rule, a provider, the classifier or gitvow's own guard says about a call. */
export interface Finding {
  readonly outcome: Outcome;
  /** Stable text for what the call would do: `run git push (force push)`, `edit .env`. */
  readonly subject: string;
  /** Why that matters, in a sentence without a full stop. */
  readonly reason: string;
  /** Supporting text, shown verbatim: what matched, or a provider's own evidence. */
  readonly evidence: readonly string[];
  /** Who says so: `rule bash_deny[1] in ~/.gitvow/policy.json`, `provider topology`. */
  readonly source: string;
}

/** What the gate decided about one call, with everything it found. */
export interface Decision {
  readonly outcome: "allow" | "confirm" | "deny";
  readonly findings: readonly Finding[];
}

/** What goes back to the agent: code 0 lets the tool run, code 2 stops it with `message`. */
export interface Verdict {
  readonly code: 0 | 2;
  readonly message: string;
}

const STRICTNESS: Record<Outcome, number> = { observe: 0, confirm: 1, deny: 2 };

/** The stricter of two outcomes. */
export function stricter(a: Outcome, b: Outcome): Outcome {
  return STRICTNESS[a] >= STRICTNESS[b] ? a : b;
}

/** Adds findings up: the strictest one decides, none (or only observations) allows. */
export function decide(findings: readonly Finding[]): Decision {
  const ordered = [...findings].sort((a, b) => STRICTNESS[b.outcome] - STRICTNESS[a.outcome]);
  const strictest = ordered[0]?.outcome;
  return {
    outcome: strictest === undefined || strictest === "observe" ? "allow" : strictest,
    findings: ordered,
  };
}
