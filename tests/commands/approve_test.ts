/** `gitvow approve`: only for a person, only after they saw what it is about, and only once. */
import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import { approvalsDirectory, readPending, writePending } from "../../src/record/approvalfiles.ts";
import { knownSecret } from "../../src/record/approvalsecret.ts";
import { approve, waiting } from "../../src/record/approvals.ts";
import { denoSystem } from "../../src/system/deno.ts";
import { World } from "../support/world.ts";
import { atTerminal, HAS_TERMINAL } from "./at_terminal.ts";

const POLICY = {
  bash_deny: [{ pattern: "wipe", reason: "it wipes" }],
  bash_confirm: [
    { pattern: "deploy", reason: "it reaches production" },
    { pattern: "api", reason: "the API is public" },
  ],
};

const ASK = { permission_mode: "bypassPermissions" };

/** Runs a call that needs confirmation and gives its code. */
async function offered(world: World, command = "deploy api"): Promise<string> {
  const { stderr } = await world.bash(command, ASK);
  const code = /gitvow approve ([0-9A-Z]+)/.exec(stderr)?.[1];
  assert.ok(code, stderr);
  return code;
}

Deno.test("approve refuses without a terminal and approves nothing", async () => {
  using world = new World();
  world.policy(POLICY);
  const code = await offered(world);
  const ended = await world.run(["approve", code], { stdin: "y\n" });
  assert.equal(ended.code, 1);
  assert.equal(ended.stdout, "");
  assert.match(ended.stderr, new RegExp(`Cannot approve "${code}": .*not a terminal`));
  assert.equal((await world.bash("deploy api", ASK)).code, 2);
});

Deno.test({
  name: "a yes lets exactly that call pass once, and is recorded",
  ignore: !HAS_TERMINAL,
  fn: async () => {
    using world = new World();
    world.policy(POLICY);
    const code = await offered(world);
    const ended = await atTerminal(world, ["approve", code.toLowerCase()], "y\n");
    assert.equal(ended.code, 0, ended.stdout);
    assert.match(ended.stdout, /claude wants to use Bash in ~\/shop/);
    assert.match(ended.stdout, /it reaches production/);
    assert.match(ended.stdout, /the API is public/);
    assert.match(ended.stdout, /bash_confirm\[0\]/);
    assert.match(ended.stdout, /Approved/);
    assert.equal((await world.bash("deploy api --now", ASK)).code, 2);
    assert.equal((await world.bash("deploy api", ASK)).code, 0);
    assert.equal((await world.bash("deploy api", ASK)).code, 2);
    const [entry] = world.records().filter((record) => record["kind"] === "approval");
    assert.equal(entry?.["detail"], `${code} approved for one call`);
    assert.equal(entry?.["tool"], "Bash");
    assert.equal((entry?.["findings"] as unknown[]).length, 2);
  },
});

Deno.test({
  name: "--session lets the finding pass again and again, in that session alone",
  ignore: !HAS_TERMINAL,
  fn: async () => {
    using world = new World();
    world.policy(POLICY);
    const code = await offered(world, "deploy x");
    const ended = await atTerminal(world, ["approve", code, "--session"], "yes\n");
    assert.equal(ended.code, 0, ended.stdout);
    assert.match(ended.stdout, /for the rest of the session\?/);
    assert.equal((await world.bash("deploy x", ASK)).code, 0);
    assert.equal((await world.bash("deploy x", ASK)).code, 0);
    assert.equal((await world.bash("deploy x", { ...ASK, session_id: "s2" })).code, 2);
  },
});

for (const typed of ["n\n", "\n", "yep\n", "sure y\n", ""]) {
  Deno.test({
    name: `${JSON.stringify(typed)} is a no`,
    ignore: !HAS_TERMINAL,
    fn: async () => {
      using world = new World();
      world.policy(POLICY);
      const ended = await atTerminal(world, ["approve", await offered(world)], typed);
      assert.equal(ended.code, 1, ended.stdout);
      assert.match(ended.stdout, /Nothing was approved/);
      assert.equal((await world.bash("deploy api", ASK)).code, 2);
      assert.equal(world.records().some((record) => record["kind"] === "approval"), false);
    },
  });
}

Deno.test({
  name: "a code used up cannot be approved again",
  ignore: !HAS_TERMINAL,
  fn: async () => {
    using world = new World();
    world.policy(POLICY);
    const code = await offered(world);
    await atTerminal(world, ["approve", code], "y\n");
    const ended = await atTerminal(world, ["approve", code], "y\n");
    assert.equal(ended.code, 1);
    assert.match(ended.stdout, /no confirmation waits under this code/);
  },
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ["2222", /no confirmation waits under this code.*\n.*try again/],
  ["x", /a code has 4 to 6 letters and digits/],
  ["../../policy", /a code has 4 to 6 letters and digits/],
];

for (const [code, message] of WRONG) {
  Deno.test({
    name: `the code "${code}" is refused with what to do, and nothing is asked`,
    ignore: !HAS_TERMINAL,
    fn: async () => {
      using world = new World();
      world.policy(POLICY);
      const ended = await atTerminal(world, ["approve", code], "");
      assert.equal(ended.code, 1);
      assert.match(ended.stdout, message);
      assert.doesNotMatch(ended.stdout, /\[y\/N\]/);
    },
  });
}

Deno.test({
  name: "an expired code is told from an unknown one",
  ignore: !HAS_TERMINAL,
  fn: async () => {
    using world = new World();
    world.policy(POLICY);
    const code = await offered(world);
    const system = { ...denoSystem(), home: world.home };
    const directory = approvalsDirectory(world.home);
    const secret = knownSecret(system, directory) ?? assert.fail();
    const pending = await readPending(system, directory, code, secret) ?? assert.fail();
    const early = { ...pending, at: pending.at - 11 * 60_000 };
    await writePending(system, directory, early, secret);
    const ended = await atTerminal(world, ["approve", code], "y\n");
    assert.equal(ended.code, 1);
    assert.match(ended.stdout, /offered more than 10 minutes ago\n.*try again/);
  },
});

Deno.test({
  name: "escapes in a finding do not reach the terminal",
  ignore: !HAS_TERMINAL,
  fn: async () => {
    using world = new World();
    world.policy({ bash_confirm: [{ pattern: "deploy", reason: "red \u001b[31m \u202e dab" }] });
    const ended = await atTerminal(world, ["approve", await offered(world, "deploy")], "n\n");
    assert.match(ended.stdout, /red \\x1b\[31m \\u202e dab/);
    for (const raw of ["\u001b[31m", "\u202e"]) assert.equal(ended.stdout.includes(raw), false);
  },
});

Deno.test("a code that came to mean something else since it was shown is not approved", async () => {
  using world = new World();
  world.policy(POLICY);
  const code = await offered(world);
  const system = { ...denoSystem(), home: world.home };
  const shown = await waiting(system, code, { session: false });
  assert.ok(!(shown instanceof Failure));
  const other = await approve(system, code, { session: false, shown: "another" });
  assert.ok(other instanceof Failure);
  assert.match(other.message, /no confirmation waits/);
  const same = await approve(system, code, { session: false, shown: shown.key });
  assert.ok(!(same instanceof Failure));
});
