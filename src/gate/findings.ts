/** How rules word what they found, in one place. */
import type { Finding, Outcome } from "../domain/finding.ts";
import type { Origin, When } from "../policy/policy.ts";

/** `rule bash_deny[1] in ~/.gitvow/policy.json`. */
export function sourceOf(origin: Origin): string {
  return `rule ${origin.rule} in ${origin.file}`;
}

/** What matched, for a message: one line, at most 200 characters, in backticks. */
export function matched(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `matched \`${line.length > 200 ? `${line.slice(0, 199)}…` : line}\``;
}

/** A rule's outcome; a rule that only observes asks nobody. */
export function outcomeOf(list: "deny" | "confirm", when: When): Outcome {
  return when === "observe" ? "observe" : list;
}

/** The finding for a pattern that gave no answer in time: asked about, since it might have matched. */
export function timedOut(origin: Origin, subject: string): Finding {
  return {
    outcome: "confirm",
    subject,
    reason: "a rule's pattern took longer than 250 ms and was stopped",
    evidence: ["rewrite the pattern without nested repetition, lookahead or large counts"],
    source: sourceOf(origin),
  };
}
