/** How the status is written: lines for a person, one object for a script. */
import type { Agent } from "../../agents/agent.ts";
import { visible } from "../../domain/visible.ts";
import type { Terminal } from "../../system/terminal.ts";
import { entryText } from "../log.ts";
import type { ActivityStatus } from "./activity.ts";
import type { HookStatus } from "./hooks.ts";
import type { PolicyStatus } from "./policies.ts";
import type { ProbeStatus } from "./probe.ts";
import { type Problem, problemLines } from "./problem.ts";

/** One agent with its hooks in each scope, and all that is wrong with them. */
export interface AgentStatus {
  readonly agent: Agent;
  readonly hooks: readonly { readonly hook: HookStatus; readonly probe: ProbeStatus | undefined }[];
  readonly problems: readonly Problem[];
}

/** Everything `gitvow status` found. */
export interface StatusReport {
  readonly version: string;
  readonly agents: readonly AgentStatus[];
  readonly policies: readonly PolicyStatus[];
  readonly activity: ActivityStatus;
  readonly problems: readonly Problem[];
}

/** The report as a script reads it. */
export function reportJson(report: StatusReport) {
  const { version, activity, problems } = report;
  return {
    ok: problems.length === 0,
    version,
    agents: report.agents.map(({ agent, hooks }) => ({
      name: agent.name,
      title: agent.title,
      hooks: hooks.map(({ hook, probe }) => ({
        scope: hook.scope,
        file: hook.file,
        installed: hook.installed,
        command: hook.command ?? null,
        events: Object.fromEntries(hook.events.map(({ event, state }) => [event, state])),
        probe: probe === undefined ? null : {
          harmless: probe.harmless ?? null,
          forbidden: probe.forbidden,
          version: probe.version ?? null,
          ms: probe.ms,
        },
      })),
    })),
    policies: report.policies.map(({ file, scope, state, rules }) => ({
      file,
      scope,
      state,
      rules,
    })),
    record: {
      folder: activity.folder,
      writable: activity.writable ?? null,
      today: activity.today,
      failures: activity.failures,
    },
    problems,
  };
}

/** The report as a person reads it: what is there first, what is wrong with its remedies last. */
export function reportLines(report: StatusReport, terminal: Terminal): string[] {
  const lines = [`gitvow ${report.version}`];
  for (const { agent, hooks } of report.agents) {
    lines.push("", terminal.paint("bold", `${agent.title} (${agent.name})`));
    for (const { hook, probe } of hooks) lines.push(hookLine(hook, probe, terminal));
  }
  lines.push("", terminal.paint("bold", "Policies that hold here"));
  for (const policy of report.policies) lines.push(policyLine(policy, terminal));
  if (report.policies.length === 0) lines.push("  none");
  lines.push("", terminal.paint("bold", "Record"), ...activityLines(report.activity, terminal), "");
  if (report.problems.length === 0) {
    lines.push(terminal.paint("green", "The gate is up."));
    return lines;
  }
  const count = report.problems.length;
  lines.push(terminal.paint("red", count === 1 ? "1 problem" : `${count} problems`));
  return [...lines, ...report.problems.flatMap((problem) => problemLines(problem, terminal))];
}

function hookLine(
  hook: HookStatus,
  probe: ProbeStatus | undefined,
  terminal: Terminal,
): string {
  const head = `  ${hook.scope.padEnd(10)}  ${visible(hook.file)}`;
  const broken = hook.problems.length + (probe?.problems.length ?? 0) > 0;
  if (!hook.installed) {
    return `${head}  ${
      broken ? terminal.paint("red", "unknown") : terminal.paint("dim", "not installed")
    }`;
  }
  const good = hook.events.filter((one) => one.state === "installed").length;
  const says = [`${good} of ${hook.events.length} events call gitvow`];
  if (probe !== undefined && probe.harmless !== undefined) {
    says.push(`harmless call: ${probe.harmless}`);
  }
  if (probe !== undefined) says.push(`forbidden call: ${probe.forbidden}`, `${probe.ms} ms`);
  return `${head}  ${broken ? terminal.paint("red", "wrong") : terminal.paint("green", "ok")}: ${
    says.join(", ")
  }`;
}

function policyLine(policy: PolicyStatus, terminal: Terminal): string {
  const head = `  ${policy.scope.padEnd(10)}  ${visible(policy.file)}`;
  const rules = `${policy.rules} ${policy.rules === 1 ? "rule" : "rules"}`;
  switch (policy.state) {
    case "loaded":
      return `${head}  ${terminal.paint("green", "ok")}: ${rules}`;
    case "untrusted":
      return `${head}  ${terminal.paint("yellow", "its programs are not trusted")}: ${rules}`;
    case "broken":
      return `${head}  ${terminal.paint("red", "does not load")}`;
  }
}

function activityLines(activity: ActivityStatus, terminal: Terminal): string[] {
  const { folder, writable, today, failures } = activity;
  const state = writable === undefined
    ? terminal.paint("dim", "nothing yet")
    : writable
    ? terminal.paint("green", "ok")
    : terminal.paint("red", "cannot be written");
  const lines = [
    `  ${visible(folder)}  ${state}`,
    `  today: ${today.allow} allowed, ${today.confirm} asked, ${today.deny} denied`,
  ];
  if (failures.length > 0) lines.push("  failed in the last day:");
  for (const entry of failures) lines.push(`    ${entryText(entry, terminal)}`);
  return lines;
}
