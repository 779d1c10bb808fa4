/** `gitvow log`: the record as a person and as a script read it. */
import assert from "node:assert/strict";
import { World } from "../support/world.ts";

const POLICY = {
  bash_deny: [{ pattern: "wipe", reason: "it wipes" }],
  bash_confirm: [{ pattern: "deploy", reason: "it reaches production" }],
};

/** A world in which a session has three decided calls. */
async function decided(): Promise<World> {
  const world = new World();
  world.policy(POLICY);
  await world.bash("git status");
  await world.bash("deploy now");
  await world.bash("wipe all");
  return world;
}

Deno.test("entries come oldest first, one a line, with the first finding", async () => {
  using world = await decided();
  const { code, stdout, stderr } = await world.run(["log"]);
  assert.equal(code, 0, stderr);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, 3);
  assert.match(lines[0] ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}allow {4}Bash {2}git status/);
  assert.match(
    lines[1] ?? "",
    /confirm {2}Bash {2}deploy now {2}it reaches production \(rule bash_/,
  );
  assert.match(lines[2] ?? "", /deny {5}Bash {2}wipe all {2}it wipes \(rule bash_deny\[0\] in ~/);
  assert.equal(stderr, "");
});

Deno.test("times are those of the machine's time zone", async () => {
  using world = new World();
  const at = "2026-01-01T23:30:00.000Z";
  const entry = { v: 1, at, kind: "prompt", outcome: "none", session: "s1", event: "Prompt" };
  world.write(".gitvow/sessions/s1.jsonl", `${JSON.stringify(entry)}\n`);
  const env = { ...world.env, TZ: "Asia/Tokyo" };
  const { stdout } = await world.run(["log"], { env });
  assert.match(stdout, /^2026-01-02 08:30:00 {2}prompt {3}Prompt\n$/);
});

Deno.test("--json prints one object a line and nothing else", async () => {
  using world = await decided();
  const { stdout } = await world.run(["log", "s1", "--json"]);
  const entries = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(entries.map((entry) => entry.outcome), ["allow", "confirm", "deny"]);
});

const FILTERS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [["--outcome", "deny"], ["wipe all"]],
  [["--outcome", "confirm", "--kind", "tool_call"], ["deploy now"]],
  [["--kind", "hook_failed"], []],
  [["--limit", "2"], ["deploy now", "wipe all"]],
  [["--limit", "1", "--outcome", "allow"], ["git status"]],
];

for (const [flags, wanted] of FILTERS) {
  Deno.test(`${flags.join(" ")} shows ${JSON.stringify(wanted)}`, async () => {
    using world = await decided();
    const { stdout } = await world.run(["log", "--json", ...flags]);
    const lines = stdout.split("\n").filter((line) => line !== "");
    assert.deepEqual(lines.map((line) => JSON.parse(line).detail), wanted);
  });
}

const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
  [["--outcome", "blocked"], /--outcome "blocked" is not known\n.*allow, confirm, deny/],
  [["--kind", "call"], /--kind "call" is not known\n.*tool_call.*hook_failed/],
  [["--limit", "0"], /--limit "0" is not a number of entries/],
  [["--limit", "1.5"], /--limit "1.5" is not a number of entries/],
  [["--limit", "1e2"], /--limit "1e2" is not a number of entries/],
  [["--sessions", "--outcome", "deny"], /--sessions and --outcome exclude each other/],
  [["--sessions", "--kind", "prompt"], /--sessions and --kind exclude each other/],
  [["--sessions", "s1"], /--sessions and session "s1" exclude each other/],
  [["nowhere"], /There is no session "nowhere" in the record\n.*log --sessions/],
  [["../policy"], /There is no session/],
];

for (const [args, message] of WRONG) {
  Deno.test(`log ${args.join(" ")} says what is right`, async () => {
    using world = await decided();
    const { code, stdout, stderr } = await world.run(["log", ...args]);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, message);
  });
}

Deno.test("a session is found by the beginning of its id, where only one has it", async () => {
  using world = new World();
  world.policy(POLICY);
  await world.bash("git status", { session_id: "abc-1" });
  await world.bash("git log", { session_id: "abd-2" });
  assert.match((await world.run(["log", "abc"])).stdout, /git status/);
  const { code, stderr } = await world.run(["log", "ab"]);
  assert.equal(code, 1);
  assert.match(stderr, /2 sessions begin with "ab"\n.*abd-2, abc-1|abc-1, abd-2/);
  assert.match((await world.run(["log"])).stdout, /git log/);
});

Deno.test("torn lines are counted at the end and stop nothing", async () => {
  using world = await decided();
  const path = `${world.home}/.gitvow/sessions/s1.jsonl`;
  Deno.writeTextFileSync(path, `{"v":1,"at":"20\n{}\n`, { append: true });
  const { code, stdout, stderr } = await world.run(["log", "--json"]);
  assert.equal(code, 0);
  assert.equal(stdout.trimEnd().split("\n").length, 3);
  assert.match(stderr, /2 lines are torn/);
});

Deno.test("a command of several lines, or with escapes, stays on its line", async () => {
  using world = new World();
  world.policy(POLICY);
  await world.bash("echo a\necho '\u001b[2J'");
  const { stdout } = await world.run(["log"]);
  assert.equal(stdout.trimEnd().split("\n").length, 1);
  assert.match(stdout, /echo a\\necho '\\x1b\[2J'/);
});

Deno.test("--sessions lists them, the latest last", async () => {
  using world = await decided();
  await world.bash("wipe it", { session_id: "s2" });
  const { stdout } = await world.run(["log", "--sessions"]);
  const lines = stdout.trimEnd().split("\n");
  assert.match(lines[0] ?? "", / s1 {2}claude {2}3 entries {2}1 allowed, 1 asked, 1 denied$/);
  assert.match(lines[1] ?? "", / s2 {2}claude {2}1 entry {2}1 denied$/);
  const json = await world.run(["log", "--sessions", "--json"]);
  const ids = json.stdout.trimEnd().split("\n").map((line) => JSON.parse(line).id);
  assert.deepEqual(ids, ["s1", "s2"]);
});

Deno.test("a file in the place of the record's folder is said", async () => {
  using world = new World();
  world.write(".gitvow/sessions", "");
  for (const args of [["log"], ["log", "--sessions"]]) {
    const { code, stderr } = await world.run(args);
    assert.equal(code, 1);
    assert.match(stderr, /"~\/\.gitvow\/sessions" is a file.*\n {2}move it out of the way/);
  }
});

Deno.test("an empty record is said, and is no error", async () => {
  using world = new World();
  for (const args of [["log"], ["log", "--sessions"]]) {
    const { code, stdout } = await world.run(args);
    assert.equal(code, 0);
    assert.match(stdout, /Nothing has been recorded yet/);
    assert.equal((await world.run([...args, "--json"])).stdout, "");
  }
});
