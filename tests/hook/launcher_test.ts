/** The launcher keeps the gate's promise where the runtime cannot, and nothing around it changes what it runs. */
import assert from "node:assert/strict";
import { launcherText } from "../../src/install/launcher.ts";
import { LAUNCH_FLAGS } from "../../main.ts";
import { GITVOW, verdictOf, World } from "../support/world.ts";

const POLICY = { bash_deny: [{ pattern: "forbidden", reason: "the test says so" }] };

/** A launcher over programs of the test's own. */
function launcher(world: World, name: string, files: { runtime: string; program: string }): string {
  const path = world.write(name, launcherText({ ...files, cache: `${world.home}/cache` }, []));
  Deno.chmodSync(path, 0o755);
  return path;
}

function script(world: World, name: string, body: string): string {
  const path = world.write(name, `#!/bin/sh\n${body}\n`);
  Deno.chmodSync(path, 0o755);
  return path;
}

Deno.test("a runtime that is missing, crashes or exits oddly blocks before a tool only", async () => {
  using world = new World();
  const program = world.write("program.js", "");
  const runtimes: readonly [string, string][] = [
    ["missing", `${world.home}/nowhere`],
    ["exit 1", script(world, "one", "exit 1")],
    ["exit 127", script(world, "many", "exit 127")],
    ["killed", script(world, "killed", "kill -9 $$")],
    ["crashed", script(world, "crashed", "kill -SEGV $$")],
  ];
  const events: readonly [string, number][] = [
    ["PreToolUse", 2],
    ["Frobnicate", 2],
    ["Stop", 0],
    ["PostToolUse", 0],
    ["SessionStart", 0],
    ["UserPromptSubmit", 0],
  ];
  for (const [name, runtime] of runtimes) {
    const path = launcher(world, "launch", { runtime, program });
    for (const [event, code] of events) {
      const ended = await world.hook(event, "{}", { program: path });
      assert.equal(ended.code, code, `${name}, ${event}`);
      assert.match(ended.stderr, /BLOCKED by gitvow: .*gitvow install/, name);
      assert.equal(ended.stdout, "");
    }
  }
});

Deno.test("a program that is missing blocks", async () => {
  using world = new World();
  const path = launcher(world, "launch", {
    runtime: script(world, "fine", "exit 0"),
    program: `${world.home}/nowhere.js`,
  });
  assert.equal((await world.hook("PreToolUse", "{}", { program: path })).code, 2);
});

Deno.test("it works through links, from folders with odd names, and with an odd home", async () => {
  using world = new World();
  const folder = `${world.home}/a b'c"d ü $HOME`;
  Deno.mkdirSync(folder);
  Deno.symlinkSync(GITVOW, `${folder}/gitvow link`);
  world.policy(POLICY);
  for (const command of ["forbidden", "fine"]) {
    const ended = await world.hook("PreToolUse", world.payload("Bash", { command }), {
      program: `${folder}/gitvow link`,
      cwd: folder,
    });
    assert.equal(verdictOf(ended), command === "fine" ? "allow" : "deny", ended.stderr);
  }
});

Deno.test("a working directory that was deleted under the process blocks nothing by itself", async () => {
  using world = new World();
  world.policy(POLICY);
  const ended = await new Deno.Command("sh", {
    args: [
      "-c",
      'mkdir gone && cd gone && rmdir ../gone && printf %s "$1" | "$0" hook --agent claude PreToolUse',
      GITVOW,
      JSON.stringify(world.payload("Bash", { command: "forbidden" })),
    ],
    env: world.env,
    clearEnv: true,
    cwd: world.home,
  }).output();
  assert.equal(ended.code, 2);
  assert.match(new TextDecoder().decode(ended.stderr), /the test says so/);
});

Deno.test("configuration and environment of the directory change nothing", async () => {
  using world = new World();
  world.policy(POLICY);
  world.write("shop/deno.json", '{"imports": {"x": "./evil.ts"}, "nodeModulesDir": "auto"}');
  world.write("shop/package.json", '{"type": "commonjs", "dependencies": {"left-pad": "1"}}');
  world.write("shop/deno.lock", "broken");
  world.write("shop/.npmrc", "registry=http://127.0.0.1:9");
  const env = {
    ...world.env,
    DENO_DIR: `${world.repo}/cache`,
    DENO_V8_FLAGS: "--no-such-flag",
    DENO_PERMISSION_BROKER_PATH: `${world.repo}/broker`,
    DENO_COVERAGE_DIR: `${world.repo}/coverage`,
    DENO_COMPAT: "1",
    NODE_OPTIONS: "--require ./evil.js",
    OTEL_DENO: "true",
  };
  assert.equal(
    verdictOf(
      await world.hook("PreToolUse", world.payload("Bash", { command: "forbidden" }), { env }),
    ),
    "deny",
  );
  const fine = await world.hook("PreToolUse", world.payload("Bash", { command: "fine" }), { env });
  assert.deepEqual([fine.code, fine.stdout, fine.stderr], [0, "", ""]);
  assert.deepEqual(
    [...Deno.readDirSync(world.repo)].map((entry) => entry.name).sort(),
    [".git", ".npmrc", "deno.json", "deno.lock", "docs", "package.json"],
  );
});

Deno.test("the launcher passes exactly the flags that main.ts states", () => {
  const text = Deno.readTextFileSync(GITVOW);
  const lines = text.split("\n").filter((line) => line.includes('"$runtime" run '));
  assert.equal(lines.length, 2);
  for (const line of lines) {
    const flags = line.replace(/.* run /, "").replace(/ "\$program".*/, "").split(" ")
      .map((flag) => flag.replace(/^'(.*)'$/, "$1"));
    assert.deepEqual(flags, LAUNCH_FLAGS);
  }
  assert.ok(LAUNCH_FLAGS.includes("--deny-net"));
  assert.ok(!LAUNCH_FLAGS.some((flag) => flag === "-A" || flag === "--allow-env"));
});

Deno.test("an installed launcher keeps to the home it was installed for", async () => {
  using world = new World();
  const settings = await world.run(["install", "--user", "--agent", "claude"]);
  assert.equal(settings.code, 0, settings.stderr);
  world.policy(POLICY);
  using other = new World();
  other.policy({});
  const ended = await world.hook("PreToolUse", world.payload("Bash", { command: "forbidden" }), {
    program: `${world.home}/.gitvow/bin/gitvow`,
    env: other.env,
  });
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /the test says so/);
});
