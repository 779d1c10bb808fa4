/** What could not be read or followed: the reader's doubts, and tools without a readable target. */
import type { HookCall } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import type { Policy, PolicyLayer } from "../policy/policy.ts";
import type { Doubt, Reading } from "../shell/reading.ts";
import type { GateContext, ReadCommand } from "./context.ts";
import { strictestLeniency } from "./leniency.ts";

/** Findings for every doubt, as strict as the policy wants. */
export function doubtStage(_call: HookCall, context: GateContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const action of context.actions) {
    if (action.kind !== "unclear") continue;
    findings.push({
      outcome: "confirm",
      subject: `use ${action.tool || "an unnamed tool"}`,
      reason: `its target could not be read: ${action.why}`,
      evidence: [],
      source: "gitvow",
    });
  }
  for (const command of context.commands) findings.push(...judge(command, context.policy));
  return Promise.resolve(findings);
}

function judge(command: ReadCommand, policy: Policy): Finding[] {
  const { reading } = command;
  const findings: Finding[] = [];
  const words = reading.bareWords;
  if (words !== undefined) findings.push(judgeWords(command.command, reading, policy));
  for (const doubt of reading.doubts) {
    if (doubt.kind === "unreadable" && words !== undefined) continue;
    const outcome = outcomeOf(doubt, policy);
    if (outcome === "allow") continue;
    findings.push({
      outcome,
      subject: SUBJECTS[doubt.kind],
      reason: doubt.what,
      evidence: [],
      source: "gitvow's reading of the command",
    });
  }
  return findings;
}

const SUBJECTS: Record<Doubt["kind"], string> = {
  unreadable: "run a command that cannot be read whole",
  bound: "run a command too large to read",
  "unread code": "run code that cannot be read",
  indirect: "run a program that cannot be followed",
  interactive: "open an interactive program",
  deceptive: "run text that looks like something else",
  runaway: "run a command that never ends",
};

function outcomeOf(doubt: Doubt, policy: Policy) {
  switch (doubt.kind) {
    case "unreadable":
    case "unread code":
      return strictestLeniency(policy, "unreadCode");
    case "indirect":
      return strictestLeniency(policy, "indirectCommands");
    case "bound":
    case "deceptive":
      return "confirm";
    case "runaway":
      return "deny";
    case "interactive":
      return "observe";
  }
}

/** What may run, write or read unseen in a text that does not parse. */
const LIVE = /[`<>]|\$[({]|\beval\b|\bsource\b/;

/** Words that a text which does not parse must not hold unasked, besides the programs of rules. */
const TOUCHY = /gitvow|\.ssh|\.aws|\.gnupg|\.claude|\.git(?:\/|$)|\.env/i;

/**
 * A text that does not parse: asked about where a word of it, quoting taken away, is a program some
 * rule speaks of or names something guarded, or where it may run or write what no word shows.
 */
function judgeWords(command: string, reading: Reading, policy: Policy): Finding {
  const written = reading.bareWords ?? [];
  // A backslash may be a separator or an escape: both are tried.
  const words = [...written, ...written.map((word) => word.replace(/[\\'"]|\$(?=['"])/g, ""))];
  const names = new Set(
    words.map((word) => word.replace(/^.*[/\\]/, "").replace(/\.exe$/i, "").toLowerCase()),
  );
  const hit = policy.layers.flatMap(programsOf).find((program) => names.has(program)) ??
    words.find((word) => TOUCHY.test(word));
  const cause = reading.doubts.find((doubt) => doubt.kind === "unreadable")?.what;
  const why = `the text is not a shell command that can be parsed${cause ? ` (${cause})` : ""}`;
  const asked = hit !== undefined || LIVE.test(command);
  return {
    outcome: asked ? "confirm" : "observe",
    subject: SUBJECTS.unreadable,
    reason: hit === undefined ? why : `${why}, and it names ${hit}`,
    evidence: [],
    source: "gitvow's reading of the command",
  };
}

function programsOf(layer: PolicyLayer): string[] {
  return [...layer.bashDeny, ...layer.bashConfirm].flatMap((rule) =>
    rule.kind === "program" ? [...rule.programs] : []
  );
}
