/**
 * The files behind approvals: written whole and sealed with gitvow's secret, read with suspicion,
 * swept when old. A file that is not exactly what gitvow writes counts as absent, never as an
 * approval.
 */
import type { Finding } from "../domain/finding.ts";
import type { System } from "../system/system.ts";
import { seal } from "./approvalsecret.ts";

/**
 * From what the names of a finding's two grants are made: sealed hashes, which tell nothing of the
 * call and cannot be made without the secret.
 */
export interface GrantTokens {
  readonly once: string;
  readonly session: string;
}

/** A confirmation that waits for a person. */
export interface PendingConfirmation {
  readonly code: string;
  /** When it was last offered, in milliseconds since 1970 UTC. */
  readonly at: number;
  /** Sealed hash of the call with its findings. */
  readonly key: string;
  readonly agent: string;
  readonly session: string;
  readonly tool: string;
  readonly cwd: string;
  /** What a person has to agree to, redacted. */
  readonly findings: readonly Finding[];
  /** The tokens of each finding, in the same order. */
  readonly tokens: readonly GrantTokens[];
}

const MINUTE = 60_000;

/** How long an offer waits, and an approval for one call holds. */
const FRESH_MS = 10 * MINUTE;

/** How long an approval for a session holds at the most; sessions end unseen. */
const SESSION_MS = 30 * 24 * 60 * MINUTE;

/** How long files are kept: past their time, so that a late code is told from an unknown one. */
const KEPT_MS: Readonly<Record<string, number>> = {
  pending: 24 * 60 * MINUTE,
  once: 60 * MINUTE,
  session: SESSION_MS,
};

/** Files looked at in one sweep, and bytes read of one file. */
const SWEEP_LIMIT = 256;
const FILE_LIMIT = 32 * 1024 * 1024;

const NAME = /^(pending)-[0-9A-Z]{4,6}\.json$|^(once|session)-[0-9a-f]{64}\.json$/;

/** The folder for approvals. */
export function approvalsDirectory(home: string): string {
  return `${home}/.gitvow/approvals`;
}

/** True within 10 minutes of `at`; a time more than a minute ahead of the clock is not believed. */
export function isFresh(at: number, now: number): boolean {
  return isWithin(at, now, FRESH_MS);
}

function isWithin(at: number, now: number, ms: number): boolean {
  return now - at < ms && at - now <= MINUTE;
}

/** Keeps a pending confirmation under its code, sealed with `secret`. */
export async function writePending(
  system: System,
  directory: string,
  pending: PendingConfirmation,
  secret: string,
): Promise<void> {
  const mark = await sealOf(pending, secret);
  write(system, `${directory}/pending-${pending.code}.json`, { v: 1, ...pending, seal: mark });
}

/** What waits under `code`, fresh or not; undefined where nothing readable that `secret` sealed does. */
export async function readPending(
  system: System,
  directory: string,
  code: string,
  secret: string,
): Promise<PendingConfirmation | undefined> {
  const file = read(system, `${directory}/pending-${code}.json`);
  if (file === undefined || file["code"] !== code) return undefined;
  const { at, key, agent, session, tool, cwd, findings, tokens } = file;
  if (typeof at !== "number" || !isFingerprint(key)) return undefined;
  if (typeof agent !== "string" || typeof session !== "string") return undefined;
  if (typeof tool !== "string" || typeof cwd !== "string") return undefined;
  if (!Array.isArray(findings) || findings.length === 0 || !Array.isArray(tokens)) return undefined;
  const readable = findings.flatMap(pendingFinding);
  const named = tokens.flatMap(grantTokens);
  if (readable.length !== findings.length || named.length !== readable.length) return undefined;
  const pending = { code, at, key, agent, session, tool, cwd, findings: readable, tokens: named };
  return file["seal"] === await sealOf(pending, secret) ? pending : undefined;
}

/** Keeps a grant under its name, `once-<hash>` or `session-<hash>`, sealed with `secret`. */
export async function writeGrant(
  system: System,
  directory: string,
  grant: { readonly name: string; readonly at: number },
  secret: string,
): Promise<void> {
  const { name, at } = grant;
  const mark = await seal(secret, ["grant", name, at]);
  write(system, `${directory}/${name}.json`, { v: 1, grant: name, at, seal: mark });
}

/** True where the grant of this name is there, sealed with `secret`, and still holds at `now`. */
export async function readGrant(
  system: System,
  directory: string,
  grant: { readonly name: string; readonly now: number },
  secret: string,
): Promise<boolean> {
  const { name, now } = grant;
  const file = read(system, `${directory}/${name}.json`);
  const at = file?.["at"];
  if (file?.["grant"] !== name || typeof at !== "number") return false;
  if (file["seal"] !== await seal(secret, ["grant", name, at])) return false;
  return isWithin(at, now, name.startsWith("session-") ? SESSION_MS : FRESH_MS);
}

function sealOf(pending: PendingConfirmation, secret: string): Promise<string> {
  return seal(secret, ["pending", pending]);
}

/** Removes files that are past their time, and broken ones of our names; others stay. */
export function sweep(system: System, directory: string, now: number): void {
  for (const name of system.files.list(directory).slice(0, SWEEP_LIMIT)) {
    const match = NAME.exec(name);
    const kept = KEPT_MS[match?.[1] ?? match?.[2] ?? ""];
    if (kept === undefined) continue;
    const at = read(system, `${directory}/${name}`)?.["at"];
    if (typeof at === "number" && isWithin(at, now, kept)) continue;
    try {
      system.files.remove(`${directory}/${name}`);
    } catch {
      // What cannot be swept is in nobody's way.
    }
  }
}

function write(system: System, path: string, value: object): void {
  system.files.writeAtomic(path, new TextEncoder().encode(JSON.stringify(value)), 0o600);
}

/** The JSON object of version 1 in a plain file, or undefined where there is none. */
function read(system: System, path: string): Record<string, unknown> | undefined {
  if (system.files.lookAt(path)?.kind !== "file") return undefined;
  const file = system.files.read(path, FILE_LIMIT);
  if (file.kind !== "read") return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(file.bytes));
    return isObject(value) && value["v"] === 1 ? value : undefined;
  } catch {
    return undefined;
  }
}

function pendingFinding(value: unknown): Finding[] {
  if (!isObject(value) || value["outcome"] !== "confirm") return [];
  const { subject, reason, source, evidence } = value;
  if (typeof subject !== "string" || typeof reason !== "string" || typeof source !== "string") {
    return [];
  }
  const texts = Array.isArray(evidence) ? evidence.filter((text) => typeof text === "string") : [];
  return [{ outcome: "confirm", subject, reason, source, evidence: texts }];
}

function grantTokens(value: unknown): GrantTokens[] {
  if (!isObject(value)) return [];
  const { once, session } = value;
  return isFingerprint(once) && isFingerprint(session) ? [{ once, session }] : [];
}

function isFingerprint(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
