/** The one interface behind which every coding agent stands, built in or external. */
import type { HookCall, JsonObject } from "../domain/call.ts";
import type { Verdict } from "../domain/finding.ts";
import type { InstallSpec } from "../install/spec.ts";

/** What gitvow writes and how it exits: written out exactly. */
export interface HookResponse {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One hook invocation as the agent made it. */
export interface Exchange {
  /** The agent's own event name. */
  readonly event: string;
  readonly payload: JsonObject;
}

/** A coding agent gitvow can serve. */
export interface Agent {
  /** The name on command lines: `claude`. */
  readonly name: string;
  /** The name a person knows: `Claude Code`. */
  readonly title: string;
  /** True where a failure on this event must stop what the agent is about to do. */
  failsClosed(event: string): boolean;
  /** The hook calls in one payload; none for events gitvow does not use. Throws a `Failure` on a payload it cannot read. */
  normalize(exchange: Exchange): Promise<HookCall[]> | HookCall[];
  /** True where this agent shows a person a question of its own for a confirmation. */
  asks(exchange: Exchange): boolean;
  /** The verdict in the agent's native form. */
  respond(verdict: Verdict, exchange: Exchange): Promise<HookResponse> | HookResponse;
  readonly install: InstallSpec;
  /** What tells that the agent is on a machine: folders in the home, programs on PATH. */
  readonly traces: { readonly folders: readonly string[]; readonly programs: readonly string[] };
  /** Steps a person still has to take after an install, one sentence each. */
  readonly steps: readonly string[];
}
