/** `gitvow trust`: a person sees the programs before they may run, and again when they change. */
import assert from "node:assert/strict";
import { World } from "../support/world.ts";
import { atTerminal, HAS_TERMINAL } from "./at_terminal.ts";

function provider(command: string): unknown {
  return { providers: [{ name: "topology", command, questions: ["route_gate"] }] };
}

function repoPolicy(world: World, policy: unknown): void {
  world.write("shop/.gitvow/policy.json", JSON.stringify(policy));
}

async function listed(
  world: World,
): Promise<{ path: string; state: string; programs: string[] }[]> {
  const ended = await world.run(["trust", "--list", "--json"]);
  assert.equal(ended.code, 0, ended.stderr);
  return JSON.parse(ended.stdout).policies;
}

Deno.test("trust and revoke refuse without a terminal, and list does not", async () => {
  using world = new World();
  repoPolicy(world, provider("tools/facts"));
  for (const args of [["trust"], ["trust", "--revoke"]]) {
    const ended = await world.run(args, { stdin: "y\n" });
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /not a terminal/);
  }
  assert.deepEqual(await listed(world), []);
});

Deno.test({
  name: "the programs are shown and trusted on a yes, and a change is shown as a diff",
  ignore: !HAS_TERMINAL,
  fn: async () => {
    using world = new World();
    repoPolicy(world, provider("tools/facts --fast"));
    const first = await atTerminal(world, ["trust"], "y\n", { cwd: `${world.repo}/docs` });
    assert.equal(first.code, 0, first.stdout);
    assert.match(first.stdout, /~\/shop\/\.gitvow\/policy\.json would have gitvow run/);
    assert.match(first.stdout, /provider "topology" runs "tools\/facts --fast"/);
    assert.match(first.stdout, /Trusted/);
    const [entry] = await listed(world);
    assert.equal(entry?.path, `${world.repo}/.gitvow/policy.json`);
    assert.equal(entry?.state, "trusted");

    const again = await atTerminal(world, ["trust"], "");
    assert.equal(again.code, 0);
    assert.match(again.stdout, /is trusted as it is/);

    repoPolicy(world, provider("tools/facts --slow"));
    assert.equal((await listed(world))[0]?.state, "changed");
    assert.match((await world.run(["trust", "--list"])).stdout, /untrusted: it has changed since/);
    const changed = await atTerminal(world, ["trust", world.repo], "n\n", { cwd: world.home });
    assert.equal(changed.code, 1);
    assert.match(changed.stdout, /Since you trusted it:/);
    assert.match(changed.stdout, /^-provider .*--fast/m);
    assert.match(changed.stdout, /^\+provider .*--slow/m);
    assert.match(changed.stdout, /Nothing was trusted/);
    assert.equal((await listed(world))[0]?.state, "changed");
  },
});

Deno.test({
  name: "a change of rules alone says that the programs are the same",
  ignore: !HAS_TERMINAL,
  fn: async () => {
    using world = new World();
    repoPolicy(world, provider("tools/facts"));
    await atTerminal(world, ["trust"], "y\n");
    repoPolicy(world, { ...provider("tools/facts") as object, bash_deny: [] });
    const ended = await atTerminal(world, ["trust"], "y\n");
    assert.match(ended.stdout, /These programs are as you trusted them/);
    assert.equal((await listed(world))[0]?.state, "trusted");
  },
});

Deno.test({
  name: "revoke takes trust back, also for a repository that is gone",
  ignore: !HAS_TERMINAL,
  fn: async () => {
    using world = new World();
    repoPolicy(world, provider("tools/facts"));
    await atTerminal(world, ["trust"], "y\n");
    const taken = await atTerminal(world, ["trust", "--revoke"], "");
    assert.equal(taken.code, 0);
    assert.match(taken.stdout, /no longer trusted/);
    assert.deepEqual(await listed(world), []);
    assert.match((await atTerminal(world, ["trust", "--revoke"], "")).stdout, /was not trusted/);

    await atTerminal(world, ["trust"], "y\n");
    Deno.removeSync(world.repo, { recursive: true });
    assert.equal((await world.run(["trust", "--list"], { cwd: world.home })).code, 0);
    const gone = await atTerminal(world, ["trust", "--revoke", "shop"], "", { cwd: world.home });
    assert.match(gone.stdout, /no longer trusted/);
  },
});

const NOTHING: readonly (readonly [string, unknown, RegExp])[] = [
  ["no policy", undefined, /Nothing to trust: there is no ~\/shop\/\.gitvow\/policy\.json/],
  ["a policy of rules alone", { bash_deny: [] }, /Nothing to trust: .* names no program/],
];

for (const [name, policy, message] of NOTHING) {
  Deno.test({
    name: `${name} leaves nothing to trust`,
    ignore: !HAS_TERMINAL,
    fn: async () => {
      using world = new World();
      if (policy !== undefined) repoPolicy(world, policy);
      const ended = await atTerminal(world, ["trust"], "");
      assert.equal(ended.code, 0);
      assert.match(ended.stdout, message);
    },
  });
}

Deno.test({
  name: "what cannot be trusted is refused with the reason",
  ignore: !HAS_TERMINAL,
  fn: async () => {
    using world = new World();
    repoPolicy(world, { providers: 3 });
    const broken = await atTerminal(world, ["trust"], "y\n");
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /is not valid/);
    const outside = await atTerminal(world, ["trust"], "y\n", { cwd: world.home });
    assert.equal(outside.code, 1);
    assert.match(outside.stdout, /is not in a git repository/);
    const nowhere = await atTerminal(world, ["trust", "/nowhere"], "y\n");
    assert.equal(nowhere.code, 1);
    assert.match(
      nowhere.stdout,
      /There is no directory "\/nowhere"\r?\n {2}name a directory in a git/,
    );
    const both = await atTerminal(world, ["trust", "--list", "--revoke"], "");
    assert.match(both.stdout, /exclude each other/);
    const named = await atTerminal(world, ["trust", "--list", "shop"], "");
    assert.match(named.stdout, /--list and a repository exclude each other/);
    const json = await atTerminal(world, ["trust", "--json"], "");
    assert.match(json.stdout, /--json goes with --list/);
  },
});
