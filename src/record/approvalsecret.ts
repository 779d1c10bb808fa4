/**
 * The secret that approvals are sealed with: random, made on first use, readable by its owner
 * alone. Whoever cannot read it can neither make a grant nor tell which call one is for.
 */
import { Failure } from "../domain/failure.ts";
import type { System } from "../system/system.ts";
import { canonicalJson } from "./canonical.ts";

/** Random bytes of a secret, written as twice as many hexadecimal digits. */
const BYTES = 32;

/** Path of the secret in the folder for approvals. */
function secretPath(directory: string): string {
  return `${directory}/secret`;
}

/** The secret kept in `directory`, or undefined where there is none that gitvow wrote. */
export function knownSecret(system: System, directory: string): string | undefined {
  const path = secretPath(directory);
  if (system.files.lookAt(path)?.kind !== "file") return undefined;
  const file = system.files.read(path, 4 * BYTES);
  if (file.kind !== "read") return undefined;
  const text = new TextDecoder().decode(file.bytes).trim();
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
}

/**
 * The secret kept in `directory`, made where there is none yet. Throws a `Failure` where something
 * else stands in its place, and the runtime's own error where it cannot be written.
 */
export function secretFor(system: System, directory: string): string {
  const known = knownSecret(system, directory);
  if (known !== undefined) return known;
  const path = secretPath(directory);
  const kind = system.files.lookAt(path)?.kind;
  if (kind !== undefined && kind !== "file") {
    throw new Failure(`Cannot write "${path}": a ${kind} is in its place`, `Remove "${path}"`);
  }
  const fresh = Array.from(
    system.random(BYTES),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
  system.files.writeAtomic(path, new TextEncoder().encode(`${fresh}\n`), 0o600);
  // Another hook may have made one at the same moment; the one that stays is the one to use.
  return knownSecret(system, directory) ?? fresh;
}

/** HMAC-SHA-256 of a JSON value in its canonical form under `secret`, as 64 hexadecimal digits. */
export async function seal(secret: string, value: unknown): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const mark = await crypto.subtle.sign("HMAC", key, encoder.encode(canonicalJson(value)));
  return Array.from(new Uint8Array(mark), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
