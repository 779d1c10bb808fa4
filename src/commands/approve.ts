/** `gitvow approve CODE`: a person lets one confirmation pass, having seen what it is about. */
import { Failure } from "../domain/failure.ts";
import { shortened, visible } from "../domain/visible.ts";
import type { PendingConfirmation } from "../record/approvalfiles.ts";
import { approve as grant, waiting } from "../record/approvals.ts";
import { record } from "../record/journal.ts";
import { tildify } from "../system/paths.ts";
import type { Command, CommandWorld, ExitCode } from "./command.ts";
import { needPerson, saysYes } from "./person.ts";

export interface ApproveFlags {
  readonly session: boolean;
}

/** Characters of a finding's text that are shown. */
const WIDTH = 600;

/**
 * Shows the call with its findings, asks, approves and records it. Ends with 1 where the person
 * says no. Throws a `Failure` without a terminal and for a code under which nothing waits.
 */
export const approve: Command<ApproveFlags> = async (
  world,
  flags,
  words,
): Promise<ExitCode> => {
  const { system, terminal } = world;
  const code = words[0] ?? "";
  needPerson(terminal, `approve "${visible(code)}"`);
  const pending = await waiting(system, code, flags);
  if (pending instanceof Failure) throw pending;
  for (const line of describePending(world, pending)) terminal.out(line);
  const reach = flags.session
    ? "Let all of this pass for the rest of the session?"
    : "Let exactly this call pass once, within ten minutes?";
  if (!saysYes(terminal, reach)) {
    terminal.out("Nothing was approved.");
    return 1;
  }
  const approved = await grant(system, code, { session: flags.session, shown: pending.key });
  if (approved instanceof Failure) throw approved;
  terminal.out(
    `${terminal.paint("green", "Approved")}: ${
      flags.session
        ? "tell the agent to go on."
        : "tell the agent to try exactly the same call again."
    }`,
  );
  const problem = record(system, {
    v: 1,
    at: new Date(system.now()).toISOString(),
    kind: "approval",
    agent: approved.agent,
    session: approved.session,
    event: "",
    tool: approved.tool,
    outcome: "none",
    findings: approved.findings,
    detail: `${approved.code} approved ${flags.session ? "for the session" : "for one call"}`,
    cwd: approved.cwd,
    repo: "",
    tool_use_id: "",
    ms: 0,
  });
  if (problem !== undefined) terminal.err(`gitvow: ${problem.message}\n  ${problem.remedy}`);
  return 0;
};

/** What a person has to know before they agree: who asks, where, and everything found. */
function describePending(
  { system, terminal }: CommandWorld,
  pending: PendingConfirmation,
): string[] {
  const { agent, tool, session, cwd, findings } = pending;
  const minutes = Math.max(0, Math.round((system.now() - pending.at) / 60_000));
  const lines = [
    `${terminal.paint("bold", visible(agent))} wants to use ${
      terminal.paint("bold", visible(tool))
    } in ${visible(tildify(cwd, system.home))}`,
    `  session ${session === "" ? "unknown" : visible(session)}, asked ${
      minutes === 0 ? "just now" : minutes === 1 ? "a minute ago" : `${minutes} minutes ago`
    }`,
  ];
  const text = (value: string) => shortened(visible(value), WIDTH);
  for (const finding of findings) {
    lines.push(`${terminal.paint("yellow", text(finding.subject))}: ${text(finding.reason)}`);
    lines.push(
      terminal.paint("dim", `  ${text([finding.source, ...finding.evidence].join(" "))}`),
    );
  }
  return lines;
}
