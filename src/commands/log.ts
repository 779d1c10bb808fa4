/** `gitvow log`: reads the record of a session, or lists the sessions there are. */
import { Failure } from "../domain/failure.ts";
import { homeOf } from "../gate/prepare.ts";
import { type Entry, ENTRY_KINDS, sessionFile, sessionsDirectory } from "../record/journal.ts";
import {
  newTally,
  readEntries,
  readSessions,
  type SessionSummary,
  type Tally,
} from "../record/read.ts";
import { shortened, visible } from "../domain/visible.ts";
import type { System } from "../system/system.ts";
import type { Style, Terminal } from "../system/terminal.ts";
import type { Command, CommandWorld } from "./command.ts";
import { existingHome, needFolders } from "./folders.ts";

export interface LogFlags {
  readonly outcome: string | undefined;
  readonly kind: string | undefined;
  /** As typed: a whole number from 1 on. */
  readonly limit: string;
  readonly sessions: boolean;
  readonly json: boolean;
}

const OUTCOMES = ["allow", "confirm", "deny"] as const;

/** Characters of a detail and of a reason that one line shows. */
const DETAIL_WIDTH = 120;
const REASON_WIDTH = 200;

const OUTCOME_STYLES: Readonly<Record<Entry["outcome"], Style>> = {
  allow: "green",
  confirm: "yellow",
  deny: "red",
  none: "dim",
};

/** Prints the latest entries of a session, oldest first; with `--json` one object a line. */
export const log: Command<LogFlags> = (world, flags, words) => {
  const { system, terminal } = world;
  const home = existingHome(system);
  const wanted = filterOf(flags);
  const limit = limitOf(flags);
  if (flags.sessions) refuseFilters(flags, words);
  needFolders(system, `${home}/.gitvow`, sessionsDirectory(home));
  if (flags.sessions) return listSessions(world, flags.json, limit);
  const session = chosenSession(system, words[0]);
  if (session === undefined) {
    if (!flags.json) terminal.out("Nothing has been recorded yet.");
    return 0;
  }
  const tally = newTally();
  const latest: Entry[] = [];
  for (const entry of readEntries(system, session, tally)) {
    if (!wanted(entry)) continue;
    latest.push(entry);
    if (latest.length > limit) latest.shift();
  }
  for (const entry of latest) {
    terminal.out(flags.json ? JSON.stringify(entry) : entryText(entry, terminal));
  }
  if (!flags.json && latest.length === 0) {
    terminal.out(`Session ${visible(session)} has no such entries.`);
  }
  return sayUnread(tally, session, terminal);
};

/** Which entries the flags ask for. Throws a `Failure` that lists the right words for a wrong one. */
function filterOf({ outcome, kind }: LogFlags): (entry: Entry) => boolean {
  if (outcome !== undefined) oneOf("--outcome", outcome, OUTCOMES);
  if (kind !== undefined) oneOf("--kind", kind, ENTRY_KINDS);
  return (entry) =>
    (outcome === undefined || entry.outcome === outcome) &&
    (kind === undefined || entry.kind === kind);
}

function limitOf({ limit }: LogFlags): number {
  const number = Number(limit);
  if (/^\d+$/.test(limit) && Number.isSafeInteger(number) && number > 0) return number;
  throw new Failure(`--limit "${limit}" is not a number of entries`, "write 1 or more");
}

/** Throws a `Failure` where something is given that a list of sessions would leave out of account. */
function refuseFilters({ outcome, kind }: LogFlags, [session]: readonly string[]): void {
  const given = outcome !== undefined ? "--outcome" : kind !== undefined ? "--kind" : session;
  if (given === undefined) return;
  const what = given === session ? `session "${session}"` : given;
  throw new Failure(`--sessions and ${what} exclude each other`, "leave one of them out");
}

function oneOf(flag: string, given: string, words: readonly string[]): void {
  if (words.includes(given)) return;
  throw new Failure(`${flag} "${given}" is not known`, `use one of: ${words.join(", ")}`);
}

/** The session named (a beginning that only one session has will do), else the latest. */
function chosenSession(system: System, named: string | undefined): string | undefined {
  if (named !== undefined && named !== "") {
    const file = sessionFile(homeOf(system), named, system.now());
    if (system.files.lookAt(file) !== undefined) return named;
  }
  const sessions = readSessions(system);
  if (named === undefined) return sessions[0]?.id;
  const matching = sessions.filter((session) => session.id.startsWith(named));
  const [first, second] = matching;
  if (first === undefined) {
    throw new Failure(
      `There is no session "${named}" in the record`,
      "`gitvow log --sessions` lists them",
    );
  }
  if (second === undefined) return first.id;
  throw new Failure(
    `${matching.length} sessions begin with "${named}"`,
    `write more of its id: ${matching.slice(0, 5).map((session) => session.id).join(", ")}`,
  );
}

/** Says on standard error what of the record could not be read. */
function sayUnread(tally: Tally, session: string, terminal: Terminal): 0 | 1 {
  if (tally.skipped > 0) {
    const lines = tally.skipped === 1 ? "1 line is" : `${tally.skipped} lines are`;
    terminal.err(`gitvow: ${lines} torn or not an entry, and left out`);
  }
  if (tally.unreadable === undefined) return 0;
  terminal.err(`gitvow: The record of ${visible(session)} cannot be read: ${tally.unreadable}`);
  return 1;
}

/** One entry on one line: local time, what happened, tool, detail, the strictest finding. */
export function entryText(entry: Entry, terminal: Terminal): string {
  const decided = entry.kind === "tool_call" && entry.outcome !== "none";
  const style = decided || !entry.kind.endsWith("_failed") ? OUTCOME_STYLES[entry.outcome] : "red";
  const word = terminal.paint(style, (decided ? entry.outcome : entry.kind).padEnd(7));
  const parts = [localTime(entry.at), word, entry.tool || entry.event];
  if (entry.detail !== "") parts.push(shortened(visible(entry.detail), DETAIL_WIDTH));
  const [first] = entry.findings;
  if (first !== undefined) {
    const reason = shortened(visible(`${first.reason} (${first.source})`), REASON_WIDTH);
    const more = entry.findings.length > 1 ? ` and ${entry.findings.length - 1} more` : "";
    parts.push(terminal.paint("dim", `${reason}${more}`));
  }
  return parts.filter((part) => part !== "").join("  ");
}

/** An entry's time in the time zone of this machine: `2026-01-02 03:04:05`. */
export function localTime(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${day} ${time}`;
}

function listSessions({ system, terminal }: CommandWorld, json: boolean, limit: number): 0 {
  const sessions = readSessions(system).slice(0, limit).reverse();
  for (const session of sessions) {
    terminal.out(json ? JSON.stringify(session) : sessionText(session, terminal));
  }
  if (sessions.length === 0 && !json) terminal.out("Nothing has been recorded yet.");
  return 0;
}

function sessionText(session: SessionSummary, terminal: Terminal): string {
  const { outcomes, failures, skipped } = session;
  const count = (style: Style, number: number, what: string) =>
    number === 0 ? [] : [terminal.paint(style, `${number} ${what}`)];
  const counts = [
    ...count("green", outcomes.allow, "allowed"),
    ...count("yellow", outcomes.confirm, "asked"),
    ...count("red", outcomes.deny, "denied"),
    ...count("red", failures, "failed"),
    ...count("dim", skipped, "unreadable"),
  ];
  if (session.unreadable !== undefined) counts.push(terminal.paint("red", session.unreadable));
  const entries = `${session.entries} ${session.entries === 1 ? "entry" : "entries"}`;
  return [
    session.last === "" ? "unknown time       " : localTime(session.last),
    visible(session.id),
    session.agent,
    entries,
    counts.join(", "),
  ].filter((part) => part !== "").join("  ");
}
