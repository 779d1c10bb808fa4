/**
 * What agents send to their hooks and how they read the answer, written down apart from
 * `src/agents/`, so that trying gitvow out compares it with the clients and not with itself.
 */
import type { JsonObject } from "../../domain/call.ts";

/** What a sample call would do. */
export type SampleAct =
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "write"; readonly path: string; readonly content: string };

/** Where a sample payload comes from. */
export interface SampleSession {
  readonly session: string;
  readonly cwd: string;
  /** The agent's permission mode; its usual one where left out. */
  readonly mode?: string;
}

/** How a hook process ended. */
export interface HookAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a client makes of an answer: `broken` is one that it takes for a faulty hook. */
export interface ClientReading {
  readonly outcome: "allow" | "ask" | "deny" | "broken";
  /** What the person or the agent is told; of a broken answer, what is wrong with it. */
  readonly reason: string;
  /** True for a denial by the exit code alone, which not every client honours. */
  readonly bare?: boolean;
}

/** The samples of one agent. */
export interface AgentSamples {
  /** The event before a tool that is tried. */
  readonly beforeTool: string;
  /** The payload of the event before a tool. */
  call(act: SampleAct, session: SampleSession): JsonObject;
  /** The payload of another event, with `secret` wherever the client puts free text. */
  notice(event: string, session: SampleSession, secret: string): JsonObject;
  /** Permission modes, and whether the client shows a hook's question in them. */
  readonly modes: readonly { readonly mode: string; readonly asks: boolean }[];
  /** What the client makes of an answer to an event. */
  read(event: string, answer: HookAnswer): ClientReading;
}

const claude: AgentSamples = {
  beforeTool: "PreToolUse",
  call: (act, session) => ({
    ...claudeBase("PreToolUse", session),
    tool_name: act.kind === "shell" ? "Bash" : "Write",
    tool_input: act.kind === "shell"
      ? { command: act.command, description: "Part of a self-test" }
      : { file_path: act.path, content: act.content },
    tool_use_id: "toolu_selftest",
  }),
  notice: (event, session, secret) => ({
    ...claudeBase(event, session),
    ...claudeExtras(event, secret),
  }),
  modes: [
    { mode: "default", asks: true },
    { mode: "acceptEdits", asks: true },
    { mode: "plan", asks: true },
    { mode: "auto", asks: false },
    { mode: "dontAsk", asks: false },
    { mode: "bypassPermissions", asks: false },
  ],
  read: readAsClaude,
};

function claudeBase(event: string, { session, cwd, mode }: SampleSession): JsonObject {
  return {
    session_id: session,
    transcript_path: "",
    cwd,
    hook_event_name: event,
    permission_mode: mode ?? "default",
  };
}

function claudeExtras(event: string, secret: string): JsonObject {
  const tool = {
    tool_name: "Bash",
    tool_input: { command: "true" },
    tool_use_id: "toolu_selftest",
  };
  switch (event) {
    case "PostToolUse":
      return { ...tool, tool_response: { stdout: secret, stderr: "", interrupted: false } };
    case "PostToolUseFailure":
      return { ...tool, error: `exit 1: ${secret}`, is_interrupt: false };
    case "UserPromptSubmit":
      return { prompt: `The password is ${secret}` };
    case "SessionStart":
      return { source: "startup" };
    case "SessionEnd":
      return { reason: "prompt_input_exit" };
    default:
      return { stop_hook_active: false, last_assistant_message: secret };
  }
}

/** Claude Code: silence lets a tool run, exit 2 stops it, one JSON document asks or denies. */
function readAsClaude(event: string, { code, stdout, stderr }: HookAnswer): ClientReading {
  const broken = (reason: string): ClientReading => ({ outcome: "broken", reason });
  if (code !== 0 && code !== 2) return broken(`exit ${code}, which lets the tool run`);
  if (stdout === "") {
    if (code === 0) return { outcome: "allow", reason: "" };
    if (stderr.trim() === "") return broken("exit 2 and nothing printed");
    return { outcome: "deny", reason: stderr.trim(), bare: true };
  }
  const output = parseObject(parseObject(stdout)?.["hookSpecificOutput"]);
  if (output === undefined) return broken(`standard output is not its document: ${stdout}`);
  const permission = output["permissionDecision"];
  const reason = output["permissionDecisionReason"];
  if (output["hookEventName"] !== event) return broken(`the document is not for ${event}`);
  if (typeof reason !== "string" || reason === "") return broken("the document gives no reason");
  if (code === 0 && permission === "ask") return { outcome: "ask", reason };
  if (code !== 2 || permission !== "deny") return broken(`exit ${code} with ${String(permission)}`);
  if (stderr.trim() === "") return broken("exit 2 without a reason on standard error");
  return { outcome: "deny", reason };
}

/** A JSON object, given as a text or as a value; undefined for anything else. */
function parseObject(given: unknown): JsonObject | undefined {
  let value = given;
  if (typeof given === "string") {
    try {
      value = JSON.parse(given);
    } catch {
      return undefined;
    }
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? value as JsonObject : undefined;
}

const SAMPLES: ReadonlyMap<string, AgentSamples> = new Map([["claude", claude]]);

/** The samples of the agent of that name; undefined where there are none. */
export function samplesOf(agent: string): AgentSamples | undefined {
  return SAMPLES.get(agent);
}
