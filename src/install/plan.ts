/**
 * What installing or uninstalling would do to one settings file, worked out without writing.
 */

import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { Failure, messageOf } from "../domain/failure.ts";
import { tildify } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import { insertEntries } from "./insert.ts";
import { type InstallRecord, type InstallState, readRecord, sha256Of } from "./ledger.ts";
import { countOurs, isVacant, removeEntries } from "./remove.ts";
import { type CommandFor, fillEntries, type InstallSpec, type Scope } from "./spec.ts";
import { checkTarget, type Target } from "./target.ts";
import { type Insertion, locate } from "./text_edit.ts";

/** Bytes of settings file past which it is refused. */
const LIMIT = 16 * 1024 * 1024;

/** One change to one settings file, ready to be shown or applied. */
export interface Plan {
  /** Absolute path of the file that would be written, links resolved. */
  readonly path: string;
  /** The text now; undefined where there is no file. */
  readonly before: string | undefined;
  /** The text afterwards; undefined where there would be no file. */
  readonly after: string | undefined;
  readonly changed: boolean;
  /** The change as a unified diff, empty where nothing changes. */
  diff(): string;
  readonly scope: Scope;
  readonly target: Target;
  /** What the ledger says about the file now. */
  readonly recorded: InstallRecord | undefined;
  /** What it is to say afterwards. */
  readonly record: InstallRecord | undefined;
}

/** Where to install or uninstall; `root` is the home or the repository's top level, absolute. */
export interface Place {
  readonly spec: InstallSpec;
  readonly scope: Scope;
  readonly root: string;
}

/**
 * Plans putting the agent's entries into its settings, with `command` for the placeholder. Throws
 * a Failure where the file must not or cannot be edited.
 */
export async function planInstall(
  system: System,
  request: Place & { readonly command: CommandFor },
): Promise<Plan> {
  const { spec, scope } = request;
  const target = targetOf(system, request);
  const before = readText(system, target, "install into");
  const recorded = readRecord(system, target.path);
  const entries = fillEntries(spec.entries, request.command);
  const edit = await refusing(system, target.path, "install into", async () => {
    const known = before !== undefined && recorded !== undefined && countOurs(before) > 0;
    const state = known ? await stateOf(recorded, before) : undefined;
    const remembered = state === undefined ? [] : locate(before ?? "", state.insertions);
    return { known, ...insertEntries(before ?? "", entries, spec.versionKey, remembered) };
  });
  const after = before === undefined && edit.text === "" ? undefined : edit.text;
  const record = after === before || after === undefined
    ? recorded
    : await recordOf(system, target, before, after, edit.insertions, edit.known && recorded);
  return planOf(system, { scope, target, before, after, recorded, record });
}

/** The record of an install; `earlier` is that of the one whose entries it changes, if any. */
async function recordOf(
  system: System,
  target: Target,
  before: string | undefined,
  after: string,
  insertions: readonly Insertion[],
  earlier: InstallRecord | false | undefined,
): Promise<InstallRecord> {
  const states = [{ sha256: await sha256Of(after), insertions }];
  if (before !== undefined) {
    const { created = false, directories = [] } = earlier || {};
    return { created, directories, states };
  }
  const made = standing(system, readRecord(system, target.path));
  return { created: true, directories: [...new Set([...made, ...target.missing])], states };
}

/** Plans taking gitvow's entries out again. Throws a Failure as `planInstall` does. */
export async function planUninstall(system: System, place: Place): Promise<Plan> {
  const { spec, scope } = place;
  const target = targetOf(system, place);
  const before = readText(system, target, "uninstall from");
  const recorded = readRecord(system, target.path);
  const after = before === undefined
    ? undefined
    : await refusing(system, target.path, "uninstall from", async () => {
      const state = recorded && await stateOf(recorded, before);
      const { text, removed } = removeEntries(before, state?.insertions);
      const emptied = removed > 0 && recorded?.created === true && isVacant(text, spec.versionKey);
      return emptied ? undefined : text;
    });
  return planOf(system, { scope, target, before, after, recorded, record: undefined });
}

/**
 * The settings file's text, byte order mark included, or undefined where there is none. Throws a
 * Failure that begins `Cannot <verb>` where it cannot be read or is not UTF-8.
 */
export function readText(system: System, target: Target, verb: string): string | undefined {
  const read = system.files.read(target.path, LIMIT);
  if (read.kind === "missing") return undefined;
  if (read.kind === "unreadable") throw refusal(system, target.path, verb, read.why);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read.bytes);
  } catch {
    throw refusal(system, target.path, verb, "it is not valid UTF-8", "Save it as UTF-8");
  }
}

/** A refusal that names the file as a person would write it. */
export function refusal(
  system: System,
  path: string,
  verb: string,
  why: string,
  remedy = "",
  options?: ErrorOptions,
): Failure {
  const name = JSON.stringify(tildify(path, homeOf(system, path)));
  return new Failure(`Cannot ${verb} ${name}: ${why}`, remedy, options);
}

function targetOf(system: System, { spec, scope, root }: Place): Target {
  return checkTarget(system, scope, root, scope === "user" ? spec.userFile : spec.repoFile);
}

/** The recorded state that the text is in; the newest where it was edited since. */
async function stateOf(record: InstallRecord, text: string): Promise<InstallState | undefined> {
  const sha256 = await sha256Of(text);
  return record.states.find((state) => state.sha256 === sha256) ?? record.states[0];
}

/** The directories that an earlier install made and that are still there. */
function standing(system: System, record: InstallRecord | undefined): readonly string[] {
  return (record?.directories ?? []).filter((directory) => system.files.isDirectory(directory));
}

async function refusing<T>(
  system: System,
  path: string,
  verb: string,
  edit: () => Promise<T>,
): Promise<T> {
  try {
    return await edit();
  } catch (error) {
    const remedy = error instanceof Failure ? error.remedy : "";
    throw refusal(system, path, verb, messageOf(error), remedy, { cause: error });
  }
}

function planOf(system: System, facts: Omit<Plan, "path" | "changed" | "diff">): Plan {
  const { before, after, target: { path } } = facts;
  const name = tildify(path, homeOf(system, path));
  return {
    ...facts,
    path,
    changed: before !== after,
    diff: () => before === after ? "" : unifiedDiff(name, before, after),
  };
}

function unifiedDiff(
  name: string,
  before: string | undefined,
  after: string | undefined,
): string {
  const patch = createTwoFilesPatch(
    before === undefined ? "/dev/null" : name,
    after === undefined ? "/dev/null" : name,
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
  // Control characters in a comment must not reach the person's terminal.
  return patch.replace(
    /(?![\t\n]|\r\n)\p{Cc}/gu,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** The home as it stands in `path`, where links may have been resolved. */
function homeOf(system: System, path: string): string | undefined {
  const { home } = system;
  const real = home === undefined ? undefined : system.files.realPath(home);
  return real !== undefined && path.startsWith(`${real}/`) ? real : home;
}
