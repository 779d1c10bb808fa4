/** Runs an installed hook command as the agent would, on calls that are never carried out. */
import type { JsonObject } from "../../domain/call.ts";
import { approvalsDirectory, readPending } from "../../record/approvalfiles.ts";
import { knownSecret } from "../../record/approvalsecret.ts";
import { type Entry, sessionFile } from "../../record/journal.ts";
import { readEntries } from "../../record/read.ts";
import { readCommand } from "../../providers/command.ts";
import type { System } from "../../system/system.ts";
import type { CommandWorld } from "../command.ts";
import type { AgentSamples, ClientReading, SampleAct } from "../selftest/samples.ts";
import { type HookStatus, installCommand } from "./hooks.ts";
import type { Problem } from "./problem.ts";

/** Milliseconds an agent waits for a hook, and so does a probe. */
const PROBE_MS = 60_000;

/** Bytes of answer that are read. */
const ANSWER_LIMIT = 1024 * 1024;

/** What a probe's session id begins with. */
export const PROBE_PREFIX = "probe-";

/** What came of the probes of one hook. */
export interface ProbeStatus {
  /** What the hook said about a harmless call; undefined where that was not tried. */
  readonly harmless: ClientReading["outcome"] | undefined;
  /** What it said about a command that only a person may run. */
  readonly forbidden: ClientReading["outcome"];
  /** What the program that is called says its version is; undefined where it says nothing. */
  readonly version: string | undefined;
  /** Milliseconds that the last answer took, the shell's start included. */
  readonly ms: number;
  readonly problems: readonly Problem[];
}

/** One probe's answer as the client would read it, and what gitvow recorded about it. */
interface Answer extends ClientReading {
  readonly entries: readonly Entry[];
  readonly stderr: string;
  readonly ms: number;
}

/** What is known before a probe, and need not be found out or told again by it. */
export interface Known {
  /** A classifier would be asked about a harmless call, so none is tried. */
  readonly classified: boolean;
  /** A policy is broken or missing, so every call is blocked. */
  readonly blocked: boolean;
  /** The record cannot be written. */
  readonly unrecorded: boolean;
}

/**
 * Puts a harmless call and a forbidden one to the installed hook, and tells what is wrong with the
 * answers. What the probes record is removed.
 */
export async function probeHook(
  { system, version: own }: CommandWorld,
  hook: HookStatus & { readonly command: string },
  samples: AgentSamples,
  known: Known,
): Promise<ProbeStatus> {
  const directory = system.files.temporaryDirectory("gitvow-probe-");
  try {
    const cwd = hook.scope === "user" ? directory : hook.root;
    const put = (command: string) =>
      ask(system, hook.command, samples, { kind: "shell", command }, cwd);
    const harmless = known.classified ? undefined : await put("true");
    const forbidden = await put("gitvow approve 2222");
    const version = await versionOf(system, hook);
    const problems = problemsOf(system, hook, known, harmless, forbidden);
    if (version !== undefined && version !== own) {
      problems.push({
        what: `${hook.file} calls gitvow ${version}, and this is gitvow ${own}`,
        mend: "run `gitvow install --user` from the newer one",
      });
    }
    return {
      harmless: harmless?.outcome,
      forbidden: forbidden.outcome,
      version,
      ms: forbidden.ms,
      problems,
    };
  } finally {
    system.files.removeTree(directory);
  }
}

/** What the called program prints for `--version`, where that looks like a version. */
async function versionOf(
  system: System,
  hook: HookStatus & { readonly command: string },
): Promise<string | undefined> {
  try {
    const { program } = readCommand(hook.command, hook.root, system);
    const ended = await system.run({
      program,
      args: ["--version"],
      cwd: hook.root,
      stdin: "",
      timeoutMs: PROBE_MS,
      stdoutLimit: ANSWER_LIMIT,
    });
    if (ended.kind !== "exited" || ended.code !== 0) return undefined;
    const text = new TextDecoder().decode(ended.stdout).trim();
    return /^\d[\w.+-]{0,40}$/.test(text) ? text : undefined;
  } catch {
    // A program that is not found is told with the entries that name it.
    return undefined;
  }
}

async function ask(
  system: System,
  command: string,
  samples: AgentSamples,
  act: SampleAct,
  cwd: string,
): Promise<Answer> {
  const session = PROBE_PREFIX +
    [...system.random(12)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const payload: JsonObject = samples.call(act, { session, cwd });
    const ended = await system.run({
      program: "sh",
      args: ["-c", command],
      cwd,
      stdin: JSON.stringify(payload),
      timeoutMs: PROBE_MS,
      stdoutLimit: ANSWER_LIMIT,
    });
    const reading: ClientReading = ended.kind === "exited"
      ? samples.read(samples.beforeTool, {
        ...ended,
        stdout: new TextDecoder().decode(ended.stdout),
      })
      : {
        outcome: "broken",
        reason: ended.kind === "not started" ? ended.why : `it ${ended.kind}`,
      };
    return {
      ...reading,
      entries: [...readEntries(system, session)],
      stderr: "stderr" in ended ? ended.stderr : "",
      ms: "ms" in ended ? ended.ms : 0,
    };
  } finally {
    await forget(system, session);
  }
}

/** Removes what a probe's session left in the record and among the approvals. */
async function forget(system: System, session: string): Promise<void> {
  if (system.home === undefined) return;
  const { files } = system;
  const approvals = approvalsDirectory(system.home);
  try {
    files.remove(sessionFile(system.home, session, system.now()));
    const secret = knownSecret(system, approvals);
    if (secret === undefined) return;
    for (const name of files.list(approvals)) {
      const code = /^pending-(\w+)\.json$/.exec(name)?.[1];
      if (code === undefined) continue;
      const pending = await readPending(system, approvals, code, secret);
      if (pending?.session === session) files.remove(`${approvals}/${name}`);
    }
  } catch {
    // A record that cannot be changed is told by the status of the record.
  }
}

function problemsOf(
  system: System,
  hook: HookStatus,
  known: Known,
  harmless: Answer | undefined,
  forbidden: Answer,
): Problem[] {
  const mend = `run \`${installCommand(hook, hook.agent, system)}\``;
  const named = `The hook in ${hook.file}`;
  if (forbidden.outcome !== "deny") {
    const what = forbidden.outcome === "broken"
      ? `gives no answer that ${hook.agent.title} takes (${said(forbidden)})`
      : "lets an agent run `gitvow approve`";
    return [{ what: `${named} ${what}, so tools run unjudged`, mend }];
  }
  if (harmless?.outcome === "broken") {
    return [{ what: `${named} gives no answer to a harmless call (${said(harmless)})`, mend }];
  }
  const failed = [harmless, forbidden].find((answer) => answer !== undefined && hasFailed(answer));
  if (failed !== undefined) {
    if (known.blocked) return [];
    const remedy = REMEDY.exec(failed.reason)?.[1];
    const [what = ""] = said(failed).split("\n");
    return [{
      what: `${named} blocks every call: ${what.replace(REMEDY, "")}`,
      mend: remedy ?? mend,
    }];
  }
  if (known.unrecorded || forbidden.entries.length > 0) return [];
  const [, ...trouble] = forbidden.stderr.trim().split("\n");
  return [{ what: `${named} records nothing (${trouble.at(-1) ?? "it does not say why"})`, mend }];
}

/** Where a block that stands for a failure of gitvow says what mends it. */
const REMEDY = /\s*To mend it: (.*?)\.?$/m;

/** True where gitvow itself failed, and so did not judge the call. */
function hasFailed({ outcome, reason, entries }: Answer): boolean {
  return outcome === "deny" &&
    (REMEDY.test(reason) || entries.some((entry) => entry.kind === "hook_failed"));
}

function said({ reason, stderr }: Answer): string {
  return [reason, stderr.trim()].find((text) => text !== "") ?? "it says nothing";
}
