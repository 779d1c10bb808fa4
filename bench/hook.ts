/**
 * Times the launched hook against the floor, interleaved in one run: medians, ratios, and a line
 * for each budget. `deno task bench [--runs N]`.
 */
import { LAUNCH_FLAGS } from "../main.ts";

/** One thing to time. `budget` is its greatest ratio to the floor. */
interface Case {
  readonly name: string;
  readonly command: readonly string[];
  readonly payload: string;
  readonly budget: number | undefined;
}

const root = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Milliseconds of one run. */
async function time(one: Case, env: Record<string, string>, cwd: string): Promise<number> {
  const started = performance.now();
  const child = new Deno.Command(one.command[0] ?? "", {
    args: one.command.slice(1),
    env,
    clearEnv: true,
    cwd,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(one.payload)).catch(() => {});
  await writer.close().catch(() => {});
  const { code } = await child.status;
  if (code !== 0) throw new Error(`${one.name} ended with code ${code}`);
  return performance.now() - started;
}

function payload(home: string, tool: string, input: unknown, event = "PreToolUse"): string {
  return JSON.stringify({
    session_id: "bench",
    transcript_path: "",
    cwd: `${home}/shop`,
    hook_event_name: event,
    permission_mode: "default",
    tool_name: tool,
    tool_input: input,
    tool_use_id: "toolu_bench",
  });
}

if (import.meta.main) {
  const at = Deno.args.indexOf("--runs");
  const runs = at < 0 ? 30 : Number(Deno.args[at + 1]);
  const home = Deno.makeTempDirSync({ prefix: "gitvow-bench-" });
  const env = { HOME: home, PATH: Deno.env.get("PATH") ?? "", LANG: "C.UTF-8" };
  try {
    Deno.mkdirSync(`${home}/shop/.git`, { recursive: true });
    Deno.mkdirSync(`${home}/shop/src`);
    Deno.writeTextFileSync(`${home}/shop/src/app.ts`, "export const x = 1;\n");
    const cwd = `${home}/shop`;
    const installed = await new Deno.Command(`${root}/dist/gitvow`, {
      args: ["install", "--user", "--agent", "claude"],
      env,
      clearEnv: true,
      cwd,
    }).output();
    if (!installed.success) throw new Error(new TextDecoder().decode(installed.stderr));
    const launcher = `${home}/.gitvow/bin/gitvow`;
    const hook = (event: string) => [launcher, "hook", "--agent", "claude", event];
    const bash = payload(home, "Bash", { command: "npm test -- --grep 'login works' | tail -20" });
    const floor: Case = {
      name: "floor",
      command: [Deno.execPath(), "run", ...LAUNCH_FLAGS, `${root}/bench/floor.ts`],
      payload: bash,
      budget: undefined,
    };
    const edit = { file_path: `${cwd}/src/app.ts`, old_string: "x = 1", new_string: "x = 2" };
    const cases: Case[] = [
      floor,
      { name: "PreToolUse Bash", command: hook("PreToolUse"), payload: bash, budget: 1.5 },
      {
        name: "PreToolUse Edit",
        command: hook("PreToolUse"),
        payload: payload(home, "Edit", edit),
        budget: 1.5,
      },
      {
        name: "PreToolUse Read",
        command: hook("PreToolUse"),
        payload: payload(home, "Read", { file_path: `${cwd}/src/app.ts` }),
        budget: undefined,
      },
      {
        name: "PostToolUse Bash",
        command: hook("PostToolUse"),
        payload: payload(home, "Bash", { command: "npm test" }, "PostToolUse"),
        budget: undefined,
      },
    ];
    const times = new Map<string, number[]>(cases.map((one) => [one.name, []]));
    for (const one of cases) await time(one, env, cwd);
    for (let run = 0; run < runs; run++) {
      for (const one of cases) times.get(one.name)?.push(await time(one, env, cwd));
    }
    const base = median(times.get("floor") ?? []);
    for (const one of cases) {
      const middle = median(times.get(one.name) ?? []);
      const ratio = middle / base;
      const judged = one.budget === undefined
        ? ""
        : `  budget ${one.budget}: ${ratio <= one.budget ? "pass" : "MISS"}`;
      console.log(
        `${one.name.padEnd(20)} ${middle.toFixed(1).padStart(7)} ms  ${ratio.toFixed(2)}x${judged}`,
      );
    }
    console.log(`${runs} interleaved runs, medians`);
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
}
