/** Reads a file with a hook payload, as `gitvow check --payload` judges it. */
import type { Agent } from "../../agents/agent.ts";
import type { HookCall, JsonObject } from "../../domain/call.ts";
import { Failure, messageOf } from "../../domain/failure.ts";
import { resolve, slashed, tildify } from "../../system/paths.ts";
import { STDIN_LIMIT } from "../../system/stdin.ts";
import type { CommandWorld } from "../command.ts";

const REMEDY = "name a file with one JSON object, as the agent writes it to the hook";

/**
 * The calls before a tool in the payload of `agent` at `file`. One whose working directory does not
 * exist here is taken to be made in the current one, which is said on standard error. Throws a
 * `Failure` where the file holds no such call.
 */
export async function payloadCalls(
  world: CommandWorld,
  file: string,
  agent: Agent,
): Promise<HookCall[]> {
  const payload = readPayload(world, file);
  const event = payload["hook_event_name"];
  const calls = await agent.normalize({
    event: typeof event === "string" ? event : "PreToolUse",
    payload,
  });
  const before = calls.filter((call) => call.event === "PreToolUse");
  if (before.length > 0) return before.map((call) => placed(world, call));
  throw new Failure(`Payload "${file}" holds no call to judge`, "use a payload of PreToolUse");
}

function readPayload({ system }: CommandWorld, file: string): JsonObject {
  const path = resolve(system.cwd() ?? "", slashed(file, system.os));
  const content = system.files.read(path, STDIN_LIMIT);
  if (content.kind !== "read") {
    const why = content.kind === "missing" ? "there is no such file" : content.why;
    throw new Failure(`Payload "${file}" cannot be read: ${why}`, REMEDY);
  }
  let payload: unknown;
  try {
    payload = JSON.parse(new TextDecoder().decode(content.bytes));
  } catch (error) {
    throw new Failure(`Payload "${file}" is not JSON: ${messageOf(error)}`, REMEDY);
  }
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw new Failure(`Payload "${file}" is not a JSON object`, REMEDY);
  }
  return payload as JsonObject;
}

/** The call in a working directory that exists. */
function placed({ system, terminal }: CommandWorld, call: HookCall): HookCall {
  const { cwd } = call.payload;
  const here = system.cwd();
  if (cwd === "" || here === undefined || system.files.isDirectory(slashed(cwd, system.os))) {
    return call;
  }
  terminal.err(
    `gitvow: the payload's working directory ${
      JSON.stringify(cwd)
    } does not exist here; judged from ${tildify(here, system.home)}`,
  );
  return { ...call, payload: { ...call.payload, cwd: here } };
}
