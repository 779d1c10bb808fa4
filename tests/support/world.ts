/** A throwaway home and repository with gitvow in it, and gitvow run there as a process. */
import { fromFileUrl } from "./urls.ts";

/** The built launcher, which `deno task test` makes first. */
export const GITVOW = fromFileUrl(new URL("../../dist/gitvow", import.meta.url));

/** How a process ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** What to run besides the arguments. */
export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Leaves standard input open after writing. */
  readonly keepOpen?: boolean;
  /** The program to run in place of the built launcher. */
  readonly program?: string;
}

/** A home with one repository. Disposing it removes everything. */
export class World implements Disposable {
  readonly home: string;
  readonly repo: string;

  constructor() {
    this.home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "gitvow-test-" }));
    this.repo = `${this.home}/shop`;
    Deno.mkdirSync(`${this.repo}/.git`, { recursive: true });
    Deno.mkdirSync(`${this.repo}/docs`);
    this.write("shop/.git/HEAD", "ref: refs/heads/main\n");
  }

  /** Writes a file below the home, with its folders. */
  write(path: string, content: string | Uint8Array): string {
    const whole = `${this.home}/${path}`;
    Deno.mkdirSync(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(whole, content);
    else Deno.writeFileSync(whole, content);
    return whole;
  }

  /** Writes the user's policy. */
  policy(policy: unknown): void {
    this.write(
      ".gitvow/policy.json",
      typeof policy === "string" ? policy : JSON.stringify(policy),
    );
  }

  get env(): Record<string, string> {
    return { HOME: this.home, PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" };
  }

  /** Runs gitvow and waits for its end. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const started = performance.now();
    const child = new Deno.Command(options.program ?? GITVOW, {
      args: [...args],
      cwd: options.cwd ?? this.repo,
      env: { ...(options.env ?? this.env) },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const input = options.stdin ?? "";
    const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
    const writer = child.stdin.getWriter();
    const written = writer.write(bytes).catch(() => {});
    if (options.keepOpen !== true) written.then(() => writer.close()).catch(() => {});
    const output = await child.output();
    if (options.keepOpen === true) await writer.close().catch(() => {});
    return {
      code: output.code,
      stdout: new TextDecoder().decode(output.stdout),
      stderr: new TextDecoder().decode(output.stderr),
      ms: performance.now() - started,
    };
  }

  /** Runs one hook of Claude Code. */
  hook(event: string, payload: unknown, options: RunOptions = {}): Promise<Ended> {
    const stdin = typeof payload === "string" || payload instanceof Uint8Array
      ? payload
      : JSON.stringify(payload);
    return this.run(["hook", "--agent", "claude", event], { stdin, ...options });
  }

  /** A payload of Claude Code. */
  payload(tool: string, input: unknown, more: Record<string, unknown> = {}) {
    return {
      session_id: "s1",
      transcript_path: "",
      cwd: this.repo,
      hook_event_name: "PreToolUse",
      permission_mode: "default",
      tool_name: tool,
      tool_input: input,
      tool_use_id: "toolu_1",
      ...more,
    };
  }

  /** Runs the PreToolUse hook on a shell command. */
  bash(command: string, more: Record<string, unknown> = {}): Promise<Ended> {
    return this.hook("PreToolUse", this.payload("Bash", { command }, more));
  }

  /** The lines of a session's record, parsed. */
  records(session = "s1"): Record<string, unknown>[] {
    try {
      return Deno.readTextFileSync(`${this.home}/.gitvow/sessions/${session}.jsonl`)
        .trimEnd().split("\n").map((line) => JSON.parse(line));
    } catch {
      return [];
    }
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.home, { recursive: true });
  }
}

/** The verdict an agent would read from an ended hook. */
export function verdictOf({ code, stdout, stderr }: Ended): string {
  if (code === 2) {
    return stderr.startsWith("BLOCKED") ? "deny" : stderr !== "" ? "confirm" : "silent block";
  }
  if (code !== 0) return `exit ${code}`;
  if (stdout === "") return "allow";
  return JSON.parse(stdout).hookSpecificOutput?.permissionDecision === "ask" ? "confirm" : "odd";
}
