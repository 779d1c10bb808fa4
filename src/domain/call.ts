/**
 * What an agent is about to do, in gitvow's words.
 *
 * A `HookCall` is one hook event in the Claude Code shape; an `Action` is what that call would do,
 * read once from it. The gate looks at actions and never at raw payloads.
 */

/** The hook events gitvow knows. Every agent's own events map onto these. */
export const HOOK_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "SubagentStop",
  "Stop",
  "SessionEnd",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** A JSON object whose members have not been looked at yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** The payload of a hook call, in the Claude Code shape; empty strings where the agent gave none. */
export interface HookPayload {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly hook_event_name: string;
  readonly tool_name: string;
  readonly tool_input: JsonObject;
  readonly tool_use_id?: string;
  readonly permission_mode?: string;
  readonly tool_response?: unknown;
  readonly prompt?: string;
}

/** One hook event to judge or to record. */
export interface HookCall {
  readonly event: HookEvent;
  readonly payload: HookPayload;
}

/** How the text of a file changes: `before` is undefined where the edit replaces the whole file. */
export interface TextChange {
  readonly before: string | undefined;
  readonly after: string;
}

/** Which language a command line is written in. */
export type ShellDialect = "posix" | "powershell";

/** One thing a tool call would do. A call that does several things has several actions. */
export type Action =
  | { readonly kind: "shell"; readonly command: string; readonly dialect: ShellDialect }
  | { readonly kind: "write"; readonly path: string; readonly changes: readonly TextChange[] }
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "mcp"; readonly tool: string }
  /** Statements for a database, given to a tool of its own. */
  | { readonly kind: "sql"; readonly statements: string }
  | { readonly kind: "other"; readonly tool: string }
  /** A known tool whose target could not be read from its input: asked about, never let through. */
  | { readonly kind: "unclear"; readonly tool: string; readonly why: string };
