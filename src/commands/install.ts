/** `gitvow install`: the program, the default policy, and the hooks in each agent's settings. */
import { applyPlan } from "../install/apply.ts";
import { type Plan, planInstall } from "../install/plan.ts";
import { installedLauncher, installProgram } from "../install/program.ts";
import { hookCommand } from "../install/quote.ts";
import { DEFAULT_POLICY } from "../policy/default.ts";
import { compilePolicy, POLICY_FILE, POLICY_LIMIT } from "../policy/load.ts";
import { programLines, trust } from "../policy/trust.ts";
import { tildify } from "../system/paths.ts";
import { runningProgram } from "../system/process.ts";
import type { Agent } from "../agents/agent.ts";
import type { Command, CommandWorld } from "./command.ts";
import { existingHome, needFolders } from "./folders.ts";
import { chosenAgents, type SetupFlags, type Target, targetOf } from "./setup.ts";
import { problemLines } from "./status/problem.ts";
import { droppedFile, switchedOff } from "./status/switches.ts";

export type InstallFlags = SetupFlags;

/** Installs for the agents chosen, or shows with `--dry-run` what that would change. */
export const install: Command<InstallFlags> = async (world, flags, words) => {
  const { system, terminal } = world;
  const target = targetOf(system, flags, words);
  const agents = chosenAgents(system, flags, words);
  needFolders(system, `${existingHome(system)}/.gitvow`, `${target.root}/.gitvow`);
  const plans: { agent: Agent; plan: Plan }[] = [];
  for (const agent of agents) plans.push({ agent, plan: await planFor(world, target, agent) });
  terminal.out(`agents: ${agents.map((agent) => `${agent.title} (${agent.name})`).join(", ")}`);
  if (flags.dryRun) return showPlans(world, target, plans);

  if (target.scope === "user") {
    installProgram(
      system.files,
      target.root,
      runningProgram(),
      world.version,
      world.launchFlags,
    );
    const launcher = tildify(installedLauncher(target.root), system.home);
    terminal.out(`program: ${launcher} (gitvow ${world.version})`);
  }
  await installPolicy(world, target);
  for (const { agent, plan } of plans) {
    applyPlan(system, plan);
    const file = tildify(plan.path, system.home);
    terminal.out(
      `${agent.name}: ${file} ${plan.changed ? "now calls gitvow" : "already calls gitvow"}`,
    );
    for (const step of agent.steps) terminal.out(terminal.paint("dim", `  ${step}`));
  }
  if (target.scope === "repository") pathHint(world);
  for (const { agent, plan } of plans) sayUnheard(world, target, agent, plan);
  return 0;
};

/**
 * What installing for one agent would change: the bare `gitvow` for a repository, which many
 * machines share, the absolute launcher for a user.
 */
export function planFor(world: CommandWorld, target: Target, agent: Agent): Promise<Plan> {
  const { system } = world;
  const executable = target.scope === "user" ? installedLauncher(target.root) : "gitvow";
  return planInstall(system, {
    spec: agent.install,
    ...target,
    command: (member) =>
      hookCommand(executable, system.os, member === "powershell" ? "powershell" : "posix"),
  });
}

/** Says why the agent will not run what was installed, as `gitvow status` does. */
function sayUnheard(
  { system, terminal }: CommandWorld,
  target: Target,
  agent: Agent,
  plan: Plan,
): void {
  const file = tildify(plan.path, system.home);
  const problems = [
    ...droppedFile(agent, file, plan.after ?? ""),
    ...switchedOff(system, agent, {
      home: existingHome(system),
      user: target.scope === "user",
      repository: target.scope === "user" ? undefined : target.root,
    }),
  ];
  for (const line of problems.flatMap((problem) => problemLines(problem, terminal))) {
    terminal.out(line);
  }
}

function showPlans(
  world: CommandWorld,
  target: Target,
  plans: readonly { readonly plan: Plan }[],
): 0 {
  const { system, terminal } = world;
  const policy = `${target.root}/${POLICY_FILE}`;
  if (system.files.lookAt(policy) === undefined) {
    terminal.out(`would write the default policy to ${tildify(policy, system.home)}`);
  }
  for (const { plan } of plans) {
    terminal.out(
      plan.changed
        ? plan.diff().replace(/\n$/, "")
        : `${tildify(plan.path, system.home)}: nothing to change`,
    );
  }
  return 0;
}

/** Writes the default policy where there is none; a repository's own is trusted by who installs it. */
async function installPolicy(world: CommandWorld, target: Target): Promise<void> {
  const { system, terminal } = world;
  const path = `${target.root}/${POLICY_FILE}`;
  const shown = tildify(path, system.home);
  const present = system.files.read(path, POLICY_LIMIT);
  if (present.kind === "missing") {
    const user = target.scope === "user";
    system.files.makeDirectory(`${target.root}/.gitvow`, user ? 0o700 : 0o755);
    const bytes = new TextEncoder().encode(DEFAULT_POLICY);
    system.files.writeAtomic(path, bytes, user ? 0o600 : 0o644);
    terminal.out(`policy: wrote the default policy to ${shown}`);
    return;
  }
  terminal.out(`policy: kept ${shown}`);
  if (present.kind === "unreadable" || target.scope === "user") return;
  const layer = await compilePolicy({
    path,
    file: shown,
    scope: "repository",
    repo: target.root,
    bytes: present.bytes,
  });
  if (layer.providers.length === 0 && layer.classifier === undefined) return;
  trust(system, path, layer.sha256, programLines(layer));
  terminal.out(`policy: its programs are now trusted\n${programLines(layer)}`);
}

function pathHint({ system, terminal }: CommandWorld): void {
  const bin = `${existingHome(system)}/.gitvow/bin`;
  if ((system.env("PATH") ?? "").split(":").includes(bin)) return;
  terminal.out(
    `The hooks call plain \`gitvow\`: everybody who works here needs it on PATH (${
      tildify(bin, system.home)
    } after \`gitvow install --user\`).`,
  );
}
