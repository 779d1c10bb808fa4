/** `gitvow status`: is the gate up, what holds here, what was decided, and what mends what is wrong. */
import type { Agent } from "../agents/agent.ts";
import { agentNamed, AGENTS } from "../agents/registry.ts";
import { workingDirectory } from "../gate/prepare.ts";
import { repositoriesOf } from "../policy/repository.ts";
import type { Command, CommandWorld, ExitCode } from "./command.ts";
import { samplesOf } from "./selftest/samples.ts";
import { existingHome } from "./folders.ts";
import { isPresent, type Target } from "./setup.ts";
import { inspectActivity } from "./status/activity.ts";
import { type HookStatus, inspectHooks, installCommand } from "./status/hooks.ts";
import { inspectPolicies, type PolicyStatus } from "./status/policies.ts";
import { probeHook, type ProbeStatus } from "./status/probe.ts";
import type { Problem } from "./status/problem.ts";
import { type AgentStatus, reportJson, reportLines, type StatusReport } from "./status/report.ts";
import { switchedOff } from "./status/switches.ts";

export interface StatusFlags {
  readonly agent: readonly string[] | undefined;
  readonly json: boolean;
}

/** Inspects the installs, runs the installed hooks on probes, and prints what was found. */
export const status: Command<StatusFlags> = async (world, flags): Promise<ExitCode> => {
  const { system, terminal } = world;
  const home = existingHome(system);
  const repositories = repositoriesOf(system.files, workingDirectory(system, ""));
  const named = [...new Set(flags.agent ?? [])].map(agentNamed);
  const targets: Target[] = [{ scope: "user", root: home }];
  const [repository] = repositories.filter((top) => top !== home);
  if (repository !== undefined) targets.push({ scope: "repository", root: repository });

  const { policies, problems } = await inspectPolicies(system, home, repositories);
  const activity = inspectActivity(system, home);
  const unrecorded = activity.writable === false;
  const agents: AgentStatus[] = [];
  for (const agent of named.length > 0 ? named : AGENTS) {
    const found = await inspectAgent(world, agent, targets, { policies, unrecorded });
    const installed = found.hooks.some(({ hook }) => hook.installed);
    const concerns = named.length > 0 || isPresent(system, agent) || installed;
    if (concerns) agents.push(found);
  }
  if (agents.length === 0) {
    problems.push({
      what: "No agent was found on this machine, and none is gated",
      mend: `run ${
        AGENTS.map((agent) => `\`${installCommand({ scope: "user", root: home }, agent, system)}\``)
          .join(" or ")
      }`,
    });
  }
  const report: StatusReport = {
    version: world.version,
    agents,
    policies,
    activity,
    problems: [
      ...agents.flatMap((one) => one.problems),
      ...problems,
      ...activity.problems,
    ],
  };
  if (flags.json) terminal.out(JSON.stringify(reportJson(report)));
  else for (const line of reportLines(report, terminal)) terminal.out(line);
  return report.problems.length === 0 ? 0 : 1;
};

/** What was found out before the agents are looked at. */
interface Found {
  readonly policies: readonly PolicyStatus[];
  readonly unrecorded: boolean;
}

/** What is installed for one agent at each target, tried out, and everything wrong with it. */
async function inspectAgent(
  world: CommandWorld,
  agent: Agent,
  targets: readonly Target[],
  found: Found,
): Promise<AgentStatus> {
  const { system } = world;
  const hooks: { hook: HookStatus; probe: ProbeStatus | undefined }[] = [];
  const problems: Problem[] = [];
  for (const target of targets) {
    const hook = await inspectHooks(world, target, agent);
    problems.push(...hook.problems);
    const probe = await tryOut(world, hook, found);
    problems.push(...probe?.problems ?? []);
    hooks.push({ hook, probe });
  }
  const installed = hooks.filter(({ hook }) => hook.installed).map(({ hook }) => hook);
  const [user, repository] = targets;
  if (installed.length === 0 && hooks.every(({ hook }) => hook.problems.length === 0)) {
    problems.push({
      what: `${agent.title} is not gated`,
      mend: user === undefined ? "" : `run \`${installCommand(user, agent, system)}\``,
    });
  }
  if (installed.length > 1) {
    const [one, other] = installed.map((hook) =>
      installCommand(hook, agent, system).replace("install", "uninstall")
    );
    problems.push({
      what:
        `${agent.title} has gitvow in its user's and in the repository's settings: each call is ` +
        "decided twice, and an approval for one call is used up by the first decision",
      mend: `run \`${one}\` or \`${other}\``,
    });
  }
  if (installed.length > 0) {
    problems.push(...switchedOff(system, agent, {
      home: user?.root ?? "",
      user: installed.some((hook) => hook.scope === "user"),
      repository: repository?.root,
    }));
  }
  return { agent, hooks, problems };
}

/** Runs the installed hook, where there is one and it is known what the agent would send it. */
async function tryOut(
  world: CommandWorld,
  hook: HookStatus,
  { policies, unrecorded }: Found,
): Promise<ProbeStatus | undefined> {
  const samples = samplesOf(hook.agent.name);
  const { command } = hook;
  if (!hook.installed || command === undefined || samples === undefined) return undefined;
  // The user's hook is tried outside the repository, where only the user's own policy holds.
  const held = policies.filter((policy) => policy.scope === "user" || hook.scope === "repository");
  return await probeHook(world, { ...hook, command }, samples, {
    classified: held.some((policy) => policy.classified),
    blocked: held.length === 0 || held.some((policy) => policy.state === "broken"),
    unrecorded,
  });
}
