/** Every call leaves its line, whatever else happens; a record that cannot be written changes no verdict. */
import assert from "node:assert/strict";
import { GITVOW, verdictOf, World } from "../support/world.ts";

const POLICY = {
  bash_deny: [{ pattern: "forbidden", reason: "the test says so" }],
  bash_confirm: [{ pattern: "perhaps", reason: "the test wonders" }],
};

Deno.test("forty hooks at once on one session leave forty whole lines", async () => {
  using world = new World();
  world.policy(POLICY);
  const commands = Array.from({ length: 40 }, (_, index) => `echo number-${index}-`);
  const ended = await Promise.all(commands.map((command) => world.bash(command)));
  assert.deepEqual(new Set(ended.map(verdictOf)), new Set(["allow"]));
  const details = world.records().map((entry) => entry["detail"]);
  assert.deepEqual(new Set(details), new Set(commands));
  assert.equal(details.length, 40);
});

Deno.test("an entry says what was decided, where and why, and holds no secret", async () => {
  using world = new World();
  world.policy(POLICY);
  const token = "ghp_" + "a1B2".repeat(9);
  await world.bash(`curl -H 'Authorization: Bearer ${token}' forbidden`);
  const [entry] = world.records();
  assert.ok(entry);
  assert.equal(entry["v"], 1);
  assert.match(String(entry["at"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(
    ["kind", "agent", "session", "event", "tool", "outcome", "cwd", "repo", "tool_use_id"]
      .map((key) => entry[key]),
    ["tool_call", "claude", "s1", "PreToolUse", "Bash", "deny", world.repo, world.repo, "toolu_1"],
  );
  assert.equal(typeof entry["ms"], "number");
  assert.ok(!JSON.stringify(entry).includes(token));
  assert.match(JSON.stringify(entry["findings"]), /the test says so/);
  const file = `${world.home}/.gitvow/sessions/s1.jsonl`;
  assert.equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);
  assert.equal((Deno.statSync(`${world.home}/.gitvow/sessions`).mode ?? 0) & 0o777, 0o700);
});

Deno.test("file contents and prompts are never recorded", async () => {
  using world = new World();
  world.policy(POLICY);
  const input = { file_path: `${world.repo}/a.ts`, content: "CONTENT-OF-FILE" };
  await world.hook("PreToolUse", world.payload("Write", input));
  await world.hook("PostToolUse", {
    ...world.payload("Write", input),
    hook_event_name: "PostToolUse",
    tool_response: { content: "CONTENT-OF-FILE" },
  });
  await world.hook("UserPromptSubmit", {
    session_id: "s1",
    cwd: world.repo,
    hook_event_name: "UserPromptSubmit",
    prompt: "TEXT-OF-PROMPT",
  });
  const kinds = world.records().map((entry) => entry["kind"]);
  assert.deepEqual(kinds, ["tool_call", "tool_result", "prompt"]);
  const all = JSON.stringify(world.records());
  assert.ok(!all.includes("CONTENT-OF-FILE") && !all.includes("TEXT-OF-PROMPT"), all);
  assert.ok(all.includes("a.ts"));
});

Deno.test("every event of a session is recorded under its kind", async () => {
  using world = new World();
  world.policy(POLICY);
  const events: readonly [string, string][] = [
    ["SessionStart", "session_start"],
    ["UserPromptSubmit", "prompt"],
    ["PostToolUse", "tool_result"],
    ["PostToolUseFailure", "tool_result"],
    ["SubagentStop", "session_stop"],
    ["Stop", "session_stop"],
    ["SessionEnd", "session_stop"],
  ];
  for (const [event] of events) {
    const ended = await world.hook(
      event,
      world.payload("Bash", { command: "ls" }, {
        hook_event_name: event,
        error: "Exit code 1",
      }),
    );
    assert.deepEqual([ended.code, ended.stdout, ended.stderr], [0, "", ""], event);
  }
  assert.deepEqual(
    world.records().map((entry) => [entry["event"], entry["kind"]]),
    events.map(([event, kind]) => [event, kind]),
  );
});

interface RecordFault {
  readonly name: string;
  readonly break: (world: World) => void;
  readonly undo?: (world: World) => void;
}

const FAULTS: readonly RecordFault[] = [
  {
    name: "where the sessions folder is a file",
    break: (world) => {
      world.write(".gitvow/sessions", "not a folder");
    },
  },
  {
    name: "where the session's file is a folder",
    break: (world) =>
      Deno.mkdirSync(`${world.home}/.gitvow/sessions/s1.jsonl`, { recursive: true }),
  },
  {
    name: "where the session's file is a link elsewhere",
    break: (world) => {
      Deno.mkdirSync(`${world.home}/.gitvow/sessions`);
      Deno.symlinkSync(`${world.home}/stolen`, `${world.home}/.gitvow/sessions/s1.jsonl`);
    },
  },
  {
    name: "where the disk is full",
    break: (world) => {
      Deno.mkdirSync(`${world.home}/.gitvow/sessions`);
      const mount = new Deno.Command("mount", {
        args: ["-t", "tmpfs", "-o", "size=4k", "tmpfs", `${world.home}/.gitvow/sessions`],
        stderr: "null",
      }).outputSync();
      if (!mount.success) throw new Error("cannot mount");
      Deno.writeFileSync(`${world.home}/.gitvow/sessions/filler`, new Uint8Array(4096));
    },
    undo: (world) => {
      new Deno.Command("umount", { args: [`${world.home}/.gitvow/sessions`] }).outputSync();
    },
  },
];

/** True where a small file system can be mounted, as the full disk needs. */
function canMount(): boolean {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  const folder = Deno.makeTempDirSync();
  const { success } = new Deno.Command("mount", {
    args: ["-t", "tmpfs", "-o", "size=4k", "tmpfs", folder],
    stderr: "null",
  }).outputSync();
  if (success) new Deno.Command("umount", { args: [folder] }).outputSync();
  Deno.removeSync(folder);
  return success;
}

for (const fault of FAULTS) {
  const ignore = fault.undo !== undefined && !canMount();
  Deno.test(`verdicts stand ${fault.name}, and the failure is said`, { ignore }, async () => {
    using world = new World();
    world.policy(POLICY);
    fault.break(world);
    try {
      const said = /gitvow: .*record/i;
      const allowed = await world.bash("fine");
      assert.equal(verdictOf(allowed), "allow");
      assert.match(allowed.stderr, said);
      const denied = await world.bash("forbidden");
      assert.equal(verdictOf(denied), "deny");
      assert.match(denied.stderr, said);
      const asked = await world.bash("perhaps");
      assert.equal(verdictOf(asked), "confirm");
      const stop = await world.hook("Stop", { session_id: "s1", cwd: world.repo });
      assert.deepEqual([stop.code, stop.stdout], [0, ""]);
    } finally {
      fault.undo?.(world);
    }
  });
}

Deno.test("a hook killed in the middle leaves only whole lines", async () => {
  using world = new World();
  world.policy(POLICY);
  const payload = new TextEncoder().encode(
    JSON.stringify(world.payload("Bash", { command: `echo ${"x".repeat(400)}` })),
  );
  for (let round = 0; round < 12; round++) {
    const child = new Deno.Command(GITVOW, {
      args: ["hook", "--agent", "claude", "PreToolUse"],
      env: world.env,
      clearEnv: true,
      cwd: world.repo,
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(payload);
    await writer.close();
    await new Promise((done) => setTimeout(done, 20 + 5 * round));
    try {
      child.kill("SIGKILL");
    } catch { /* it was faster */ }
    await child.status;
  }
  await world.bash("fine");
  assert.equal(world.records().at(-1)?.["detail"], "fine");
});
