/** `run` against real child processes: limits, leftovers, and programs that cannot be started. */
import assert from "node:assert/strict";
import { run } from "../../src/system/run.ts";
import type { RunOutcome, RunRequest } from "../../src/system/system.ts";
import { retried } from "./retried.ts";

const MEBIBYTE = 1024 * 1024;

/** Runs a `/bin/sh` script in a throwaway directory. */
function sh(script: string, cwd: string, more: Partial<RunRequest> = {}): Promise<RunOutcome> {
  return run({
    program: "/bin/sh",
    args: ["-c", script],
    cwd,
    stdin: "",
    timeoutMs: 5000,
    stdoutLimit: MEBIBYTE,
    ...more,
  });
}

/** Runs a timed body in a throwaway directory of its own, again where the machine was too busy. */
function timedInTemp(body: (dir: string) => Promise<void>): Promise<void> {
  return retried(() => inTemp(body));
}

async function inTemp(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = Deno.makeTempDirSync();
  try {
    await body(dir);
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
}

function text(outcome: RunOutcome): string | undefined {
  return outcome.kind === "exited" ? new TextDecoder().decode(outcome.stdout) : undefined;
}

/** True where a process has gone within half a second: a kill is not felt at once on a busy machine. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    if (!isRunning(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}

/** True while a process of this id exists and is no zombie. */
function isRunning(pid: number): boolean {
  const output = new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] }).outputSync();
  const stat = new TextDecoder().decode(output.stdout).trim();
  return stat !== "" && !stat.startsWith("Z");
}

function zombies(): string[] {
  const output = new Deno.Command("ps", {
    args: ["-o", "stat=,pid=,args=", "--ppid", String(Deno.pid)],
  }).outputSync();
  return new TextDecoder().decode(output.stdout).split("\n").filter((line) => line.startsWith("Z"));
}

Deno.test("output, exit status and standard error come back as they were", () =>
  inTemp(async (dir) => {
    const outcome = await sh("cat; pwd -P; echo oops >&2; exit 3", dir, { stdin: "in\n" });
    assert.equal(outcome.kind, "exited");
    if (outcome.kind !== "exited") return;
    assert.equal(outcome.code, 3);
    assert.equal(text(outcome), `in\n${Deno.realPathSync(dir)}\n`);
    assert.equal(outcome.stderr, "oops\n");
  }));

Deno.test("arguments reach the program as they are, without a shell", () =>
  inTemp(async (dir) => {
    const args = ["%s|", "a b", "$HOME", "*", "", "'", "; echo x"];
    const outcome = await run({
      program: "printf",
      args,
      cwd: dir,
      stdin: "",
      timeoutMs: 5000,
      stdoutLimit: MEBIBYTE,
    });
    assert.equal(text(outcome), "a b|$HOME|*||'|; echo x|");
  }));

Deno.test("a child that never reads 20 MiB of standard input does no harm", () =>
  inTemp(async (dir) => {
    const outcome = await sh("echo done", dir, { stdin: "x".repeat(20 * MEBIBYTE) });
    assert.equal(text(outcome), "done\n");
  }));

Deno.test("a child that reads 20 MiB of standard input gets all of it", () =>
  inTemp(async (dir) => {
    const outcome = await sh("wc -c", dir, { stdin: "x".repeat(20 * MEBIBYTE) });
    assert.equal(text(outcome)?.trim(), String(20 * MEBIBYTE));
  }));

Deno.test("a child killed by a signal names the signal", () =>
  inTemp(async (dir) => {
    const outcome = await sh("echo before >&2; kill -TERM $$", dir);
    assert.equal(outcome.kind, "killed");
    if (outcome.kind === "killed") {
      assert.equal(outcome.signal, "SIGTERM");
      assert.equal(outcome.stderr, "before\n");
    }
  }));

Deno.test("output at the limit is taken, one byte more is too much", () =>
  inTemp(async (dir) => {
    const at = await sh("printf 12345678", dir, { stdoutLimit: 8 });
    assert.equal(text(at), "12345678");
    const past = await sh("printf 123456789", dir, { stdoutLimit: 8 });
    assert.equal(past.kind, "too much output");
  }));

Deno.test("endless output is cut off at once, and the writer is killed", () =>
  inTemp(async (dir) => {
    const outcome = await sh("echo $$ > pid; exec yes", dir);
    assert.equal(outcome.kind, "too much output");
    if (outcome.kind === "too much output") assert.ok(outcome.ms < 1000, `${outcome.ms} ms`);
    assert.equal(await isGone(Number(Deno.readTextFileSync(`${dir}/pid`))), true);
  }));

Deno.test("the last 64 KiB of standard error are kept", () =>
  inTemp(async (dir) => {
    const outcome = await sh("head -c 300000 /dev/zero | tr '\\0' x >&2; echo END >&2", dir);
    if (outcome.kind !== "exited") assert.fail(outcome.kind);
    assert.equal(outcome.stderr.length, 64 * 1024);
    assert.ok(outcome.stderr.endsWith("xEND\n"));
  }));

for (
  const [name, script] of [
    ["the child sleeps", "echo $$ >> pids; sleep 20"],
    ["a grandchild holds the pipes", "sleep 20 & echo $! >> pids; echo $$ >> pids; sleep 20"],
    ["the child ignores SIGTERM", "trap '' TERM; echo $$ >> pids; sleep 20; sleep 20"],
    ["a pipeline of grandchildren hangs", "echo $$ >> pids; (sleep 20 | sleep 20) & wait"],
  ] as const
) {
  Deno.test(`at the time-out the whole process group is gone: ${name}`, () =>
    timedInTemp(async (dir) => {
      const started = performance.now();
      const outcome = await sh(script, dir, { timeoutMs: 300 });
      const took = performance.now() - started;
      assert.equal(outcome.kind, "timed out");
      assert.ok(took >= 295 && took < 400, `answered after ${took} ms`);
      for (const pid of Deno.readTextFileSync(`${dir}/pids`).trim().split("\n")) {
        assert.equal(await isGone(Number(pid)), true);
      }
      assert.deepEqual(zombies(), []);
    }));
}

Deno.test("a grandchild that holds the pipes does not delay a child that has exited", () =>
  timedInTemp(async (dir) => {
    const started = performance.now();
    const outcome = await sh("sleep 20 & echo $! > pid; echo answer", dir);
    const took = performance.now() - started;
    assert.equal(text(outcome), "answer\n");
    assert.ok(took < 250, `answered after ${took} ms`);
    assert.equal(await isGone(Number(Deno.readTextFileSync(`${dir}/pid`))), true);
  }));

Deno.test("a grandchild in a session of its own, holding every pipe, delays nothing", () =>
  timedInTemp(async (dir) => {
    const started = performance.now();
    const script = "exec 3<&0; setsid sh -c 'echo $$ > pid; exec sleep 5 <&3' & " +
      "while [ ! -s pid ]; do sleep 0.01; done; echo answer";
    const outcome = await sh(script, dir, { stdin: "x".repeat(MEBIBYTE) });
    const took = performance.now() - started;
    Deno.kill(Number(Deno.readTextFileSync(`${dir}/pid`)), "SIGKILL");
    assert.equal(text(outcome), "answer\n");
    assert.ok(took < 400, `answered after ${took} ms`);
  }));

Deno.test("a background process that holds no pipe is left alone", () =>
  inTemp(async (dir) => {
    const outcome = await sh("sleep 5 </dev/null >/dev/null 2>&1 & echo $! > pid", dir);
    assert.equal(outcome.kind, "exited");
    const pid = Number(Deno.readTextFileSync(`${dir}/pid`));
    assert.equal(isRunning(pid), true);
    Deno.kill(pid, "SIGKILL");
  }));

Deno.test("many children that end just as their time is up are told apart from failures of ours", () =>
  inTemp(async (dir) => {
    for (let round = 0; round < 5; round++) {
      const runs = Array.from({ length: 8 }, () => sh("exec sleep 0.03", dir, { timeoutMs: 33 }));
      for (const { kind } of await Promise.all(runs)) {
        assert.ok(kind === "exited" || kind === "timed out", kind);
      }
    }
  }));

Deno.test("no time left means timed out, and nothing is run", () =>
  inTemp(async (dir) => {
    const outcome = await sh("touch ran", dir, { timeoutMs: 0 });
    assert.equal(outcome.kind, "timed out");
    assert.throws(() => Deno.statSync(`${dir}/ran`), Deno.errors.NotFound);
  }));

Deno.test("a time-out longer than a timer takes does not fire at once", () =>
  inTemp(async (dir) => {
    const outcome = await sh("sleep 0.05; echo late", dir, { timeoutMs: 1e15 });
    assert.equal(text(outcome), "late\n");
  }));

Deno.test("a program that cannot be started says why", async (t) => {
  const dir = Deno.makeTempDirSync();
  Deno.writeTextFileSync(`${dir}/plain`, "#!/bin/sh\n", { mode: 0o644 });
  Deno.writeTextFileSync(`${dir}/lost`, "#!/nowhere/interpreter\n", { mode: 0o755 });
  const rows: readonly (readonly [string, string, string, RegExp])[] = [
    ["a missing path", `${dir}/none`, dir, /^there is no program ".*\/none"$/],
    ["a missing name", "no-such-program-here", dir, /^there is no program ".*" on PATH$/],
    ["a directory", dir, dir, /is a directory$/],
    ["a file without an execute bit", `${dir}/plain`, dir, /is not executable$/],
    ["a missing interpreter", `${dir}/lost`, dir, /names an interpreter that is not there$/],
    ["a missing working directory", "/bin/sh", `${dir}/gone`, /^there is no directory ".*\/gone"/],
    ["an argument with a NUL", "/bin/sh\0x", dir, /./],
  ];
  for (const [name, program, cwd, why] of rows) {
    await t.step(name, async () => {
      const request = { program, args: [], cwd, stdin: "x", timeoutMs: 1000, stdoutLimit: 10 };
      const outcome = await run(request);
      assert.equal(outcome.kind, "not started");
      if (outcome.kind === "not started") assert.match(outcome.why, why);
    });
  }
  await t.step("arguments longer than the system takes", async () => {
    const outcome = await sh("true", dir, { args: ["x".repeat(4 * MEBIBYTE)] });
    assert.deepEqual(outcome.kind === "not started" && outcome.why.includes("os error"), false);
    assert.equal(outcome.kind, "not started");
  });
  Deno.removeSync(dir, { recursive: true });
});

Deno.test("a process that ran children exits by itself, and takes them along when it is killed", () =>
  timedInTemp(async (dir) => {
    const module = new URL("../../src/system/run.ts", import.meta.url).href;
    Deno.writeTextFileSync(
      `${dir}/hook.ts`,
      `import { run } from ${JSON.stringify(module)};
       await run({ program: "/bin/sh", args: ["-c", Deno.args[0]!], cwd: Deno.cwd(), stdin: "",
         timeoutMs: Number(Deno.args[1]), stdoutLimit: 100 });
       console.log("end");`,
    );
    const hook = (script: string, timeout: number) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", `${dir}/hook.ts`, script, String(timeout)],
        cwd: dir,
        stdout: "piped",
        stderr: "null",
      }).spawn();
    const started = performance.now();
    const done = await hook("setsid sleep 3 & sleep 20", 100).output();
    assert.equal(new TextDecoder().decode(done.stdout), "end\n");
    assert.ok(performance.now() - started < 2500);

    const killed = hook("sleep 20 & echo $! > pid.new; mv pid.new pid; wait", 20_000);
    const pidFile = `${dir}/pid`;
    for (let tries = 0; tries < 200; tries++) {
      if (Deno.readDirSync(dir).some((entry) => entry.name === "pid")) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    const grandchild = Number(Deno.readTextFileSync(pidFile));
    assert.equal(isRunning(grandchild), true);
    killed.kill("SIGTERM");
    const { signal } = await killed.output();
    assert.equal(signal, "SIGTERM");
    assert.equal(await isGone(grandchild), true);
  }));
