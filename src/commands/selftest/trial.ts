/** One agent's trial in a sandbox: calls put to its installed hooks, and checks on the answers. */
import type { Agent } from "../../agents/agent.ts";
import { messageOf } from "../../domain/failure.ts";
import { shortened, visible } from "../../domain/visible.ts";
import { commandIn, handlersOf } from "../status/hooks.ts";
import type { AgentSamples, ClientReading, SampleAct } from "./samples.ts";
import type { Ended, Sandbox } from "./sandbox.ts";

/** Characters of what was seen that are shown. */
const SEEN_WIDTH = 160;

/** One thing that was tried, and whether gitvow did it right. */
export interface Check {
  readonly agent: string;
  readonly name: string;
  readonly ok: boolean;
  /** What was seen, on one line. */
  readonly seen: string;
}

/** What a check found, before it is named. */
export interface Finding {
  readonly ok: boolean;
  readonly seen: string;
}

/** A hook's answer as the client would read it. */
export interface Heard extends ClientReading {
  readonly ended: Ended;
}

/** Everything the checks of one agent need. */
export class Trial {
  /** The session of every call, which names its record. */
  readonly session = "selftest";
  /** A token that gitvow must keep nowhere. */
  readonly secret: string;

  constructor(
    readonly agent: Agent,
    readonly samples: AgentSamples,
    readonly sandbox: Sandbox,
    private readonly report: (check: Check) => void,
  ) {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const random = sandbox.system.random(36);
    this.secret = "ghp_" +
      [...random].map((byte) => letters.charAt(byte % letters.length)).join("");
  }

  /** The settings file of a scope. */
  settings(scope: "user" | "repository"): string {
    const { install } = this.agent;
    return scope === "user"
      ? `${this.sandbox.home}/${install.userFile}`
      : `${this.sandbox.repo}/${install.repoFile}`;
  }

  /** Makes one check and reports it; whatever is thrown is a failed one. */
  async check(name: string, make: () => Promise<Finding> | Finding): Promise<void> {
    let found: Finding;
    try {
      found = await make();
    } catch (error) {
      found = { ok: false, seen: messageOf(error) };
    }
    const seen = shortened(visible(found.seen.trim().replace(/\s*\n\s*/g, "; ")), SEEN_WIDTH);
    this.report({ agent: this.agent.name, name, ok: found.ok, seen });
  }

  /** Runs the command recorded for an event with this text on standard input. */
  async hook(
    event: string,
    stdin: string,
    scope: "user" | "repository" = "user",
  ): Promise<Heard> {
    const path = this.settings(scope);
    const command = commandIn(handlersOf(this.sandbox.read(path) ?? "").get(event)?.[0]);
    if (command === undefined) {
      const ended = { code: -1, stdout: "", stderr: "", ms: 0 };
      return { outcome: "broken", reason: `nothing in ${path} calls gitvow for ${event}`, ended };
    }
    const ended = await this.sandbox.shell(command, stdin);
    return { ...this.samples.read(event, ended), ended };
  }

  /** Puts one call to the hook before a tool. */
  call(act: SampleAct, mode?: string, scope?: "user" | "repository"): Promise<Heard> {
    const { beforeTool } = this.samples;
    const session = { session: this.session, cwd: this.sandbox.repo, ...(mode && { mode }) };
    return this.hook(beforeTool, JSON.stringify(this.samples.call(act, session)), scope);
  }

  /** Puts a shell command to the hook before a tool. */
  run(command: string, mode?: string): Promise<Heard> {
    return this.call({ kind: "shell", command }, mode);
  }

  /** Puts another event to its hook. */
  notice(event: string): Promise<Heard> {
    const session = { session: this.session, cwd: this.sandbox.repo };
    return this.hook(event, JSON.stringify(this.samples.notice(event, session, this.secret)));
  }
}

/** What was heard, as a check shows it. */
export function seenOf(heard: Heard): string {
  const [first = ""] = heard.reason.split("\n");
  const said = first === "" ? "" : `: ${first}`;
  const bare = heard.bare === true ? " by the exit code alone" : "";
  const failed = heard.outcome === "broken" ? ` (${heard.ended.stderr.trim()})` : "";
  return `${heard.outcome}${bare}${said}${failed}, ${heard.ended.ms} ms`;
}

/** True for a denial in the agent's native form whose reason matches. */
export function isDenial(heard: Heard, reason: RegExp): boolean {
  return heard.outcome === "deny" && heard.bare !== true && reason.test(heard.reason);
}
