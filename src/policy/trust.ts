/**
 * Which policy files of repositories a person has trusted to run programs, in
 * `~/.gitvow/trust.json`: path and SHA-256, so that a changed file has to be trusted again.
 */
import { Failure, messageOf } from "../domain/failure.ts";
import { basename, dirname, tildify } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import type { PolicyLayer } from "./policy.ts";

/** One trusted policy file. */
export interface TrustedPolicy {
  /** Absolute path, links on the way to the repository resolved. */
  readonly path: string;
  /** SHA-256 of the file's bytes, lower-case hex. */
  readonly sha256: string;
  /** The programs the file named when it was trusted, one line each (see `programLines`). */
  readonly programs: string;
}

/** Bytes the trust file may have. */
const TRUST_LIMIT = 4 * 1024 * 1024;

const SHA256 = /^[0-9a-f]{64}$/;

/** The programs a policy file would have gitvow run, one line each, for a person to compare. */
export function programLines(layer: PolicyLayer): string {
  const lines = layer.providers.map(({ name, command, questions, timeoutSeconds }) =>
    `provider ${JSON.stringify(name)} runs ${JSON.stringify(command)}` +
    ` for ${questions.join(", ")} within ${timeoutSeconds} s`
  );
  if (layer.classifier !== undefined) {
    const { command, timeoutSeconds } = layer.classifier;
    lines.push(`llm_classifier runs ${JSON.stringify(command)} within ${timeoutSeconds} s`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/**
 * Why the programs a layer names may not be run, as a clause that names what a person can do;
 * undefined where they may: the user's own layer, and a repository's that is trusted as it is.
 */
export function trustRefusal(system: System, layer: PolicyLayer): string | undefined {
  if (layer.scope === "user") return undefined;
  if (isTrusted(system, layer.path, layer.sha256)) return undefined;
  const state = trustedBefore(system, layer.path) === undefined
    ? "is not trusted"
    : "has changed since it was trusted";
  const where = layer.repo === undefined ? "there" : `in ${tildify(layer.repo, system.home)}`;
  return `the policy ${layer.file} ${state}, so it is not run until a person runs ` +
    `\`gitvow trust\` ${where}`;
}

/** True where a person has trusted exactly these bytes at this place. Never throws. */
export function isTrusted(system: System, path: string, sha256: string): boolean {
  const key = placeOf(system, path);
  return listTrusted(system).some((entry) => entry.path === key && entry.sha256 === sha256);
}

/** The entry for a policy file, of whatever content; undefined where it was never trusted. */
export function trustedBefore(system: System, path: string): TrustedPolicy | undefined {
  const key = placeOf(system, path);
  return listTrusted(system).find((entry) => entry.path === key);
}

/**
 * Trusts a policy file as it is now, in place of what was trusted there before; `programs` is kept
 * so that a later change can be shown. Throws a `Failure` where that cannot be written down.
 */
export function trust(system: System, path: string, sha256: string, programs: string): void {
  const key = placeOf(system, path);
  if (!SHA256.test(sha256)) throw new Failure(`Cannot trust "${path}": "${sha256}" is no SHA-256`);
  const others = listTrusted(system).filter((entry) => entry.path !== key);
  save(system, [...others, { path: key, sha256, programs }]);
}

/** Takes trust in a policy file back; false where it was not trusted. Throws as `trust` does. */
export function revoke(system: System, path: string): boolean {
  const key = placeOf(system, path);
  const all = listTrusted(system);
  const others = all.filter((entry) => entry.path !== key);
  if (others.length === all.length) return false;
  save(system, others);
  return true;
}

/** Every trusted policy file, sorted by path; none where the trust file is missing or broken. */
export function listTrusted(system: System): TrustedPolicy[] {
  const file = trustFile(system);
  const content = file === undefined ? undefined : system.files.read(file, TRUST_LIMIT);
  if (content?.kind !== "read") return [];
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content.bytes));
  } catch {
    return [];
  }
  if (!isObject(value) || value["v"] !== 1 || !Array.isArray(value["trusted"])) return [];
  const trusted: readonly unknown[] = value["trusted"];
  return trusted.every(isTrustedPolicy) ? trusted.toSorted(byPath) : [];
}

/**
 * The repository's place with its links resolved, and below it the file's name as written: a link
 * that leads from another repository to a trusted file does not carry the trust over.
 */
function placeOf(system: System, path: string): string {
  const folder = dirname(path);
  const top = dirname(folder);
  const real = system.files.realPath(top) ?? top;
  return `${real === "/" ? "" : real}/${basename(folder)}/${basename(path)}`;
}

function trustFile(system: System): string | undefined {
  return system.home === undefined ? undefined : `${system.home}/.gitvow/trust.json`;
}

function save(system: System, trusted: readonly TrustedPolicy[]): void {
  const file = trustFile(system);
  if (file === undefined) {
    throw new Failure("Cannot remember trust: the home directory is not known", "set HOME");
  }
  const text = `${JSON.stringify({ v: 1, trusted: trusted.toSorted(byPath) }, null, 2)}\n`;
  try {
    system.files.makeDirectory(dirname(file), 0o700);
    system.files.writeAtomic(file, new TextEncoder().encode(text), 0o600);
  } catch (error) {
    throw new Failure(
      `Cannot write "${file}": ${messageOf(error)}`,
      "make it writable, then try again",
    );
  }
}

function byPath(a: TrustedPolicy, b: TrustedPolicy): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTrustedPolicy(value: unknown): value is TrustedPolicy {
  return isObject(value) && typeof value["path"] === "string" &&
    typeof value["sha256"] === "string" && SHA256.test(value["sha256"]) &&
    typeof value["programs"] === "string";
}
