/** `gitvow check`: the hook's own verdict, for a person or a script, without running or recording. */
import assert from "node:assert/strict";
import { World } from "../support/world.ts";

const POLICY = {
  bash_deny: [{ program: "git", verbs: "push", flags: "--force", reason: "it rewrites history" }],
  bash_confirm: [{ program: "gh", verbs: "release create", reason: "it is public" }],
  path_deny: [{ glob: "secret/**", reason: "it is secret" }],
  path_confirm: [{ glob: ".github/**", reason: "it runs with our secrets" }],
  read_confirm: [{ glob: "secret/**", reason: "it is secret" }],
  mcp_deny: ["mcp__github__delete_.*"],
};

function checked(): World {
  const world = new World();
  world.policy(POLICY);
  return world;
}

const ROWS: readonly (readonly [readonly string[], number, string])[] = [
  [["--", "git", "status"], 0, "allow"],
  [["--", "git", "push", "--force"], 2, "deny"],
  [["--", "git push --force"], 2, "deny"],
  [["--", "echo", "git push --force"], 0, "allow"],
  [["--", "bash", "-c", "cd x && git push --force"], 2, "deny"],
  [["--", "gh", "release", "create"], 2, "confirm"],
  [["--path", "secret/key"], 2, "deny"],
  [["--path", "src/a.ts"], 0, "allow"],
  [["--path", "src/a.ts", "--path", "secret/key"], 2, "deny"],
  [["--path", "secret/key", "--read"], 2, "confirm"],
  [["--mcp", "mcp__github__delete_repo"], 2, "deny"],
  [["--mcp", "mcp__github__get_issue"], 0, "allow"],
  [["--mcp", "mcp__github__get_issue", "--path", ".github/x", "--", "ls"], 2, "confirm"],
];

Deno.test("the exit code and the first line are the verdict, as text and as JSON", async () => {
  using world = checked();
  for (const [args, code, verdict] of ROWS) {
    const text = await world.run(["check", ...args]);
    assert.deepEqual([text.code, text.stderr], [code, ""], args.join(" "));
    assert.equal(text.stdout.split("\n")[0], verdict, args.join(" "));
    const json = await world.run(["check", "--json", ...args]);
    assert.equal(json.code, code, args.join(" "));
    const decision = JSON.parse(json.stdout);
    assert.equal(decision.outcome, verdict);
    assert.equal(decision.findings.length > 0, verdict !== "allow");
  }
  assert.deepEqual(world.records(""), []);
  assert.throws(() => Deno.statSync(`${world.home}/.gitvow/sessions`), Deno.errors.NotFound);
});

Deno.test("a check says the same as the hook", async () => {
  using world = checked();
  const hook = await world.bash("git push --force");
  const check = await world.run(["check", "--", "git push --force"]);
  assert.equal(check.stdout, `deny\n${hook.stderr}`);
});

Deno.test("an explanation points at each command found and at the words that matched", async () => {
  using world = checked();
  const command = 'cd api && sudo git push --force origin "$BRANCH" > out.txt';
  const { stdout, code } = await world.run(["check", "--explain", "--", command]);
  assert.equal(code, 2);
  const lines = stdout.split("\n");
  const under = (mark: string) => {
    const at = lines.findIndex((line) => new RegExp(`^ +\\${mark}+$`).test(line));
    const line = lines[at] ?? "";
    return lines[at - 1]?.slice(line.indexOf(mark), line.length);
  };
  assert.equal(under("^"), 'sudo git push --force origin "$BRANCH" > out.txt');
  assert.equal(under("~"), "cd api");
  assert.match(stdout, /^command \d: git push --force origin \$BRANCH\?, reached through sudo$/m);
  assert.match(stdout, /^file: edit api\/out\.txt \(by >\)$/m);
  assert.match(stdout, /^policies: ~\/\.gitvow\/policy\.json$/m);
});

Deno.test("the marks stand under the words in long, tabbed and many-line commands", async () => {
  using world = checked();
  const rows = [
    `echo ${"x".repeat(300)} && git push --force`,
    "echo a\n\tgit push --force\necho b",
    "echo 漢字 && git push --force",
    "git push --force",
  ];
  for (const command of rows) {
    const { stdout } = await world.run(["check", "--explain", "--", command]);
    const lines = stdout.split("\n");
    const at = lines.findIndex((line) => /^ +\^+$/.test(line));
    const marks = lines[at] ?? assert.fail(stdout);
    assert.equal(
      lines[at - 1]?.slice(marks.indexOf("^"), marks.length),
      "git push --force",
      stdout,
    );
  }
});

Deno.test("an explanation holds no character that moves the cursor or turns text round", async () => {
  using world = checked();
  const odd = "echo \u001b[2K\u009b1A \u202e $X\u0007 > a\u001bb && git push --force";
  world.write("shop/odd.json", JSON.stringify(world.payload("Bash", { command: odd })));
  const { stdout, code } = await world.run(["check", "--explain", "--payload", "odd.json"]);
  assert.equal(code, 2);
  assert.doesNotMatch(stdout, /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
});

Deno.test("JSON with --explain holds the commands as they were read", async () => {
  using world = checked();
  const { stdout } = await world.run([
    "check",
    "--json",
    "--explain",
    "--",
    "sudo git push --force",
  ]);
  const { commands } = JSON.parse(stdout);
  assert.deepEqual(
    commands[0].reading.invocations.map((one: { name: string }) => one.name),
    ["sudo", "git"],
  );
});

Deno.test("a payload is judged as its agent's hook would, and one that is none is an error", async () => {
  using world = checked();
  const payload = world.payload("Bash", { command: "git push --force" });
  world.write("shop/deny.json", JSON.stringify(payload));
  world.write("shop/stop.json", JSON.stringify({ ...payload, hook_event_name: "Stop" }));
  world.write("shop/list.json", "[]");
  world.write("shop/broken.json", "{");
  const rows: readonly [string, number, RegExp][] = [
    ["deny.json", 2, /^deny\nBLOCKED by gitvow: it rewrites history/],
    [`${world.repo}/deny.json`, 2, /^deny\n/],
    ["stop.json", 1, /holds no call to judge/],
    ["list.json", 1, /is not a JSON object/],
    ["list.json", 1, /\n {2}name a file with one JSON object/],
    ["broken.json", 1, /is not JSON.*\n {2}name a file with one JSON object/],
    ["none.json", 1, /there is no such file\n {2}name a file/],
    ["docs", 1, /it is a directory/],
  ];
  for (const [file, code, says] of rows) {
    const ended = await world.run(["check", "--payload", file]);
    assert.equal(ended.code, code, file);
    assert.match(code === 1 ? ended.stderr : ended.stdout, says);
  }
});

Deno.test("a payload from elsewhere is judged from the current folder, and that is said", async () => {
  using world = checked();
  const payload = world.payload("Write", { file_path: "secret/key", content: "" });
  world.write("shop/away.json", JSON.stringify({ ...payload, cwd: "/home/dev/nowhere" }));
  const ended = await world.run(["check", "--json", "--payload", "away.json"]);
  assert.equal(ended.code, 2);
  assert.equal(JSON.parse(ended.stdout).outcome, "deny");
  assert.equal(
    ended.stderr,
    'gitvow: the payload\'s working directory "/home/dev/nowhere" does not exist here; ' +
      "judged from ~/shop\n",
  );
});

const IDLE: readonly (readonly [readonly string[], RegExp])[] = [
  [["--read", "--", "ls"], /--read is about the files of --path\n {2}add --path/],
  [["--mcp", "delete_file"], /--mcp "delete_file" is not the name of an MCP tool\n.*mcp__SERVER__/],
  [["--mcp", "mcp__github"], /is not the name of an MCP tool/],
  [["--agent", "nobody", "--", "ls"], /Agent "nobody" is not known/],
];

Deno.test("a flag that would be without effect is an error", async () => {
  using world = checked();
  for (const [args, says] of IDLE) {
    const ended = await world.run(["check", ...args]);
    assert.deepEqual([ended.code, ended.stdout], [1, ""], args.join(" "));
    assert.match(ended.stderr, says);
  }
});

Deno.test("where there is no policy, nothing is judged", async () => {
  using world = new World();
  const ended = await world.run(["check", "--", "ls"]);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /There is no policy.*\n {2}run `gitvow install --user`/);
});
