/**
 * Confirmations that wait for a person, and what a person has approved: small files in
 * `~/.gitvow/approvals/`, readable only by their owner.
 *
 * `pending-<code>.json` waits; `once-<hash>.json` lets one finding of one call pass once;
 * `session-<hash>.json` lets one finding pass for the session. All are sealed with the secret beside
 * them. Removing a once-file is what uses it up, so of two hooks that try exactly one succeeds.
 */
import { Failure, messageOf } from "../domain/failure.ts";
import type { Finding } from "../domain/finding.ts";
import type { System } from "../system/system.ts";
import {
  callFingerprint,
  type CallIdentity,
  findingFingerprint,
  fingerprint,
} from "./fingerprints.ts";
import {
  approvalsDirectory,
  type GrantTokens,
  isFresh,
  type PendingConfirmation,
  readGrant,
  readPending,
  sweep,
  writeGrant,
  writePending,
} from "./approvalfiles.ts";
import { knownSecret, seal, secretFor } from "./approvalsecret.ts";
import { keptFinding } from "./journal.ts";
import { redact } from "./redact.ts";

/** Digits and letters that nobody mistakes for one another, in speech or on paper. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Codes tried of each length before a longer one. */
const TRIES = 16;

/** A call with what was found about it. */
export interface Judged {
  readonly call: CallIdentity;
  readonly findings: readonly Finding[];
}

/**
 * Keeps the confirm findings of a call for a person to approve within 10 minutes, and gives the
 * code for it: the same for the same call and findings. Throws a Failure where nothing can be kept.
 */
export async function offer(system: System, judged: Judged): Promise<string> {
  const { call } = judged;
  const findings = judged.findings.filter((finding) => finding.outcome === "confirm");
  if (findings.length === 0) {
    throw new Failure(`Cannot offer an approval of "${call.tool}": no finding asks for one`);
  }
  const directory = directoryOf(system);
  const keys = await Promise.all(findings.map(findingFingerprint));
  const callKey = await callFingerprint(call);
  const now = system.now();
  try {
    system.files.makeDirectory(directory, 0o700);
    sweep(system, directory, now);
    const secret = secretFor(system, directory);
    const key = await seal(secret, ["call", callKey, ...new Set([...keys].sort())]);
    const tokens = await Promise.all(
      keys.map((finding) => tokensFor(secret, call, { call: callKey, finding })),
    );
    for (let attempt = 0; attempt < 3 * TRIES; attempt++) {
      const code = await codeFor(key, attempt);
      const there = await readPending(system, directory, code, secret);
      const free = there === undefined || there.key === key || !isFresh(there.at, now);
      if (!free) continue;
      const pending: PendingConfirmation = {
        code,
        at: now,
        key,
        agent: call.agent,
        session: call.session,
        tool: call.tool,
        cwd: redact(call.cwd),
        findings: findings.map(keptFinding),
        tokens,
      };
      await writePending(system, directory, pending, secret);
      // Another call may have been given the same code at the same moment.
      if ((await readPending(system, directory, code, secret))?.key === key) return code;
    }
  } catch (thrown) {
    throw new Failure(
      `Cannot keep a confirmation in "${directory}": ${messageOf(thrown)}`,
      `Make "${directory}" writable for yourself`,
      { cause: thrown },
    );
  }
  throw new Failure(`Cannot find a free code in "${directory}"`, `Remove "${directory}"`);
}

/** How far an approval reaches, and what it is for. */
export interface ApprovalScope {
  /** True for the rest of the session, false for that one call within 10 minutes. */
  readonly session: boolean;
  /** The key of the confirmation that the person was shown; a code may come to mean another one. */
  readonly shown?: string;
}

const TRY_AGAIN = "Let the agent try again: the message then shows a new code";

/** What waits under `code` as a person types it, or why that cannot be approved. */
export async function waiting(
  system: System,
  code: string,
  scope: ApprovalScope,
): Promise<PendingConfirmation | Failure> {
  const cannot = `Cannot approve "${code}"`;
  const name = code.replace(/[\s-]/g, "").toUpperCase();
  if (name.length < 4 || name.length > 6 || [...name].some((one) => !ALPHABET.includes(one))) {
    return new Failure(
      `${cannot}: a code has 4 to 6 letters and digits, such as "7F3K"`,
      "Copy the code from the end of the confirmation message",
    );
  }
  const directory = directoryOf(system);
  const secret = knownSecret(system, directory);
  const pending = secret === undefined
    ? undefined
    : await readPending(system, directory, name, secret);
  if (pending === undefined || (scope.shown !== undefined && pending.key !== scope.shown)) {
    return new Failure(`${cannot}: no confirmation waits under this code`, TRY_AGAIN);
  }
  if (!isFresh(pending.at, system.now())) {
    return new Failure(`${cannot}: it was offered more than 10 minutes ago`, TRY_AGAIN);
  }
  if (scope.session && pending.session === "") {
    return new Failure(
      `${cannot} for the session: the agent "${pending.agent}" gives its sessions no id`,
      `Approve this one call: gitvow approve ${name}`,
    );
  }
  return pending;
}

/**
 * Approves what waits under `code`: for that one call within 10 minutes, or with `session` for
 * these findings until the session ends. Gives what was approved, or why nothing was.
 */
export async function approve(
  system: System,
  code: string,
  scope: ApprovalScope,
): Promise<PendingConfirmation | Failure> {
  const cannot = `Cannot approve "${code}"`;
  try {
    const directory = directoryOf(system);
    const now = system.now();
    const pending = await waiting(system, code, scope);
    if (pending instanceof Failure) return pending;
    const secret = secretFor(system, directory);
    // Taken away first: of two people who approve the same code, one has approved it.
    if (!system.files.remove(`${directory}/pending-${pending.code}.json`)) {
      return new Failure(`${cannot}: it was approved a moment ago`, TRY_AGAIN);
    }
    for (const tokens of pending.tokens) {
      const name = await grantName(secret, tokens, scope.session ? "session" : "once");
      await writeGrant(system, directory, { name, at: now }, secret);
    }
    sweep(system, directory, now);
    return pending;
  } catch (thrown) {
    return thrown instanceof Failure
      ? thrown
      : new Failure(`${cannot}: ${messageOf(thrown)}`, TRY_AGAIN, { cause: thrown });
  }
}

/**
 * Which confirm findings of a call a person has approved, and which remain with the denials and
 * observations. Approvals for one call are used up only by the attempt that they let through whole:
 * while anything still stops the call, they stay for the next attempt.
 */
export async function consume(
  system: System,
  judged: Judged,
): Promise<{ remaining: Finding[]; approved: Finding[] }> {
  const { findings } = judged;
  if (system.home === undefined || !findings.some((finding) => finding.outcome === "confirm")) {
    return { remaining: [...findings], approved: [] };
  }
  const directory = directoryOf(system);
  const now = system.now();
  const grants = await grantsFor(system, directory, judged, now);
  const isApproved = (finding: Finding) => grants.has(finding);
  const stopped = findings.some((finding) => finding.outcome !== "observe" && !isApproved(finding));
  if (!stopped) {
    const once = [...new Set(grants.values())].filter((grant) => grant.startsWith("once-")).sort();
    // All hooks take in the same order, so that the one that gets the first gets them all.
    for (const [i, grant] of once.entries()) {
      if (system.files.remove(`${directory}/${grant}.json`)) continue;
      const lost = new Set(once.slice(i));
      for (const [finding, held] of grants) if (lost.has(held)) grants.delete(finding);
      break;
    }
  }
  return {
    remaining: findings.filter((finding) => !isApproved(finding)),
    approved: findings.filter(isApproved),
  };
}

/** The grant that covers each confirm finding, where there is one. */
async function grantsFor(
  system: System,
  directory: string,
  judged: Judged,
  now: number,
): Promise<Map<Finding, string>> {
  const grants = new Map<Finding, string>();
  const secret = knownSecret(system, directory);
  if (secret === undefined) return grants;
  const callKey = await callFingerprint(judged.call);
  for (const finding of judged.findings) {
    if (finding.outcome !== "confirm") continue;
    const keys = { call: callKey, finding: await findingFingerprint(finding) };
    const tokens = await tokensFor(secret, judged.call, keys);
    for (const reach of judged.call.session === "" ? ONCE : EITHER) {
      const name = await grantName(secret, tokens, reach);
      if (!await readGrant(system, directory, { name, now }, secret)) continue;
      grants.set(finding, name);
      break;
    }
  }
  return grants;
}

/** The grants that may cover a finding, the lasting one first: it is not used up. */
const EITHER = ["session", "once"] as const;
const ONCE = ["once"] as const;

async function tokensFor(
  secret: string,
  { agent, session }: CallIdentity,
  keys: { readonly call: string; readonly finding: string },
): Promise<GrantTokens> {
  return {
    once: await seal(secret, ["once", keys.call, keys.finding]),
    session: await seal(secret, ["session", agent, session, keys.finding]),
  };
}

async function grantName(
  secret: string,
  tokens: GrantTokens,
  reach: keyof GrantTokens,
): Promise<string> {
  return `${reach}-${await seal(secret, ["name", tokens[reach]])}`;
}

/** The code that stands for a key at the given attempt: 4 characters, longer after many. */
async function codeFor(key: string, attempt: number): Promise<string> {
  const hex = await fingerprint(["code", key, attempt]);
  let number = BigInt(`0x${hex}`);
  let code = "";
  while (code.length < 4 + Math.floor(attempt / TRIES)) {
    code += ALPHABET.charAt(Number(number % BigInt(ALPHABET.length)));
    number /= BigInt(ALPHABET.length);
  }
  return code;
}

function directoryOf(system: System): string {
  if (system.home === undefined) {
    throw new Failure("Cannot keep approvals: no home directory is set", "Set HOME");
  }
  return approvalsDirectory(system.home);
}
