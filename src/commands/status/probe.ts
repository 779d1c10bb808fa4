/** Runs an installed hook command as the agent would, on calls that are never carried out. */
import type { JsonObject } from "../../domain/call.ts";
import { approvalsDirectory, readPending } from "../../record/approvalfiles.ts";
import type { Entry } from "../../record/journal.ts";
import { sessionFile } from "../../record/journal.ts";
import { readEntries } from "../../record/read.ts";
import type { System } from "../../system/system.ts";
import { type AgentSamples, type ClientReading, type SampleAct } from "../selftest/samples.ts";
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

/**
 * Puts a harmless call and a forbidden one to the installed hook. Where `classified`, a classifier
 * would be asked about the harmless one, so that is left out. What the probes record is removed.
 */
export async function probeHook(
  system: System,
  hook: HookStatus & { readonly command: string },
  samples: AgentSamples,
  classified: boolean,
): Promise<ProbeStatus> {
  const directory = system.files.temporaryDirectory("gitvow-probe-");
  try {
    const cwd = hook.scope === "user" ? directory : hook.root;
    const put = (command: string) =>
      ask(system, hook.command, samples, { kind: "shell", command }, cwd);
    const harmless = classified ? undefined : await put("true");
    const forbidden = await put("gitvow approve 2222");
    return {
      harmless: harmless?.outcome,
      forbidden: forbidden.outcome,
      ms: forbidden.ms,
      problems: problemsOf(system, hook, harmless, forbidden),
    };
  } finally {
    system.files.removeTree(directory);
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
    forget(system, session);
  }
}

/** Removes what a probe's session left in the record and among the approvals. */
function forget(system: System, session: string): void {
  if (system.home === undefined) return;
  const { files } = system;
  const approvals = approvalsDirectory(system.home);
  try {
    files.remove(sessionFile(system.home, session, system.now()));
    for (const name of files.list(approvals)) {
      const code = /^pending-(\w+)\.json$/.exec(name)?.[1];
      if (code === undefined || readPending(system, approvals, code)?.session !== session) continue;
      files.remove(`${approvals}/${name}`);
    }
  } catch {
    // A record that cannot be changed is told by the status of the record.
  }
}

function problemsOf(
  system: System,
  hook: HookStatus,
  harmless: Answer | undefined,
  forbidden: Answer,
): Problem[] {
  const problems: Problem[] = [];
  const mend = `run \`${installCommand(hook, hook.agent, system)}\``;
  const named = `The hook in ${hook.file}`;
  const said = ({ reason, stderr }: Answer) =>
    [reason, stderr.trim()].find((text) => text !== "") ?? "it says nothing";
  if (forbidden.outcome !== "deny") {
    const what = forbidden.outcome === "broken"
      ? `gives no answer that ${hook.agent.title} takes (${said(forbidden)})`
      : "lets an agent run `gitvow approve`";
    return [{ what: `${named} ${what}, so tools run unjudged`, mend }];
  }
  if (harmless?.outcome === "broken") {
    problems.push({
      what: `${named} gives no answer to a harmless call (${said(harmless)})`,
      mend,
    });
  }
  const failed = [harmless, forbidden].find((answer) =>
    answer?.outcome === "deny" && !answer.entries.some((entry) => entry.kind === "tool_call")
  );
  if (failed !== undefined) {
    const [what = "", ...rest] = said(failed).split("\n");
    const remedy = /To mend it: (.*?)\.?$/m.exec(rest.join("\n"))?.[1];
    problems.push({ what: `${named} blocks every call: ${what}`, mend: remedy ?? mend });
  } else if (forbidden.entries.length === 0) {
    problems.push({ what: `${named} records nothing (${said(forbidden)})`, mend });
  }
  return problems;
}
