/** Which of an agent's hooks call gitvow, in the settings of the user or of a repository. */
import type { Agent } from "../../agents/agent.ts";
import type { JsonObject } from "../../domain/call.ts";
import { dataOf, eventsOf, isBlank, member, readRoot } from "../../install/settings.ts";
import { readCommand } from "../../providers/command.ts";
import { tildify } from "../../system/paths.ts";
import type { System } from "../../system/system.ts";
import type { CommandWorld } from "../command.ts";
import { planFor } from "../install.ts";
import type { Target } from "../setup.ts";
import { pathWord, type Problem, problemOf } from "./problem.ts";
import { droppedFile } from "./switches.ts";

/** `stale`: an entry that `install` would write differently today. */
export type EventState = "installed" | "missing" | "stale";

/** The hooks of one agent in one scope. */
export interface HookStatus extends Target {
  readonly agent: Agent;
  /** The settings file as a person would write it. */
  readonly file: string;
  /** True where any event calls gitvow. */
  readonly installed: boolean;
  readonly events: readonly { readonly event: string; readonly state: EventState }[];
  /** The recorded command of the event before a tool, as the agent hands it to its shell. */
  readonly command: string | undefined;
  readonly problems: readonly Problem[];
}

/** Reads what is installed for an agent at a target, without running anything. */
export async function inspectHooks(
  world: CommandWorld,
  target: Target,
  agent: Agent,
): Promise<HookStatus> {
  const { system } = world;
  const { userFile, repoFile } = agent.install;
  const relative = target.scope === "user" ? userFile : repoFile;
  const file = tildify(`${target.root}/${relative}`, system.home);
  const again = installCommand(target, agent, system);
  const status = { ...target, agent, file };
  try {
    const { before } = await planFor(world, target, agent);
    const text = before ?? "";
    const ours = handlersOf(text);
    if (ours.size === 0) {
      return { ...status, installed: false, events: [], command: undefined, problems: [] };
    }
    const events = await eventStates(world, target, agent, ours);
    const command = commandOf(agent, ours);
    const problems = [
      ...droppedFile(agent, file, text),
      ...eventProblems(file, events, again),
      ...programProblems(system, target, agent, file, command),
    ];
    return { ...status, installed: true, events, command, problems };
  } catch (error) {
    const problems = [problemOf(error, `mend ${file}, then run \`${again}\``)];
    return { ...status, installed: false, events: [], command: undefined, problems };
  }
}

/** The command that installs for this agent here. */
export function installCommand(target: Target, agent: Agent, system: System): string {
  const where = target.scope === "user" ? "--user" : pathWord(target.root, system.home);
  return `gitvow install ${where} --agent ${agent.name}`;
}

/** gitvow's handlers of each event in a settings text, as data. */
export function handlersOf(text: string): Map<string, JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  if (isBlank(text)) return found;
  for (const { property, elements } of eventsOf(readRoot(text))) {
    const ours = elements.flatMap((element) => element.handlers)
      .filter((handler) => handler.ours)
      .map((handler) => dataOf(handler.node) as JsonObject);
    if (ours.length > 0) found.set(member(property).key, ours);
  }
  return found;
}

/** What installing one event alone would change tells whether its entry is as it should be. */
async function eventStates(
  world: CommandWorld,
  target: Target,
  agent: Agent,
  ours: ReadonlyMap<string, unknown>,
): Promise<HookStatus["events"]> {
  const states: { event: string; state: EventState }[] = [];
  for (const [event, entries] of Object.entries(agent.install.entries)) {
    const install = { ...agent.install, entries: { [event]: entries } };
    const { changed } = await planFor(world, target, { ...agent, install });
    states.push({
      event,
      state: !ours.has(event) ? "missing" : changed ? "stale" : "installed",
    });
  }
  return states;
}

function commandOf(
  agent: Agent,
  ours: ReadonlyMap<string, readonly JsonObject[]>,
): string | undefined {
  return commandIn([...ours].find(([event]) => agent.failsClosed(event))?.[1][0]);
}

/** The command of a handler for a POSIX shell, undefined where it has none. */
export function commandIn(handler: JsonObject | undefined): string | undefined {
  const command = handler?.["command"] ?? handler?.["bash"];
  return typeof command === "string" ? command : undefined;
}

function eventProblems(
  file: string,
  events: HookStatus["events"],
  again: string,
): Problem[] {
  return (["missing", "stale"] as const).flatMap((state) => {
    const names = events.filter((one) => one.state === state).map((one) => one.event);
    if (names.length === 0) return [];
    const what = state === "missing"
      ? `gitvow is not called for ${names.join(", ")}`
      : `the entries for ${names.join(", ")} are not as this gitvow writes them`;
    return [{ what: `In ${file} ${what}`, mend: `run \`${again}\`` }];
  });
}

/** What is wrong with the program that the recorded command names. */
function programProblems(
  system: System,
  target: Target,
  agent: Agent,
  file: string,
  command: string | undefined,
): Problem[] {
  const again = installCommand(target, agent, system);
  if (command === undefined) {
    return [{
      what: `Nothing in ${file} calls gitvow before a tool, so every tool runs unjudged`,
      mend: `run \`${again}\``,
    }];
  }
  const bare = "run `gitvow install --user` and put ~/.gitvow/bin on PATH";
  const mend = target.scope === "user" ? `run \`${again}\` from where gitvow is now` : bare;
  try {
    const { program } = readCommand(command, target.root, system);
    const real = system.files.realPath(program);
    const info = real === undefined ? undefined : system.files.lookAt(real);
    const runnable = info?.kind === "file" &&
      (system.os === "windows" || ((info.mode ?? 0) & 0o111) !== 0);
    if (runnable) return [];
    const why = info === undefined ? "is not there" : "is not an executable file";
    return [{ what: `${file} calls ${tildify(program, system.home)}, which ${why}`, mend }];
  } catch (error) {
    return [{
      what: `${file} calls a program that is not found: ${problemOf(error, "").what}`,
      mend,
    }];
  }
}
