/** `gitvow selftest`: tries the whole gate out, as a process, in a throwaway home and repository. */
import { agentNamed, AGENTS } from "../agents/registry.ts";
import { tildify } from "../system/paths.ts";
import { runningProgram } from "../system/process.ts";
import type { Command, ExitCode } from "./command.ts";
import { runChecks } from "./selftest/checks.ts";
import { samplesOf } from "./selftest/samples.ts";
import { launcherOf, makeSandbox } from "./selftest/sandbox.ts";
import { type Check, Trial } from "./selftest/trial.ts";

export interface SelftestFlags {
  readonly agent: readonly string[] | undefined;
  readonly json: boolean;
}

/**
 * Checks the agents named, or all. Ends with 1 where a check fails. Throws a `Failure` where
 * gitvow runs from its sources, which hooks cannot do.
 */
export const selftest: Command<SelftestFlags> = async (world, flags): Promise<ExitCode> => {
  const { system, terminal } = world;
  const running = runningProgram();
  const launcher = launcherOf(system, running);
  const named = [...new Set(flags.agent ?? [])].map(agentNamed);
  const checks: Check[] = [];
  const report = (check: Check) => {
    checks.push(check);
    if (flags.json) return;
    const state = check.ok ? terminal.paint("green", "ok  ") : terminal.paint("red", "FAIL");
    terminal.out(`${state}  ${check.agent}  ${check.name}  ${terminal.paint("dim", check.seen)}`);
  };
  for (const agent of named.length > 0 ? named : AGENTS) {
    const samples = samplesOf(agent.name);
    if (samples === undefined) {
      const seen = "this gitvow has no sample payloads of it";
      report({ agent: agent.name, name: "samples", ok: false, seen });
      continue;
    }
    const sandbox = makeSandbox(system, running, world.launchFlags);
    try {
      await runChecks(world, new Trial(agent, samples, sandbox, report));
    } finally {
      sandbox.remove();
    }
  }
  const failed = checks.filter((check) => !check.ok).length;
  if (flags.json) {
    terminal.out(JSON.stringify({ ok: failed === 0, version: world.version, launcher, checks }));
  } else {
    const passed = checks.length - failed;
    const all = terminal.paint(failed === 0 ? "green" : "red", `${passed} ok, ${failed} failed`);
    terminal.out(`${all} (${tildify(launcher, system.home)})`);
  }
  return failed === 0 ? 0 : 1;
};
