/**
 * Claude Code.
 *
 * Its hook contract: https://code.claude.com/docs/en/hooks. What its client was seen to do: exit 2
 * stops the tool and its stderr reaches the model; exit 1, 127, a crash and a time-out let the tool
 * run; anything on stdout besides one JSON document opens it.
 */
import type { HookCall, HookEvent, HookPayload, JsonObject } from "../domain/call.ts";
import type { Verdict } from "../domain/finding.ts";
import { Failure } from "../domain/failure.ts";
import type { Agent, Exchange, HookResponse } from "./agent.ts";
import { isBeforeTool } from "./events.ts";

/** Which hook call each of Claude Code's events becomes. */
const EVENTS: Readonly<Record<string, HookEvent>> = {
  SessionStart: "SessionStart",
  UserPromptSubmit: "UserPromptSubmit",
  PreToolUse: "PreToolUse",
  PreSkillShellCommand: "PreToolUse",
  PostToolUse: "PostToolUse",
  PostToolUseFailure: "PostToolUse",
  SubagentStop: "SubagentStop",
  Stop: "Stop",
  SessionEnd: "SessionEnd",
};

/** Events of Claude Code that gitvow has no use for: nothing is about to run that it has not judged. */
const UNUSED = new Set([
  "ConfigChange",
  "CwdChanged",
  "DirectoryAdded",
  "Elicitation",
  "ElicitationResult",
  "FileChanged",
  "InstructionsLoaded",
  "MessageDisplay",
  "Notification",
  "PermissionDenied",
  "PermissionRequest",
  "PostCompact",
  "PostModelSwitch",
  "PostToolBatch",
  "PreCompact",
  "PreModelSwitch",
  "Setup",
  "StopFailure",
  "SubagentStart",
  "TaskCompleted",
  "TaskCreated",
  "TeammateIdle",
  "UserPromptExpansion",
  "WorktreeCreate",
  "WorktreeRemove",
]);

/** The events that `install` writes. PreSkillShellCommand opens a dialog on clients that do not know it. */
const INSTALLED = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStop",
  "Stop",
  "SessionEnd",
] as const;

/** Permission modes in which Claude Code shows a hook's `ask` to the person. */
const ASKING_MODES = new Set(["default", "acceptEdits", "plan"]);

/** Events whose hooks Claude Code matches against a tool name. */
const WITH_MATCHER = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);

/** Seconds Claude Code waits for a hook, longer than gitvow's own deadline. */
const TIMEOUT_SECONDS = 60;

function text(payload: JsonObject, key: string): string {
  const value = payload[key];
  return typeof value === "string" ? value : "";
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The input of a tool call. Throws a `Failure` where a call before a tool has none that is an object. */
function toolInput(event: HookEvent, payload: JsonObject): JsonObject {
  const input = payload["tool_input"];
  if (isObject(input)) return input;
  if (event !== "PreToolUse") return {};
  throw new Failure(
    'The payload\'s "tool_input" is not an object',
    "update gitvow and Claude Code; `gitvow selftest --agent claude` shows what works",
  );
}

function normalize({ event, payload }: Exchange): HookCall[] {
  const known = EVENTS[event];
  if (known === undefined) {
    if (UNUSED.has(event)) return [];
    if (!isBeforeTool(event)) return [];
    throw new Failure(
      `Claude Code event "${event}" is not one gitvow knows`,
      "run `gitvow install` again, or remove the entry from the hook configuration",
    );
  }
  const base: HookPayload = {
    session_id: text(payload, "session_id"),
    transcript_path: text(payload, "transcript_path"),
    cwd: text(payload, "cwd"),
    hook_event_name: event,
    tool_name: text(payload, "tool_name"),
    tool_input: toolInput(known, payload),
    ...(text(payload, "tool_use_id") && { tool_use_id: text(payload, "tool_use_id") }),
    ...(text(payload, "permission_mode") && { permission_mode: text(payload, "permission_mode") }),
    ...(text(payload, "prompt") && { prompt: text(payload, "prompt") }),
  };
  const response = event === "PostToolUseFailure"
    ? { error: payload["error"] }
    : payload["tool_response"];
  return [{
    event: known,
    payload: response === undefined ? base : { ...base, tool_response: response },
  }];
}

function asks({ payload }: Exchange): boolean {
  return ASKING_MODES.has(text(payload, "permission_mode"));
}

/** Claude Code's own document for a decision before a tool. */
function decision(event: string, permission: "ask" | "deny", reason: string): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision: permission,
      permissionDecisionReason: reason,
    },
  });
}

function respond(verdict: Verdict, exchange: Exchange): HookResponse {
  if (verdict.code === 0) return { exit_code: 0, stdout: "", stderr: "" };
  if (!verdict.message.startsWith("BLOCKED") && asks(exchange)) {
    return { exit_code: 0, stdout: decision(exchange.event, "ask", verdict.message), stderr: "" };
  }
  return {
    exit_code: 2,
    stdout: decision(exchange.event, "deny", verdict.message),
    stderr: `${verdict.message}\n`,
  };
}

function entry(event: string): JsonObject {
  const handler: JsonObject = {
    type: "command",
    command: `__GITVOW__ hook --agent claude ${event}`,
    timeout: TIMEOUT_SECONDS,
    ...(event === "PreToolUse" && { onFailure: "block" }),
  };
  return WITH_MATCHER.has(event) ? { matcher: "*", hooks: [handler] } : { hooks: [handler] };
}

export const claude: Agent = {
  name: "claude",
  title: "Claude Code",
  failsClosed: (event) =>
    EVENTS[event] === "PreToolUse" ||
    (EVENTS[event] === undefined && !UNUSED.has(event) && isBeforeTool(event)),
  normalize,
  asks,
  respond,
  install: {
    userFile: ".claude/settings.json",
    repoFile: ".claude/settings.json",
    entries: Object.fromEntries(INSTALLED.map((event) => [event, [entry(event)]])),
    versionKey: undefined,
  },
  traces: { folders: [".claude"], programs: ["claude"] },
  steps: [
    "Restart running Claude Code sessions, or accept the workspace-trust dialog when it asks: until then no hook runs.",
  ],
};
