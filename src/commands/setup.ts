/** What install and uninstall share: which agents, and where. */
import type { Agent } from "../agents/agent.ts";
import { agentNamed, AGENTS } from "../agents/registry.ts";
import { Failure } from "../domain/failure.ts";
import { shellWord } from "../domain/words.ts";
import { workingDirectory } from "../gate/prepare.ts";
import type { Scope } from "../install/spec.ts";
import { repositoriesOf } from "../policy/repository.ts";
import { expandHome, resolve, slashed } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import { existingHome } from "./folders.ts";

/** Flags of install and uninstall. */
export interface SetupFlags {
  readonly user: boolean;
  readonly agent: readonly string[] | undefined;
  readonly dryRun: boolean;
}

/** Whose settings are meant, and the folder they lie in. */
export interface Target {
  readonly scope: Scope;
  readonly root: string;
}

/** The home with `--user`, else the repository named or the one that holds the working directory. */
export function targetOf(
  system: System,
  flags: SetupFlags,
  words: readonly string[],
): Target {
  if (flags.user) {
    if (words.length === 0) return { scope: "user", root: existingHome(system) };
    throw new Failure("--user and a repository exclude each other", "name one of them");
  }
  const cwd = workingDirectory(system, "");
  const named = words[0];
  const start = named === undefined
    ? cwd
    : resolve(cwd, expandHome(slashed(named, system.os), system.home ?? "~"));
  if (!system.files.isDirectory(start)) {
    throw new Failure(
      system.files.lookAt(start) === undefined
        ? `There is no directory "${named}"`
        : `"${named}" is not a directory`,
      "name a directory in a git repository, or use --user",
    );
  }
  const top = repositoriesOf(system.files, start)[0];
  if (top === undefined) {
    throw new Failure(
      `"${named ?? cwd}" is not in a git repository`,
      "name a repository, or use --user to gate your own sessions everywhere",
    );
  }
  return { scope: "repository", root: top };
}

/** True where the agent left traces on this machine: its folder in the home, or its program on PATH. */
export function isPresent(system: System, agent: Agent): boolean {
  const home = system.home;
  if (
    home !== undefined &&
    agent.traces.folders.some((one) => system.files.isDirectory(`${home}/${one}`))
  ) {
    return true;
  }
  const folders = (system.env("PATH") ?? "").split(system.os === "windows" ? ";" : ":");
  const endings = system.os === "windows" ? [".exe", ".cmd"] : [""];
  return agent.traces.programs.some((program) =>
    folders.some((folder) =>
      folder.startsWith("/") &&
      endings.some((ending) => system.files.lookAt(`${folder}/${program}${ending}`) !== undefined)
    )
  );
}

/** The agents named, or those found on this machine. Throws a `Failure` where there is none. */
export function chosenAgents(
  system: System,
  flags: SetupFlags,
  words: readonly string[],
): readonly Agent[] {
  if (flags.agent !== undefined && flags.agent.length > 0) {
    return [...new Set(flags.agent)].map(agentNamed);
  }
  const found = AGENTS.filter((agent) => isPresent(system, agent));
  if (found.length > 0) return found;
  const where = [...(flags.user ? ["--user"] : []), ...words.map(shellWord)];
  throw new Failure(
    "No agent was found on this machine",
    `name one: ${
      AGENTS.map(({ name }) => `\`${["gitvow install", ...where, "--agent", name].join(" ")}\``)
        .join(", ")
    }`,
  );
}
