/**
 * The record of a session: what was asked, what gitvow decided, what failed. One JSON object a line
 * in `~/.gitvow/sessions/<session>.jsonl`, readable only by its owner, without secrets.
 */
import { Failure, messageOf } from "../domain/failure.ts";
import type { Decision, Finding } from "../domain/finding.ts";
import { tildify } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import { redact } from "./redact.ts";

/** What an entry is about. */
export const ENTRY_KINDS = [
  "session_start",
  "prompt",
  "tool_call",
  "tool_result",
  "adapter_failed",
  "provider_failed",
  "classifier_failed",
  "hook_failed",
  "approval",
  "session_stop",
] as const;

export type EntryKind = (typeof ENTRY_KINDS)[number];

/** One line of the record. Empty strings stand for what the agent did not say. */
export interface Entry {
  readonly v: 1;
  /** UTC with milliseconds: `2026-01-02T03:04:05.678Z`. */
  readonly at: string;
  readonly kind: EntryKind;
  readonly agent: string;
  readonly session: string;
  /** The agent's own name for the event. */
  readonly event: string;
  readonly tool: string;
  /** What was decided; `none` where there was nothing to decide. */
  readonly outcome: Decision["outcome"] | "none";
  readonly findings: readonly Finding[];
  /** The command or the path, or what failed; never the contents of a file or a prompt. */
  readonly detail: string;
  readonly cwd: string;
  /** Top level of the repository that holds `cwd`. */
  readonly repo: string;
  readonly tool_use_id: string;
  /** How long gitvow took, in milliseconds. */
  readonly ms: number;
}

/** UTF-16 units that are kept of a detail and of each other text. */
export const DETAIL_LIMIT = 500;
const TEXT_LIMIT = 500;
const PATH_LIMIT = 4096;
const SESSION_LIMIT = 1024;

/** Findings, and pieces of evidence of each, that one entry keeps. */
const FINDINGS_LIMIT = 64;
const EVIDENCE_LIMIT = 8;

/** Of a longer text only this much is read: what is kept of it lies far in front of the end. */
const READ_LIMIT = 64 * 1024;

/** The line that keeps `entry`, without its line end: redacted, bounded, and one line for any reader. */
export function entryLine(entry: Entry): string {
  const line: Entry = {
    v: 1,
    at: kept(entry.at, 40),
    kind: entry.kind,
    agent: kept(entry.agent, 100),
    session: sessionKey(entry.session),
    event: kept(entry.event, 100),
    tool: kept(entry.tool, 200),
    outcome: entry.outcome,
    findings: entry.findings.slice(0, FINDINGS_LIMIT).map(keptFinding),
    detail: kept(entry.detail, DETAIL_LIMIT),
    cwd: kept(entry.cwd, PATH_LIMIT),
    repo: kept(entry.repo, PATH_LIMIT),
    tool_use_id: kept(entry.tool_use_id, 200),
    ms: Number.isFinite(entry.ms) ? Math.round(entry.ms * 1000) / 1000 : 0,
  };
  return JSON.stringify(line).replace(/[\u007f-\u009f\u2028\u2029]/g, escaped);
}

/** Where the entries of a session are kept; `now` names the day for a session without an id. */
export function sessionFile(home: string, sessionId: string, now: number): string {
  return `${sessionsDirectory(home)}/${sessionName(sessionId, now)}.jsonl`;
}

/** The folder that holds one file for each session. */
export function sessionsDirectory(home: string): string {
  return `${home}/.gitvow/sessions`;
}

/** Appends an entry to its session's file; what stood in the way comes back and is never thrown. */
export function record(system: System, entry: Entry): Failure | undefined {
  const home = system.home;
  if (home === undefined) {
    return new Failure("Cannot record the session: no home directory is set", "Set HOME");
  }
  try {
    const path = sessionFile(home, entry.session, system.now());
    system.files.makeDirectory(sessionsDirectory(home), 0o700);
    system.files.appendLine(path, entryLine(entry), 0o600);
    return undefined;
  } catch (thrown) {
    const place = tildify(sessionsDirectory(home), home);
    return new Failure(
      `Cannot record the session in "${place}": ${messageOf(thrown)}`,
      `Make room and make "${place}" writable for yourself`,
      { cause: thrown },
    );
  }
}

/** A finding as it is kept: redacted and bounded. */
export function keptFinding(finding: Finding): Finding {
  return {
    outcome: finding.outcome,
    subject: kept(finding.subject, TEXT_LIMIT),
    reason: kept(finding.reason, TEXT_LIMIT),
    evidence: finding.evidence.slice(0, EVIDENCE_LIMIT).map((text) => kept(text, TEXT_LIMIT)),
    source: kept(finding.source, TEXT_LIMIT),
  };
}

/** A text redacted and cut to `limit` UTF-16 units, never inside a character or a secret. */
function kept(text: string, limit: number): string {
  return cut(redact(readable(text)).toWellFormed(), limit);
}

/** The part of a text that is read: cut at a space where one is near, so that no secret is halved. */
function readable(text: string): string {
  if (text.length <= READ_LIMIT) return text;
  const head = text.slice(0, READ_LIMIT);
  const space = Math.max(head.lastIndexOf(" "), head.lastIndexOf("\n"));
  return space > READ_LIMIT / 2 ? head.slice(0, space) : head;
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A session id as it is kept: whole, but for what is longer than any id is. */
function sessionKey(sessionId: string): string {
  return cut(sessionId.toWellFormed(), SESSION_LIMIT);
}

/** Names that Windows keeps for devices, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** A session's file name: its id where that is safe, else `@` (never in a safe id) and a hash. */
function sessionName(sessionId: string, now: number): string {
  const key = sessionKey(sessionId);
  if (key === "") return `unknown-${new Date(now).toISOString().slice(0, 10)}`;
  const safe = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(key) && !DEVICE.test(key);
  return safe ? key : `@${fnv128(key)}`;
}

/**
 * FNV-1a with 128 bits over UTF-8, as 32 hexadecimal digits. It only spreads names, synchronously;
 * the id itself stands in every entry, so an id made to collide hides nothing.
 */
function fnv128(text: string): string {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x0000000001000000000000000000013bn);
  }
  return hash.toString(16).padStart(32, "0");
}
