/** `gitvow policy` and `gitvow schema`: the rules in force, what is wrong in a file, the packaged one. */
import assert from "node:assert/strict";
import { World } from "../support/world.ts";

Deno.test("the default is printed byte for byte as install writes it, and is right", async () => {
  using world = new World();
  const printed = await world.run(["policy", "default"]);
  assert.deepEqual([printed.code, printed.stderr], [0, ""]);
  const install = await world.run(["install", "--user", "--agent", "claude"]);
  assert.equal(install.code, 0, install.stderr);
  assert.equal(printed.stdout, Deno.readTextFileSync(`${world.home}/.gitvow/policy.json`));
  const check = await world.run(["policy", "check"]);
  assert.deepEqual([check.code, check.stdout], [0, "ok: ~/.gitvow/policy.json\n"]);
});

Deno.test("the schema is the one of the repository", async () => {
  using world = new World();
  const { stdout, code } = await world.run(["schema"]);
  assert.equal(code, 0);
  const file = new URL("../../schemas/policy.schema.json", import.meta.url);
  assert.equal(stdout, Deno.readTextFileSync(file));
});

Deno.test("every error is told with file, line, column and pointer, and is exit code 1", async () => {
  using world = new World();
  world.policy(`{
  "bash_deny": [
    { "pattern": "(", "reason": "r" }, // broken
    { "program": "git", "reasons": "r", "reason": "r" },
  ],
  "bash_denny": [],
  "mcp_deny": ["["],
}`);
  world.write("shop/.gitvow/policy.json", '{"bash_deny": 5, "path_deny": [{"glob": "x"}]}');
  const { stdout, code } = await world.run(["policy", "check"]);
  assert.equal(code, 1);
  const lines = stdout.trimEnd().split("\n").map((line) =>
    line.replace(/(\/[a-z_/0-9]+): .*/, "$1")
  );
  assert.deepEqual(lines, [
    "error: ~/shop/.gitvow/policy.json, line 1, column 15, /bash_deny",
    "error: ~/shop/.gitvow/policy.json, line 1, column 32, /path_deny/0",
    "error: ~/.gitvow/policy.json, line 3, column 18, /bash_deny/0/pattern",
    "error: ~/.gitvow/policy.json, line 7, column 16, /mcp_deny/0",
    "warning: ~/.gitvow/policy.json, line 4, column 36, /bash_deny/1/reasons",
    "warning: ~/.gitvow/policy.json, line 6, column 17, /bash_denny",
  ]);
  const json = JSON.parse((await world.run(["policy", "check", "--json"])).stdout);
  assert.equal(json.ok, false);
  assert.deepEqual(
    json.remarks.map((one: { level: string; pointer: string }) => `${one.level} ${one.pointer}`),
    [
      "error /bash_deny",
      "error /path_deny/0",
      "error /bash_deny/0/pattern",
      "error /mcp_deny/0",
      "warning /bash_deny/1/reasons",
      "warning /bash_denny",
    ],
  );
});

Deno.test("warnings alone are exit code 0, and a file named is the one checked", async () => {
  using world = new World();
  world.policy("{");
  world.write("shop/mine.json", '{"bash_denny": []}');
  world.write(
    "shop/twofold.json",
    '{"bash_deny": [{"pattern": 5, "program": "x", "reason": "r"}]}',
  );
  const rows: readonly [readonly string[], number, RegExp][] = [
    [["mine.json"], 0, /^warning: ~\/shop\/mine\.json, .*\nok: ~\/shop\/mine\.json\n$/],
    [
      [],
      1,
      /^error: ~\/\.gitvow\/policy\.json, line 1, column 2: it cannot be parsed: close brace expected\n$/,
    ],
    [["none.json"], 1, /^error: ~\/shop\/none\.json: there is no such file/],
    [["docs"], 1, /it is a directory/],
    [["mine.json", "none.json"], 1, /mine\.json.*none\.json/s],
    [["twofold.json"], 1, /must have either "pattern" or "program", not both/],
  ];
  for (const [files, code, says] of rows) {
    const ended = await world.run(["policy", "check", ...files]);
    assert.deepEqual([ended.code, ended.stderr], [code, ""], files.join(" "));
    assert.match(ended.stdout, says);
  }
});

Deno.test("what cannot be parsed has its place in JSON too", async () => {
  using world = new World();
  world.policy('{\n  "bash_deny": [}');
  world.write("shop/latin.json", new Uint8Array([0x7b, 0xe9, 0x7d]));
  const { stdout } = await world.run(["policy", "check", "--json"]);
  const { level, file, place, message } = JSON.parse(stdout).remarks[0];
  assert.deepEqual([level, file, place], ["error", "~/.gitvow/policy.json", "line 2, column 17"]);
  assert.match(message, /^it cannot be parsed: /);
  const latin = await world.run(["policy", "check", "latin.json"]);
  assert.equal(latin.stdout, "error: ~/shop/latin.json: it is not UTF-8 text\n");
});

Deno.test("a list that is wrong in shape hides nothing of the others", async () => {
  using world = new World();
  world.policy({
    bash_deny: [{ program: "x" }, { pattern: "(", reason: "r" }],
    bash_confirm: [{ pattern: "(", reason: "r" }],
    path_deny: [{ glob: "[", reason: "r" }],
    path_confirm: [{ glob: "a", pattern: "b", reason: "r" }],
    mcp_deny: ["["],
    providers: 1,
  });
  const { stdout, code } = await world.run(["policy", "check", "--json"]);
  assert.equal(code, 1);
  assert.deepEqual(
    JSON.parse(stdout).remarks.map((one: { pointer: string }) => one.pointer).sort(),
    [
      "/bash_confirm/0/pattern",
      "/bash_deny/0",
      "/mcp_deny/0",
      "/path_confirm/0",
      "/path_deny/0/glob",
      "/providers",
    ],
  );
});

/** A rule, and the pointers below it of what can never match. */
const IDLE: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  ["bash_deny", { program: "git push" }, ["program"]],
  ["bash_deny", { program: ["rm", "/bin/rm", "python*", "C:\\\\x"] }, [
    "program/1",
    "program/2",
    "program/3",
  ]],
  ["bash_deny", { program: ["[", "[[", "g++", "zkCli.sh", "python3.12"] }, []],
  ["bash_confirm", { program: "git", flags: ["force", "-f", "/s"] }, ["flags/0"]],
  ["bash_confirm", { program: "git", unless: { flags: "dry-run" } }, ["unless/flags"]],
  ["path_deny", { glob: "!*.md" }, ["glob"]],
  ["path_confirm", { glob: ["../x", "a//b", "a/b", "./x", "/etc/**", "~/x"] }, [
    "glob/0",
    "glob/1",
  ]],
  ["read_deny", { pattern: "x", unless: { glob: "//x" } }, ["unless/glob"]],
];

Deno.test("a part of a rule that can never match is a warning", async () => {
  using world = new World();
  for (const [key, rule, pointers] of IDLE) {
    world.policy({ [key]: [{ ...rule, reason: "r" }] });
    const { stdout, code } = await world.run(["policy", "check", "--json"]);
    assert.equal(code, 0, stdout);
    const { remarks } = JSON.parse(stdout);
    assert.deepEqual(
      remarks.map((one: { pointer: string }) => one.pointer),
      pointers.map((pointer) => `/${key}/0/${pointer}`),
      stdout,
    );
    for (const { level, message } of remarks) {
      assert.equal(level, "warning");
      assert.match(message, /^never matches: "/);
    }
  }
});

Deno.test("a key given twice is an error, since only its last rules would hold", async () => {
  using world = new World();
  const rule = (pattern: string) => `{"pattern": "${pattern}", "reason": "r", "reason": "s"}`;
  world.policy(`{\n  "bash_deny": [${rule("a")}],\n  "bash_deny": [${rule("b")}]\n}`);
  const { stdout, code } = await world.run(["policy", "check"]);
  assert.equal(code, 1);
  assert.deepEqual(stdout.split("\n").map((line) => line.replace(/: is given twice.*/, "")), [
    "error: ~/.gitvow/policy.json, line 2, column 49, /bash_deny/0/reason",
    "error: ~/.gitvow/policy.json, line 3, column 3, /bash_deny",
    "error: ~/.gitvow/policy.json, line 3, column 49, /bash_deny/0/reason",
    "",
  ]);
  const ended = await world.bash("ls");
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /line 2, column 49 \(\/bash_deny\/0\/reason\) is given twice/);
});

Deno.test("where there is no policy, checking and showing say how to get one", async () => {
  using world = new World();
  for (const command of ["check", "show"]) {
    const ended = await world.run(["policy", command]);
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /[Tt]here is no policy.*\n.*gitvow install --user/);
  }
});

Deno.test("the rules in force are shown with their files, strictest lists first", async () => {
  using world = new World();
  world.policy({
    bash_deny: [{ program: "git", verbs: "push", flags: "-f", reason: "it rewrites history" }],
    path_confirm: [{ glob: "*.lock", reason: "it is generated" }],
    bash_confirm: [{
      program: "docker",
      verbs: ["push", "(?i)login"],
      unless: { flags: ["-n", "--dry-run"], args: "^localhost/" },
      when: "observe",
      reason: "others see it",
    }],
    path_deny: [{ pattern: "x$", when: "immediate", reason: "no", unless: { glob: "a/x" } }],
    mcp_allow: ["mcp__x__.*", "(?i)mcp__Y__z"],
    unread_code: "deny",
  });
  world.write(
    "shop/.gitvow/policy.json",
    '{"bash_confirm": [{"pattern": "x+", "reason": "why not"}]}',
  );
  const { stdout, code } = await world.run(["policy", "show"]);
  assert.equal(code, 0);
  const order = [
    "~/shop/.gitvow/policy.json (repository)",
    "bash_confirm[0]  /x+/  why not",
    "~/.gitvow/policy.json (user)",
    "bash_deny[0]  git push -f  it rewrites history",
    "bash_confirm[0]  docker push|(?i)login unless -n|--dry-run ^localhost/  when observe  others",
    "path_deny[0]  /x$/ unless a/x  when immediate  no",
    "path_confirm[0]  *.lock  it is generated",
    "mcp_allow[0]  mcp__x__.*\n",
    "mcp_allow[1]  (?i)mcp__Y__z\n",
    "unread_code  deny",
  ].map((text) => stdout.indexOf(text));
  assert.ok(order.every((at) => at >= 0), stdout);
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
  const { layers } = JSON.parse((await world.run(["policy", "show", "--json"])).stdout);
  assert.deepEqual(layers.map((layer: { scope: string }) => layer.scope), ["repository", "user"]);
  assert.equal(layers[1].rules[0].rule, "bash_deny[0]");
  assert.deepEqual(layers[1].mcp_allow, ["mcp__x__.*", "(?i)mcp__Y__z"]);
});
