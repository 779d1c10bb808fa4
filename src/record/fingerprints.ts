/**
 * Short names for calls and findings, so that an approval holds for exactly one of them without
 * keeping what was in it.
 */
import type { JsonObject } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import { canonicalJson } from "./canonical.ts";

/** What makes a call the same call: all five are equal, the input deeply. */
export interface CallIdentity {
  readonly agent: string;
  readonly session: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly cwd: string;
}

/** SHA-256 of a JSON value in its canonical form, as 64 hexadecimal digits. */
export async function fingerprint(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(value));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The fingerprint of a call. */
export function callFingerprint(call: CallIdentity): Promise<string> {
  return fingerprint(["call", call.agent, call.session, call.tool, call.cwd, call.input]);
}

/** The fingerprint of a finding: who says what about which subject. */
export function findingFingerprint(finding: Finding): Promise<string> {
  return fingerprint(["finding", finding.source, finding.subject, finding.reason]);
}
