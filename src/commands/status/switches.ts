/** Settings by which an agent runs no hooks at all, whatever is installed in them. */
import { tildify } from "../../system/paths.ts";
import type { System } from "../../system/system.ts";
import { parseJsonc } from "../../policy/jsonc.ts";
import { messageOf } from "../../domain/failure.ts";
import type { Problem } from "./problem.ts";

/** How one agent is switched off. */
interface Switches {
  /** Settings files below the home and below a repository. */
  readonly user: readonly string[];
  readonly repository: readonly string[];
  /** Settings files of the machine, absolute. */
  readonly machine: readonly string[];
  /** Top-level keys that switch hooks off where they are true, and where they do. */
  readonly keys: readonly { readonly key: string; readonly only?: "machine" }[];
  /** True where a comment or a trailing comma makes the agent drop the whole file. */
  readonly strict: boolean;
  /** A variable that names another folder for the user's settings, and the usual folder. */
  readonly folder?: { readonly variable: string; readonly usual: string };
}

const SWITCHES: ReadonlyMap<string, Switches> = new Map([
  ["claude", {
    user: [".claude/settings.json"],
    repository: [".claude/settings.json", ".claude/settings.local.json"],
    machine: [
      "/etc/claude-code/managed-settings.json",
      "/Library/Application Support/ClaudeCode/managed-settings.json",
    ],
    keys: [
      { key: "disableAllHooks" },
      { key: "allowManagedHooksOnly", only: "machine" },
    ],
    strict: true,
    folder: { variable: "CLAUDE_CONFIG_DIR", usual: ".claude" },
  }],
]);

/** Bytes of a settings file that are read. */
const LIMIT = 16 * 1024 * 1024;

/** An agent's name in commands, and to a person. */
interface Named {
  readonly name: string;
  readonly title: string;
}

/** Where hooks are installed, and the repository that is worked in. */
interface Reach {
  readonly home: string;
  /** True where the user's own settings call gitvow. */
  readonly user: boolean;
  readonly repository: string | undefined;
}

/** Everything that keeps the agent from running its hooks, at home and in the repository. */
export function switchedOff(system: System, agent: Named, reach: Reach): Problem[] {
  const { home, repository } = reach;
  const switches = SWITCHES.get(agent.name);
  if (switches === undefined) return [];
  const places = [
    ...switches.user.map((file) => ({ path: `${home}/${file}`, machine: false })),
    ...(repository === undefined ? [] : switches.repository)
      .map((file) => ({ path: `${repository}/${file}`, machine: false })),
    ...switches.machine.map((path) => ({ path, machine: true })),
  ];
  const problems = reach.user ? elsewhere(system, agent.title, switches, home) : [];
  for (const { path, machine } of places) {
    const content = system.files.read(path, LIMIT);
    if (content.kind !== "read") continue;
    const shown = tildify(path, system.home);
    const text = new TextDecoder().decode(content.bytes);
    for (const { key, only } of switches.keys) {
      if (only === "machine" && !machine) continue;
      if (!isSet(text, key)) continue;
      problems.push({
        what: `${agent.title} runs no hooks: "${key}" is true in ${shown}`,
        mend: `set "${key}" to false in ${shown}`,
      });
    }
  }
  return problems;
}

function elsewhere(system: System, title: string, switches: Switches, home: string): Problem[] {
  const { folder } = switches;
  const named = folder === undefined ? undefined : system.env(folder.variable);
  if (folder === undefined || named === undefined || named === "") return [];
  const usual = `${home}/${folder.usual}`;
  if ((system.files.realPath(named) ?? named) === (system.files.realPath(usual) ?? usual)) {
    return [];
  }
  return [{
    what: `${folder.variable} is set, so ${title} reads its settings in "${named}", not in ${
      tildify(usual, system.home)
    }`,
    mend: `unset ${folder.variable}, or link "${named}" to ${tildify(usual, system.home)}`,
  }];
}

/**
 * The problem that the agent drops a settings file which gitvow can read, hooks and all: it has a
 * comment or a trailing comma. None where it does not.
 */
export function droppedFile(agent: Named, file: string, text: string): Problem[] {
  if (SWITCHES.get(agent.name)?.strict !== true) return [];
  const plain = text.replace(/^\uFEFF/, "");
  if (plain.trim() === "") return [];
  try {
    JSON.parse(plain);
    return [];
  } catch (error) {
    return [{
      what: `${agent.title} drops the whole of ${file}, hooks and all: ${messageOf(error)}`,
      mend: `make ${file} plain JSON, without comments and trailing commas`,
    }];
  }
}

function isSet(text: string, key: string): boolean {
  try {
    const value = parseJsonc(text);
    return typeof value === "object" && value !== null &&
      (value as Readonly<Record<string, unknown>>)[key] === true;
  } catch {
    return false;
  }
}
