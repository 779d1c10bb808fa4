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
    [[], 1, /^error: ~\/\.gitvow\/policy\.json: Policy .* cannot be parsed: line 1, column 2/],
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
    mcp_allow: ["mcp__x__.*"],
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
    "path_confirm[0]  *.lock  it is generated",
    "mcp_allow[0]  ",
    "unread_code  deny",
  ].map((text) => stdout.indexOf(text));
  assert.ok(order.every((at) => at >= 0), stdout);
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
  const { layers } = JSON.parse((await world.run(["policy", "show", "--json"])).stdout);
  assert.deepEqual(layers.map((layer: { scope: string }) => layer.scope), ["repository", "user"]);
  assert.equal(layers[1].rules[0].rule, "bash_deny[0]");
});
