/**
 * `gitvow hook`: one hook event of an agent in, the agent's own answer out.
 *
 * Nothing throws past this file. Before a tool, whatever goes wrong is a block (exit 2) with what
 * broke and what mends it; on every other event it is recorded and the process exits 0.
 */
import type { Agent, Exchange, HookResponse } from "../agents/agent.ts";
import { isBeforeTool } from "../agents/events.ts";
import { agentNamed } from "../agents/registry.ts";
import type { JsonObject } from "../domain/call.ts";
import { Failure, messageOf } from "../domain/failure.ts";
import { failureVerdict } from "../gate/message.ts";
import { denoSystem } from "../system/deno.ts";
import { exit, readStdin, writeStderr, writeStdout } from "../system/process.ts";
import { readObjectText } from "../system/stdin.ts";
import type { System } from "../system/system.ts";
import { after } from "../system/timer.ts";
import { judgeCalls } from "./hook/judge.ts";
import { noteCalls, noteFailure } from "./hook/note.ts";

/** Milliseconds after which an unanswered hook blocks; agents are told to wait 60 s. */
export const DEADLINE_MS = 55_000;

/** What the command line says. */
interface HookArguments {
  readonly agent: string | undefined;
  readonly event: string | undefined;
}

/** Runs one hook and ends the process with its answer. `args` follow `gitvow hook`. */
export async function hook(args: readonly string[]): Promise<never> {
  const started = performance.now();
  let response: HookResponse;
  try {
    response = await answer(args, started);
  } catch (error) {
    const verdict = failureVerdict(`gitvow failed: ${messageOf(error)}`, "report this as a bug");
    response = { exit_code: 2, stdout: "", stderr: `${verdict.message}\n` };
  }
  const told = writeStdout(response.stdout) === "whole";
  writeStderr(response.stderr);
  // A question that reaches nobody would let the tool run.
  return exit(told ? response.exit_code : 2);
}

/** `--agent NAME [EVENT]`, in any order; words it does not know are left to the caller's failure. */
function parseArguments(args: readonly string[]): HookArguments {
  let agent: string | undefined;
  let event: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--agent") agent = args[++at];
    else if (word.startsWith("--agent=")) agent = word.slice("--agent=".length);
    else if (!word.startsWith("-")) event ??= word;
  }
  return { agent, event };
}

/** The answer to one hook, within the deadline. */
async function answer(args: readonly string[], started: number): Promise<HookResponse> {
  const system = denoSystem();
  const given = parseArguments(args);
  const state: HookState = { agent: undefined, exchange: undefined, started };
  const expired = after(DEADLINE_MS).then(() => {
    throw new Failure(`No decision was reached in ${DEADLINE_MS / 1000} s`);
  });
  try {
    return await Promise.race([run(given, state, system), expired]);
  } catch (error) {
    return await failed(error, given, state, system);
  }
}

/** What is known so far, for the answer to a failure. */
interface HookState {
  agent: Agent | undefined;
  exchange: Exchange | undefined;
  readonly started: number;
}

async function run(
  given: HookArguments,
  state: HookState,
  system: System,
): Promise<HookResponse> {
  if (given.agent === undefined) {
    throw new Failure("No agent was named", "write `gitvow hook --agent claude` in the hook");
  }
  const agent = state.agent = agentNamed(given.agent);
  const text = await readObjectText(readStdin);
  const payload = parseObject(text);
  const exchange = state.exchange = { event: eventOf(agent, given.event, payload), payload };
  const calls = await agent.normalize(exchange);
  const before = calls.filter((call) => call.event === "PreToolUse");
  if (before.length > 0) {
    const job = { agent, exchange, system, started: state.started, deadlineMs: DEADLINE_MS };
    return await judgeCalls(before, job);
  }
  const problem = noteCalls(calls, { agent, system, started: state.started });
  const response = await agent.respond({ code: 0, message: "" }, exchange);
  return problem === undefined
    ? response
    : { ...response, stderr: `${response.stderr}gitvow: ${problem.message}\n` };
}

function parseObject(text: string): JsonObject {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(
      `Standard input is not JSON: ${messageOf(error)}`,
      "run gitvow as a hook of the agent, which writes the payload to standard input",
    );
  }
}

/**
 * The event to answer: the command line's, else the payload's. Where they differ and one of them
 * comes before a tool, that one holds, so that a wrong entry in a hook configuration fails closed.
 */
function eventOf(agent: Agent, given: string | undefined, payload: JsonObject): string {
  const own = payload["hook_event_name"];
  const named = typeof own === "string" && own !== "" ? own : undefined;
  if (given === undefined && named === undefined) {
    throw new Failure(
      "Neither the command line nor the payload names the event",
      "write the event after `gitvow hook --agent NAME` in the hook",
    );
  }
  if (named !== undefined && (given === undefined || agent.failsClosed(named))) return named;
  return given ?? "";
}

/** The answer where something failed: a block before a tool, else an exit 0 that is recorded. */
async function failed(
  error: unknown,
  given: HookArguments,
  state: HookState,
  system: System,
): Promise<HookResponse> {
  const message = error instanceof Failure ? error.message : `gitvow failed: ${messageOf(error)}`;
  const remedy = error instanceof Failure ? error.remedy : "report this as a bug";
  const verdict = failureVerdict(message, remedy);
  const event = state.exchange?.event ?? given.event;
  const exchange = state.exchange ?? { event: event ?? "PreToolUse", payload: {} };
  const closed = event === undefined ||
    (state.agent === undefined ? isBeforeTool(event) : state.agent.failsClosed(event));
  const problem = noteFailure({
    agent: given.agent ?? "unknown",
    exchange,
    cause: message,
    outcome: closed ? "deny" : "allow",
    system,
    started: state.started,
  });
  const unrecorded = problem === undefined ? "" : `gitvow: ${problem.message}\n`;
  if (!closed) return { exit_code: 0, stdout: "", stderr: `${verdict.message}\n${unrecorded}` };
  let response: HookResponse | undefined;
  try {
    response = await state.agent?.respond(verdict, exchange);
  } catch {
    // The agent's own form cannot be had; exit 2 with the reason stops the tool everywhere.
  }
  response ??= {
    exit_code: 2,
    stdout: universalDenial(verdict.message),
    stderr: `${verdict.message}\n`,
  };
  return { ...response, stderr: response.stderr + unrecorded };
}

/**
 * A denial that every agent understands, for a caller that is not known: each reads its own member.
 * Together with exit code 2 and the reason on standard error it stopped the tool on every client
 * it was tried on.
 */
function universalDenial(reason: string): string {
  return JSON.stringify({
    decision: "deny",
    reason,
    permission: "deny",
    user_message: reason,
    agent_message: reason,
    permissionDecision: "deny",
    permissionDecisionReason: reason,
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  });
}
