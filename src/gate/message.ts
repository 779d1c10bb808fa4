/** What a person and an agent read about a decision. */
import type { Decision, Finding, Verdict } from "../domain/finding.ts";
import { shortened, visible } from "../domain/visible.ts";

/** Findings written out in one message; the rest is counted. */
const LISTED = 12;

/** Characters of one finding's text. */
const WIDTH = 600;

/** One line that cannot repaint a terminal, of bounded length; line breaks become spaces. */
function shown(text: string): string {
  return shortened(visible(text.replace(/[\r\n\t]+/g, " ")), WIDTH);
}

/** A finding, and who else says exactly the same. */
interface Said {
  readonly finding: Finding;
  readonly also: string[];
}

/** Findings that say the same together: the same rule may stand in several policies. */
function together(findings: readonly Finding[]): Said[] {
  const said = new Map<string, Said>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.subject, finding.reason, finding.evidence]);
    const known = said.get(key);
    if (known === undefined) said.set(key, { finding, also: [] });
    else known.also.push(finding.source);
  }
  return [...said.values()];
}

/** True where two findings give the same reason for the same text. */
function sameWhy(a: Finding, b: Finding): boolean {
  return a.reason === b.reason && JSON.stringify(a.evidence) === JSON.stringify(b.evidence);
}

/** `rule bash_deny[1] in ~/.gitvow/policy.json matched \`git push -f\``, on a line of its own. */
function because({ finding, also }: Said): string {
  const others = also.length === 0 ? "" : `\n  and ${shown(also.join(", and "))}`;
  return `  ${shown([finding.source, ...finding.evidence].join(" "))}${others}`;
}

function denial(said: Said): string {
  return `${shown(said.finding.reason)}.\n${because(said)}`;
}

function question(said: Said): string {
  const { subject, reason } = said.finding;
  return `${shown(subject)} (${shown(reason)}).\n${because(said)}`;
}

/**
 * The verdict on a decision, denials first. `code` is the approval code a person may use, where
 * the agent has no question of its own to ask.
 */
export function verdictOn(decision: Decision, code?: string): Verdict {
  if (decision.outcome === "allow") return { code: 0, message: "" };
  const denied = together(decision.findings.filter(({ outcome }) => outcome === "deny"));
  const asked = together(decision.findings.filter(({ outcome }) => outcome === "confirm"))
    .filter(({ finding }) => !denied.some((said) => sameWhy(said.finding, finding)));
  const lines = denied.slice(0, LISTED).map((said, index) =>
    `${index === 0 ? "BLOCKED by gitvow: " : "Also blocked: "}${denial(said)}`
  );
  for (const [index, said] of asked.slice(0, Math.max(1, LISTED - lines.length)).entries()) {
    const head = denied.length > 0
      ? "It would also need confirmation: "
      : index === 0
      ? "CONFIRMATION REQUIRED: "
      : "Also: ";
    lines.push(head + question(said));
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
  const end = remedy === "" ? "" : `\n  To mend it: ${shown(remedy)}.`;
  return { code: 2, message: `BLOCKED by gitvow: ${shown(message)}.${end}` };
}
