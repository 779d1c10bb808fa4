/** The whole gate in this process, over a throwaway home and repository and real policy files. */
import type { JsonObject } from "../../src/domain/call.ts";
import type { Decision } from "../../src/domain/finding.ts";
import { gate } from "../../src/gate/gate.ts";
import { prepare } from "../../src/gate/prepare.ts";
import { denoSystem } from "../../src/system/deno.ts";
import type { System } from "../../src/system/system.ts";

/** A home with one repository, `shop`. Disposing it removes everything. */
export class Bench implements Disposable {
  readonly home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "gitvow-gate-" }));
  readonly repo = `${this.home}/shop`;
  readonly system: System = { ...denoSystem(), home: this.home };
  /** Files the guard takes for gitvow's own program. */
  executables: readonly string[] = [`${this.home}/opt/program.js`, `${this.home}/opt/runtime`];

  constructor(policy: unknown = {}) {
    Deno.mkdirSync(`${this.repo}/.git`, { recursive: true });
    Deno.mkdirSync(`${this.repo}/docs`);
    this.policy(policy);
  }

  /** Writes a file below the home, with its folders; text or a value as JSON. */
  write(path: string, content: unknown): string {
    const whole = `${this.home}/${path}`;
    Deno.mkdirSync(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(whole, typeof content === "string" ? content : JSON.stringify(content));
    return whole;
  }

  /** Makes a symbolic link below the home; `target` is written into it as it is. */
  link(target: string, path: string): void {
    const whole = `${this.home}/${path}`;
    Deno.mkdirSync(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
    Deno.symlinkSync(target, whole);
  }

  /** Writes the user's policy. */
  policy(policy: unknown): void {
    this.write(".gitvow/policy.json", policy);
  }

  /** Judges one tool call. */
  async judge(tool: string, input: JsonObject, cwd = this.repo): Promise<Decision> {
    const call = {
      event: "PreToolUse",
      payload: {
        session_id: "s1",
        transcript_path: "",
        cwd,
        hook_event_name: "PreToolUse",
        tool_name: tool,
        tool_input: input,
      },
    } as const;
    const context = await prepare(call, {
      system: this.system,
      executables: this.executables,
      deadline: Date.now() + 55_000,
    });
    return await gate(call, context);
  }

  /** Judges a command. */
  bash(command: string, cwd = this.repo): Promise<Decision> {
    return this.judge("Bash", { command }, cwd);
  }

  /** Judges a file to be written by a tool. */
  edit(path: string, cwd = this.repo): Promise<Decision> {
    return this.judge("Write", { file_path: path, content: "x" }, cwd);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.home, { recursive: true });
  }
}

/** A decision in one line, for an assertion's message. */
export function told(decision: Decision): string {
  const findings = decision.findings.map((one) => `${one.outcome}: ${one.subject} (${one.reason})`);
  return [decision.outcome, ...findings].join("; ");
}
