/** Puts hook events into the record: calls that were judged, events that only happened, failures. */
import type { Agent, Exchange } from "../../agents/agent.ts";
import type { HookCall, HookEvent } from "../../domain/call.ts";
import type { Failure } from "../../domain/failure.ts";
import { type Entry, type EntryKind, record } from "../../record/journal.ts";
import type { System } from "../../system/system.ts";

/** Who notes, and when the process began to work (performance clock). */
export interface NoteContext {
  readonly agent: Agent;
  readonly system: System;
  readonly started: number;
}

const KINDS: Record<Exclude<HookEvent, "PreToolUse">, EntryKind> = {
  SessionStart: "session_start",
  UserPromptSubmit: "prompt",
  PostToolUse: "tool_result",
  SubagentStop: "session_stop",
  Stop: "session_stop",
  SessionEnd: "session_stop",
};

/** The entry of one call, with nothing decided about it yet. */
export function callEntry(kind: EntryKind, call: HookCall, context: NoteContext): Entry {
  const { payload } = call;
  return {
    v: 1,
    at: new Date(context.system.now()).toISOString(),
    kind,
    agent: context.agent.name,
    session: payload.session_id,
    event: payload.hook_event_name,
    tool: payload.tool_name,
    outcome: "none",
    findings: [],
    detail: "",
    cwd: payload.cwd,
    repo: "",
    tool_use_id: payload.tool_use_id ?? "",
    ms: Math.round(performance.now() - context.started),
  };
}

/** Notes events that nothing is decided about; returns what could not be recorded. */
export function noteCalls(calls: readonly HookCall[], context: NoteContext): Failure | undefined {
  let problem: Failure | undefined;
  for (const call of calls) {
    if (call.event === "PreToolUse") continue;
    const entry = callEntry(KINDS[call.event], call, context);
    problem = record(context.system, { ...entry, detail: detailOf(call) }) ?? problem;
  }
  return problem;
}

/** What a tool did, without what it said: the command or path, and whether it failed. */
function detailOf(call: HookCall): string {
  if (call.event !== "PostToolUse") return "";
  const { tool_input: input, tool_response: response } = call.payload;
  const target = [input["command"], input["file_path"], input["notebook_path"], input["path"]]
    .find((value) => typeof value === "string" && value !== "");
  const failed = typeof response === "object" && response !== null && "error" in response;
  return `${failed ? "failed: " : ""}${target ?? call.payload.tool_name}`;
}

/** A failure to note. */
export interface FailureNote {
  readonly agent: string;
  readonly exchange: Exchange;
  readonly cause: string;
  readonly outcome: "allow" | "deny";
  readonly system: System;
  readonly started: number;
}

/** Notes that the hook failed; returns why that could not be recorded either. Never throws. */
export function noteFailure(note: FailureNote): Failure | undefined {
  const { payload } = note.exchange;
  const text = (key: string) => {
    const value = payload[key];
    return typeof value === "string" ? value : "";
  };
  return record(note.system, {
    v: 1,
    at: new Date(note.system.now()).toISOString(),
    kind: "hook_failed",
    agent: note.agent,
    session: text("session_id"),
    event: note.exchange.event,
    tool: text("tool_name"),
    outcome: note.outcome,
    findings: [],
    detail: note.cause,
    cwd: text("cwd"),
    repo: "",
    tool_use_id: text("tool_use_id"),
    ms: Math.round(performance.now() - note.started),
  });
}
