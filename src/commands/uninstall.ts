/** `gitvow uninstall`: takes out of each agent's settings exactly what install put there. */
import { agentNamed, AGENTS } from "../agents/registry.ts";
import { applyPlan } from "../install/apply.ts";
import { planUninstall } from "../install/plan.ts";
import { tildify } from "../system/paths.ts";
import type { Command, ExitCode } from "./command.ts";
import { type SetupFlags, targetOf } from "./setup.ts";

export type UninstallFlags = SetupFlags;

/** Uninstalls for the agents named, or for all, or shows with `--dry-run` what that would change. */
export const uninstall: Command<UninstallFlags> = async (
  world,
  flags,
  words,
): Promise<ExitCode> => {
  const { system, terminal } = world;
  const target = targetOf(system, flags, words);
  const agents = flags.agent === undefined || flags.agent.length === 0
    ? AGENTS
    : [...new Set(flags.agent)].map(agentNamed);
  for (const agent of agents) {
    const plan = await planUninstall(system, { spec: agent.install, ...target });
    const file = tildify(plan.path, system.home);
    if (flags.dryRun) {
      terminal.out(plan.changed ? plan.diff().replace(/\n$/, "") : `${file}: nothing to change`);
      continue;
    }
    applyPlan(system, plan);
    terminal.out(
      `${agent.name}: ${file} ${
        !plan.changed ? "did not call gitvow" : plan.after === undefined ? "removed" : "restored"
      }`,
    );
  }
  if (!flags.dryRun && target.scope === "user") {
    terminal.out(
      terminal.paint(
        "dim",
        "Your policy and the record stay in ~/.gitvow; delete it to be rid of them.",
      ),
    );
  }
  return 0;
};
