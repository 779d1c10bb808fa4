/**
 * What install put into which settings file, kept in `~/.gitvow/installs.json`, so that uninstall
 * gives the original bytes back. It holds gitvow's own text and hashes, never a copy of settings.
 */

import { Failure } from "../domain/failure.ts";
import type { System } from "../system/system.ts";
import type { Insertion } from "./text_edit.ts";

/** A text of the settings file, known by its SHA-256, and which parts of it are insertions. */
export interface InstallState {
  readonly sha256: string;
  readonly insertions: readonly Insertion[];
}

/** One installation, by the absolute path of its settings file. */
export interface InstallRecord {
  /** True where install made the file. */
  readonly created: boolean;
  /** Absolute paths of the directories that install made for it, outermost first. */
  readonly directories: readonly string[];
  /** The text after install; two while a write is under way, the new one first. */
  readonly states: readonly InstallState[];
}

/** Bytes of ledger past which it counts as broken. */
const LIMIT = 16 * 1024 * 1024;

/** What is recorded about a settings file; undefined too where the ledger is missing or broken. */
export function readRecord(system: System, path: string): InstallRecord | undefined {
  return readLedger(system).get(path);
}

/**
 * Records an installation, or forgets it where `record` is undefined. A broken ledger is begun
 * anew. Throws a Failure where there is no home, and the runtime's error where writing fails.
 */
export function writeRecord(
  system: System,
  path: string,
  record: InstallRecord | undefined,
): void {
  const ledger = readLedger(system);
  if (record === undefined && !ledger.delete(path)) return;
  if (record !== undefined) ledger.set(path, record);
  const text = JSON.stringify({ version: 1, files: Object.fromEntries(ledger) }, null, 2);
  const directory = stateDirectory(system);
  system.files.makeDirectory(directory, 0o700);
  system.files.writeAtomic(
    `${directory}/installs.json`,
    new TextEncoder().encode(`${text}\n`),
    0o600,
  );
}

/** The SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export async function sha256Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function stateDirectory(system: System): string {
  if (system.home === undefined) {
    throw new Failure("Cannot record the installation: there is no home directory", "Set HOME");
  }
  return `${system.home}/.gitvow`;
}

function readLedger(system: System): Map<string, InstallRecord> {
  const ledger = new Map<string, InstallRecord>();
  const read = system.files.read(`${stateDirectory(system)}/installs.json`, LIMIT);
  if (read.kind !== "read") return ledger;
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(read.bytes));
  } catch {
    return ledger;
  }
  if (!isObject(data) || data.version !== 1 || !isObject(data.files)) return ledger;
  for (const [path, value] of Object.entries(data.files)) {
    if (isRecord(value)) ledger.set(path, value);
  }
  return ledger;
}

function isRecord(value: unknown): value is InstallRecord {
  return isObject(value) && typeof value.created === "boolean" &&
    Array.isArray(value.directories) &&
    value.directories.every((directory) => typeof directory === "string") &&
    Array.isArray(value.states) && value.states.every(isState);
}

function isState(value: unknown): value is InstallState {
  return isObject(value) && typeof value.sha256 === "string" &&
    Array.isArray(value.insertions) && value.insertions.every(isInsertion);
}

function isInsertion(value: unknown): value is Insertion {
  return isObject(value) && typeof value.text === "string" && value.text !== "" &&
    typeof value.offset === "number" && Number.isSafeInteger(value.offset) && value.offset >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
