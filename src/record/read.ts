/**
 * Reads the record back, for `gitvow log` and `gitvow status`.
 *
 * Lines that a crash tore or that something else wrote are counted and stepped over. One file at a
 * time is in memory, and of it one parsed line.
 */
import type { Finding } from "../domain/finding.ts";
import type { FileRead, System } from "../system/system.ts";
import {
  type Entry,
  ENTRY_KINDS,
  type EntryKind,
  sessionFile,
  sessionsDirectory,
} from "./journal.ts";

/** The longest session file that is read, in bytes. */
const FILE_LIMIT = 256 * 1024 * 1024;

/** One session, added up. */
export interface SessionSummary {
  /** The session's id, or `unknown-<date>` for what came without one. */
  readonly id: string;
  readonly agent: string;
  /** When its first and last entries were made, as they say. */
  readonly first: string;
  readonly last: string;
  readonly entries: number;
  readonly outcomes: Readonly<Record<Entry["outcome"], number>>;
  /** Entries of the kinds that end in `_failed`. */
  readonly failures: number;
  /** Lines that are no entries. */
  readonly skipped: number;
  /** Why the file could not be read, in which case all counts are 0. */
  readonly unreadable: string | undefined;
}

/** Counts what `readEntries` went over; given to it so that it is known when the entries end. */
export interface Tally {
  read: number;
  /** Lines that are no entries. */
  skipped: number;
  /** Why the file could not be read; undefined where it was, or where there is none. */
  unreadable: string | undefined;
}

/** A tally in which nothing is counted yet. */
export function newTally(): Tally {
  return { read: 0, skipped: 0, unreadable: undefined };
}

/** Every session in the record, the latest first. */
export function readSessions(system: System): SessionSummary[] {
  const home = system.home;
  if (home === undefined) return [];
  const directory = sessionsDirectory(home);
  return system.files.list(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => summarize(system, `${directory}/${name}`, name.slice(0, -".jsonl".length)))
    .sort((a, b) => a.last < b.last ? 1 : a.last > b.last ? -1 : a.id < b.id ? -1 : 1);
}

/** The entries of one session in the order they were made; none where there is no such session. */
export function* readEntries(
  system: System,
  sessionId: string,
  tally: Tally = newTally(),
): Generator<Entry, void, undefined> {
  if (system.home === undefined) return;
  yield* entriesOf(system, sessionFile(system.home, sessionId, system.now()), tally);
}

function summarize(system: System, path: string, name: string): SessionSummary {
  const tally = newTally();
  const outcomes = { allow: 0, confirm: 0, deny: 0, none: 0 };
  let id = name;
  let agent = "";
  let first = "";
  let last = "";
  let failures = 0;
  for (const entry of entriesOf(system, path, tally)) {
    if (entry.session !== "") id = entry.session;
    if (agent === "") agent = entry.agent;
    // Parallel hooks write in the order they finish.
    if (first === "" || entry.at < first) first = entry.at;
    if (entry.at > last) last = entry.at;
    outcomes[entry.outcome]++;
    if (entry.kind.endsWith("_failed")) failures++;
  }
  const { read: entries, skipped, unreadable } = tally;
  return { id, agent, first, last, entries, outcomes, failures, skipped, unreadable };
}

function* entriesOf(
  system: System,
  path: string,
  tally: Tally,
): Generator<Entry, void, undefined> {
  const info = system.files.lookAt(path);
  if (info === undefined) return;
  const read: FileRead = info.kind === "file"
    ? system.files.read(path, FILE_LIMIT)
    : { kind: "unreadable", why: "it is not a plain file" };
  if (read.kind === "missing") return;
  if (read.kind === "unreadable") {
    tally.unreadable = read.why;
    return;
  }
  const decoder = new TextDecoder();
  for (let from = 0; from < read.bytes.length;) {
    const found = read.bytes.indexOf(0x0a, from);
    const to = found < 0 ? read.bytes.length : found;
    const line = decoder.decode(read.bytes.subarray(from, to)).trim();
    from = to + 1;
    if (line === "") continue;
    const entry = parseEntry(line);
    if (entry === undefined) tally.skipped++;
    else {
      tally.read++;
      yield entry;
    }
  }
}

/** The entry that a line holds, or undefined where it holds none of this version. */
export function parseEntry(line: string): Entry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value["v"] !== 1) return undefined;
  const { at, kind, outcome } = value;
  if (typeof at !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at)) {
    return undefined;
  }
  if (!isKind(kind) || !isOutcome(outcome)) return undefined;
  return {
    v: 1,
    at,
    kind,
    agent: textOf(value["agent"]),
    session: textOf(value["session"]),
    event: textOf(value["event"]),
    tool: textOf(value["tool"]),
    outcome,
    findings: Array.isArray(value["findings"]) ? value["findings"].flatMap(findingOf) : [],
    detail: textOf(value["detail"]),
    cwd: textOf(value["cwd"]),
    repo: textOf(value["repo"]),
    tool_use_id: textOf(value["tool_use_id"]),
    ms: typeof value["ms"] === "number" ? value["ms"] : 0,
  };
}

function findingOf(value: unknown): Finding[] {
  if (!isObject(value)) return [];
  const { outcome, evidence } = value;
  if (outcome !== "observe" && outcome !== "confirm" && outcome !== "deny") return [];
  return [{
    outcome,
    subject: textOf(value["subject"]),
    reason: textOf(value["reason"]),
    evidence: Array.isArray(evidence) ? evidence.filter((text) => typeof text === "string") : [],
    source: textOf(value["source"]),
  }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isKind(value: unknown): value is EntryKind {
  return (ENTRY_KINDS as readonly unknown[]).includes(value);
}

function isOutcome(value: unknown): value is Entry["outcome"] {
  return value === "allow" || value === "confirm" || value === "deny" || value === "none";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
