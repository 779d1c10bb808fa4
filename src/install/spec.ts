/**
 * What an agent tells the installer: which settings files it reads and which hook entries go there.
 */

import type { JsonObject } from "../domain/call.ts";

/** Where an installation goes: the settings of one person, or those of one repository. */
export type Scope = "user" | "repository";

/** The text in an entry's strings that stands for the command to run gitvow. */
export const PLACEHOLDER = "__GITVOW__";

/** Hook entries per agent event, each a flat handler or a group with a `hooks` array of handlers. */
export type Entries = Readonly<Record<string, readonly JsonObject[]>>;

/** One agent's installation, agent-independent in shape. Paths are relative and use `/`. */
export interface InstallSpec {
  /** The settings file under the home directory. */
  readonly userFile: string;
  /** The settings file under the repository's top level. */
  readonly repoFile: string;
  readonly entries: Entries;
  /** A top-level key set to 1 when the file is created, for agents that want one. */
  readonly versionKey: string | undefined;
}

/**
 * The command that takes the placeholder's place: one text for every member, or a function from
 * the member's name (`command`, `bash`, `powershell`), since shells quote differently.
 */
export type CommandFor = string | ((member: string) => string);

/** The entries with every placeholder in a string value replaced by the command. */
export function fillEntries(entries: Entries, command: CommandFor): Entries {
  const filled: [string, JsonObject[]][] = [];
  for (const [event, list] of Object.entries(entries)) {
    filled.push([event, list.map((entry) => fillObject(entry, command))]);
  }
  return Object.fromEntries(filled);
}

function fillObject(object: JsonObject, command: CommandFor): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, fillValue(value, key, command)]),
  );
}

function fillValue(value: unknown, member: string, command: CommandFor): unknown {
  if (typeof value === "string") {
    const text = typeof command === "string" ? command : command(member);
    return value.replaceAll(PLACEHOLDER, () => text);
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, member, command));
  if (typeof value === "object" && value !== null) return fillObject(value as JsonObject, command);
  return value;
}
