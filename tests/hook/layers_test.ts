/** Which policies hold for a call: the user's and those of every repository it has to do with. */
import assert from "node:assert/strict";
import { verdictOf, World } from "../support/world.ts";

const deny = (pattern: string) => ({ bash_deny: [{ pattern, reason: `it says ${pattern}` }] });

function repository(world: World, name: string, policy?: unknown): string {
  Deno.mkdirSync(`${world.home}/${name}/.git`, { recursive: true });
  if (policy !== undefined) world.write(`${name}/.gitvow/policy.json`, JSON.stringify(policy));
  return `${world.home}/${name}`;
}

Deno.test("a hook from a subfolder uses the repository's policy", async () => {
  using world = new World();
  world.policy({});
  world.write("shop/.gitvow/policy.json", JSON.stringify(deny("forbidden")));
  const docs = { cwd: `${world.repo}/docs` };
  assert.equal(verdictOf(await world.bash("forbidden", docs)), "deny");
  assert.equal(verdictOf(await world.bash("fine", docs)), "allow");
});

Deno.test("a repository cannot switch off or loosen what its user set", async () => {
  for (const policy of [{}, { bash_deny: [] }, { unread_code: "confirm" }, { mcp_allow: [".*"] }]) {
    using world = new World();
    world.policy({ ...deny("forbidden"), unread_code: "deny", mcp_deny: ["mcp__x__.*"] });
    world.write("shop/.gitvow/policy.json", JSON.stringify(policy));
    assert.equal(verdictOf(await world.bash("forbidden")), "deny");
    assert.equal(verdictOf(await world.bash('eval "$X"')), "deny");
    assert.equal(verdictOf(await world.hook("PreToolUse", world.payload("mcp__x__y", {}))), "deny");
  }
});

Deno.test("a command that acts in another repository is judged by both policies", async () => {
  using world = new World();
  world.policy(deny("users-rule"));
  world.write("shop/.gitvow/policy.json", JSON.stringify(deny("shops-rule")));
  const other = repository(world, "other", {
    bash_deny: [{ program: "git", verbs: "push", reason: "nothing leaves this repository" }],
    path_deny: [{ glob: "config/**", reason: "it is fixed" }],
  });
  const rows: readonly [string, string][] = [
    [`git -C ${other} push`, "deny"],
    [`cd ${other} && git push`, "deny"],
    [`cd ../other && git push`, "deny"],
    [`(cd ${other}; git push)`, "deny"],
    [`git -C ${other} status && echo users-rule`, "deny"],
    [`git -C ${other} log && echo shops-rule`, "deny"],
    [`echo x > ${other}/config/a`, "deny"],
    [`git push`, "allow"],
    [`git -C ${other} status`, "allow"],
    [`echo x > ${other}/src`, "allow"],
  ];
  for (const [command, verdict] of rows) {
    assert.equal(verdictOf(await world.bash(command)), verdict, command);
  }
  const edit = world.payload("Write", { file_path: `${other}/config/x`, content: "" });
  assert.equal(verdictOf(await world.hook("PreToolUse", edit)), "deny");
});

Deno.test("a broken policy of the other repository blocks", async () => {
  using world = new World();
  world.policy({});
  const other = repository(world, "other");
  world.write("other/.gitvow/policy.json", "{");
  const ended = await world.bash(`git -C ${other} status`);
  assert.equal(verdictOf(ended), "deny");
  assert.match(ended.stderr, /other\/\.gitvow\/policy\.json/);
});

Deno.test("a repository made inside another does not escape the outer policy", async () => {
  using world = new World();
  world.policy({});
  world.write("shop/.gitvow/policy.json", JSON.stringify(deny("forbidden")));
  const inner = repository(world, "shop/inner");
  assert.equal(verdictOf(await world.bash("forbidden", { cwd: inner })), "deny");
});

Deno.test("a linked folder belongs to the repository it really stands in", async () => {
  using world = new World();
  world.policy({});
  const other = repository(world, "other", deny("forbidden"));
  Deno.symlinkSync(other, `${world.repo}/link`);
  assert.equal(verdictOf(await world.bash("forbidden", { cwd: `${world.repo}/link` })), "deny");
  assert.equal(verdictOf(await world.bash("cd link && forbidden")), "deny");
});

Deno.test("a policy with comments, trailing commas and a byte order mark loads", async () => {
  using world = new World();
  world.policy('\ufeff{ // mine\n "bash_deny": [{"pattern": "forbidden", "reason": "r"},],\n}\n');
  assert.equal(verdictOf(await world.bash("forbidden")), "deny");
  assert.equal(verdictOf(await world.bash("fine")), "allow");
});

Deno.test("a repository's policy alone is enough", async () => {
  using world = new World();
  world.write("shop/.gitvow/policy.json", JSON.stringify(deny("forbidden")));
  assert.equal(verdictOf(await world.bash("forbidden")), "deny");
  assert.equal(verdictOf(await world.bash("fine")), "allow");
});
