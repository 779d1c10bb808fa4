/** Reads a call's actions and commands and the policies they fall under: what the stages look at. */
import type { HookCall } from "../domain/call.ts";
import { Failure } from "../domain/failure.ts";
import { type LayerCache, loadPolicy } from "../policy/load.ts";
import { repositoriesOf } from "../policy/repository.ts";
import type { Reading } from "../shell/reading.ts";
import { dirname, isAbsolute, normalize, slashed } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import { actionsOf } from "./actions.ts";
import { withinBounds } from "./bounds.ts";
import type { GateContext, ReadCommand } from "./context.ts";
import { withPushedBranch } from "./current_branch.ts";
import { readStatements, withDeletions } from "./implied.ts";
import { spelledUse } from "./paths.ts";
import { type Spelled, Speller } from "./spellings.ts";

/** What the gate is told besides the call. */
export interface GateOptions {
  readonly system: System;
  readonly executables: readonly string[];
  readonly deadline: number;
}

/** The home, or a `Failure` that says how to set it. */
export function homeOf(system: System): string {
  if (system.home === undefined || !isAbsolute(system.home)) {
    throw new Failure(
      "The home directory is not known: HOME is not set to an absolute path",
      "set HOME for the agent and its hooks",
    );
  }
  return system.home;
}

/** The call's working directory. Throws a `Failure` where it is not an existing directory. */
export function workingDirectory(system: System, given: string): string {
  const cwd = given === "" ? system.cwd() : slashed(given, system.os);
  if (cwd === undefined || !isAbsolute(cwd) || !system.files.isDirectory(cwd)) {
    throw new Failure(
      cwd === undefined
        ? "The working directory no longer exists"
        : `The working directory "${cwd}" is not an existing directory`,
      "start the agent again from a directory that exists",
    );
  }
  // Walking up from a path with `..` in it would pass folders that do not hold it.
  return cwd.includes("/..") ? system.files.realPath(cwd) ?? normalize(cwd) : normalize(cwd);
}

/** Reads one PreToolUse call. Throws a `Failure` where the policies cannot be loaded. */
export async function prepare(call: HookCall, options: GateOptions): Promise<GateContext> {
  const { system } = options;
  const home = homeOf(system);
  const cwd = workingDirectory(system, call.payload.cwd);
  const cache: LayerCache = new Map();
  const around = repositoriesOf(system.files, cwd);
  const actions = actionsOf({ ...call, payload: { ...call.payload, cwd } });
  const commands: ReadCommand[] = [];
  for (const action of actions) {
    if (action.kind === "sql") commands.push(readStatements(action.statements, cwd));
    if (action.kind !== "shell") continue;
    const reading = await read(action.command, action.dialect, { cwd, home });
    commands.push({
      command: action.command,
      reading: withPushedBranch(withDeletions(withinBounds(reading)), system.files),
    });
  }
  const speller = new Speller(system, home, cwd);
  const repositories = new Set(around);
  for (const spelled of placesOf(actions, commands, cwd, speller)) {
    for (const top of spelled.repositories) repositories.add(top);
  }
  return {
    system,
    home,
    cwd,
    repo: around[0],
    policy: await loadPolicy(system, home, [...repositories], cache),
    actions,
    commands,
    speller,
    executables: options.executables,
    deadline: options.deadline,
    failures: [],
  };
}

async function read(
  command: string,
  dialect: "posix" | "powershell",
  context: { cwd: string; home: string },
): Promise<Reading> {
  if (dialect === "posix") {
    const { readCommand } = await import("../shell/read.ts");
    return await readCommand(command, context);
  }
  const { readPowerShellCommand } = await import("../shell/powershell.ts");
  return await readPowerShellCommand(command, context);
}

/** Directories and files the call has to do with: their repositories' policies hold as well. */
function placesOf(
  actions: GateContext["actions"],
  commands: readonly ReadCommand[],
  cwd: string,
  speller: Speller,
): Set<Spelled> {
  const places = new Set<Spelled>();
  for (const action of actions) {
    if (action.kind === "write" || action.kind === "read") places.add(speller.spell(action.path));
  }
  for (const { reading } of commands) {
    for (const { place } of reading.invocations) {
      if (place.kind === "elsewhere" || place.cwd === undefined || place.cwd === cwd) continue;
      places.add(speller.spell(place.cwd));
    }
    for (const file of reading.files) {
      if (file.resolved === undefined) continue;
      const spelled = file.path.glob
        ? speller.spell(dirname(file.resolved))
        : spelledUse(file, reading, speller);
      if (spelled !== undefined) places.add(spelled);
    }
  }
  return places;
}
