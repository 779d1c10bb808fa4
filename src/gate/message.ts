/** What a person and an agent read about a decision. */
import type { Decision, Finding, Verdict } from "../domain/finding.ts";

/** Findings written out in one message; the rest is counted. */
const LISTED = 12;

/** Characters of one finding's text. */
const WIDTH = 600;

/** Control characters made visible, so that evidence cannot repaint a terminal; newlines become spaces. */
export function visible(text: string): string {
  const flat = text.replace(/[\r\n\t]+/g, " ");
  const shown = flat.replace(
    /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
    (char) => {
      const hex = (char.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
      return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
    },
  );
  return shown.length > WIDTH ? `${shown.slice(0, WIDTH - 1)}…` : shown;
}

/** `rule bash_deny[1] in ~/.gitvow/policy.json matched \`git push -f\``, on a line of its own. */
function because(finding: Finding): string {
  return `  ${visible([finding.source, ...finding.evidence].join(" "))}`;
}

function denial(finding: Finding): string {
  return `${visible(finding.reason)}.\n${because(finding)}`;
}

function question(finding: Finding): string {
  return `${visible(finding.subject)} (${visible(finding.reason)}).\n${because(finding)}`;
}

/**
 * The verdict on a decision, denials first. `code` is the approval code a person may use, where
 * the agent has no question of its own to ask.
 */
export function verdictOn(decision: Decision, code?: string): Verdict {
  if (decision.outcome === "allow") return { code: 0, message: "" };
  const denied = decision.findings.filter((finding) => finding.outcome === "deny");
  const asked = decision.findings.filter((finding) => finding.outcome === "confirm");
  const lines = denied.slice(0, LISTED).map((finding, index) =>
    `${index === 0 ? "BLOCKED by gitvow: " : "Also blocked: "}${denial(finding)}`
  );
  for (const [index, finding] of asked.slice(0, Math.max(1, LISTED - lines.length)).entries()) {
    const head = denied.length > 0
      ? "It would also need confirmation: "
      : index === 0
      ? "CONFIRMATION REQUIRED: "
      : "Also: ";
    lines.push(head + question(finding));
  }
  const left = denied.length + asked.length - lines.length;
  if (left > 0) lines.push(`And ${left} more.`);
  if (decision.outcome === "confirm") {
    const how = code === undefined ? "" : ` If they agree, they can run: gitvow approve ${code}`;
    lines.push(`  Ask the user explicitly before doing this.${how}`);
  }
  return { code: 2, message: lines.join("\n") };
}

/** The verdict where gitvow itself failed: a block that says what broke and what mends it. */
export function failureVerdict(message: string, remedy: string): Verdict {
  const end = remedy === "" ? "" : `\n  To mend it: ${visible(remedy)}.`;
  return { code: 2, message: `BLOCKED by gitvow: ${visible(message)}.${end}` };
}
