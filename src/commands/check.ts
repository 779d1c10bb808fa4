/** `gitvow check`: what the gate would decide about a command, a path, an MCP tool or a payload. */
import type { Agent } from "../agents/agent.ts";
import { agentNamed } from "../agents/registry.ts";
import type { HookCall, JsonObject } from "../domain/call.ts";
import { decide, type Decision } from "../domain/finding.ts";
import { Failure } from "../domain/failure.ts";
import { shellWord } from "../domain/words.ts";
import type { GateContext } from "../gate/context.ts";
import { gate } from "../gate/gate.ts";
import { visible } from "../domain/visible.ts";
import { verdictOn } from "../gate/message.ts";
import { prepare } from "../gate/prepare.ts";
import { programFiles } from "../system/process.ts";
import type { Command, CommandWorld, ExitCode } from "./command.ts";
import { explain } from "./check/explain.ts";
import { payloadCalls } from "./check/payload.ts";
import { existingHome } from "./folders.ts";

export interface CheckFlags {
  readonly path: readonly string[] | undefined;
  readonly read: boolean;
  readonly mcp: string | undefined;
  readonly payload: string | undefined;
  readonly agent: string;
  readonly explain: boolean;
  readonly json: boolean;
}

/** Milliseconds a check may take. */
const CHECK_MS = 55_000;

const EXIT: Record<Decision["outcome"], ExitCode> = { allow: 0, confirm: 2, deny: 2 };

/** Judges what is asked about exactly as the hook would, without recording anything. */
export const check: Command<CheckFlags> = async (world, flags, words) => {
  existingHome(world.system);
  const agent = agentNamed(flags.agent);
  refuseIdle(flags);
  const calls = callsFor(world, flags, words, agent);
  const decisions: Decision[] = [];
  const contexts: GateContext[] = [];
  for (const call of await calls) {
    const context = await prepare(call, {
      system: world.system,
      executables: programFiles(),
      deadline: world.system.now() + CHECK_MS,
    });
    contexts.push(context);
    decisions.push(await gate(call, context));
  }
  const decision = decide(decisions.flatMap((one) => one.findings));
  if (flags.json) {
    const commands = contexts.flatMap((context) => context.commands);
    world.terminal.out(JSON.stringify({
      ...decision,
      ...(flags.explain && { commands }),
    }));
    return EXIT[decision.outcome];
  }
  const { paint } = world.terminal;
  const colour = ({ allow: "green", confirm: "yellow", deny: "red" } as const)[decision.outcome];
  world.terminal.out(paint(colour, decision.outcome));
  if (decision.outcome !== "allow") world.terminal.out(verdictOn(decision).message);
  for (const finding of decision.findings.filter((one) => one.outcome === "observe")) {
    world.terminal.out(
      paint("dim", visible(`observed: ${finding.subject} (${finding.reason}), ${finding.source}`)),
    );
  }
  if (flags.explain) {
    for (const context of contexts) {
      for (const line of explain(context, decision, world.terminal)) world.terminal.out(line);
    }
  }
  return EXIT[decision.outcome];
};

/** Throws a `Failure` where a flag would be without effect. */
function refuseIdle({ path, read, mcp }: CheckFlags): void {
  if (read && (path ?? []).length === 0) {
    throw new Failure(
      "--read is about the files of --path",
      "add --path FILE, or leave --read out",
    );
  }
  if (mcp !== undefined && !/^mcp__.+?__./s.test(mcp)) {
    throw new Failure(`--mcp "${mcp}" is not the name of an MCP tool`, "write mcp__SERVER__TOOL");
  }
}

function callOf(tool: string, input: JsonObject, cwd: string): HookCall {
  return {
    event: "PreToolUse",
    payload: {
      session_id: "",
      transcript_path: "",
      cwd,
      hook_event_name: "PreToolUse",
      tool_name: tool,
      tool_input: input,
    },
  };
}

/** The calls the flags and words describe. Throws a `Failure` where they describe none. */
async function callsFor(
  world: CommandWorld,
  flags: CheckFlags,
  words: readonly string[],
  agent: Agent,
): Promise<HookCall[]> {
  const cwd = world.system.cwd() ?? "";
  const calls: HookCall[] = (flags.path ?? []).map((path) =>
    callOf(flags.read ? "Read" : "Write", { file_path: path }, cwd)
  );
  if (flags.mcp !== undefined) calls.push(callOf(flags.mcp, {}, cwd));
  if (flags.payload !== undefined) {
    calls.push(...await payloadCalls(world, flags.payload, agent));
  }
  if (words.length > 0) calls.push(callOf("Bash", { command: commandLine(words) }, cwd));
  if (calls.length > 0) return calls;
  throw new Failure(
    "Nothing to check",
    "write a command after `--`, or use --path, --mcp or --payload; see `gitvow check --help`",
  );
}

/** One word is a whole command line; several are the words of one command. */
function commandLine(words: readonly string[]): string {
  if (words.length === 1) return words[0] ?? "";
  return words.map(shellWord).join(" ");
}
