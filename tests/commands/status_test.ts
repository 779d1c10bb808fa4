/** `gitvow status`: a gate that is up, and everything that can be wrong with one. */
import assert from "node:assert/strict";
import { type RunOptions, World } from "../support/world.ts";

const SETTINGS = ".claude/settings.json";

/** A world in which gitvow is installed for Claude Code, at home. */
async function installed(): Promise<World> {
  const world = new World();
  const { code, stderr } = await world.run(["install", "--user", "--agent", "claude"]);
  assert.equal(code, 0, stderr);
  return world;
}

/** Replaces text in a file below the home, which has to hold it. */
function replace(world: World, file: string, from: string | RegExp, to: string): void {
  const path = `${world.home}/${file}`;
  const before = Deno.readTextFileSync(path);
  const after = before.replace(from, to);
  assert.notEqual(after, before);
  Deno.writeTextFileSync(path, after);
}

/** Puts another program in the place of the installed launcher. */
function replaceLauncher(world: World, script: string): void {
  Deno.writeTextFileSync(`${world.home}/.gitvow/bin/gitvow`, `#!/bin/sh\n${script}\n`);
}

function names(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
  } catch {
    return [];
  }
}

Deno.test("a gate that is up is said to be, and probing it leaves nothing behind", async () => {
  using world = await installed();
  await world.bash("git status");
  await world.bash("git push --force");
  const text = await world.run(["status"]);
  assert.equal(text.code, 0, text.stdout);
  assert.match(text.stdout, /user {8}~\/\.claude\/settings\.json {2}ok: 8 of 8 events call gitvow/);
  assert.match(text.stdout, /harmless call: allow, forbidden call: deny, \d+ ms/);
  assert.match(text.stdout, /repository {2}~\/shop\/\.claude\/settings\.json {2}not installed/);
  assert.match(text.stdout, /today: 1 allowed, 0 asked, 1 denied/);
  assert.match(text.stdout, /The gate is up\.\n$/);
  const { code, stdout } = await world.run(["status", "--json"]);
  const status = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.equal(status.ok, true);
  assert.deepEqual(status.problems, []);
  assert.deepEqual(status.record.today, { allow: 1, confirm: 0, deny: 1 });
  assert.equal(status.agents[0].hooks[0].probe.forbidden, "deny");
  assert.equal(status.agents[0].hooks[0].probe.version, status.version);
  assert.deepEqual(names(`${world.home}/.gitvow/sessions`), ["s1.jsonl"]);
  assert.deepEqual(names(`${world.home}/.gitvow/approvals`), []);
});

Deno.test("a hook that failed in the last day is listed, and is no problem by itself", async () => {
  using world = await installed();
  await world.hook("PreToolUse", "garbage");
  const { code, stdout } = await world.run(["status"]);
  assert.equal(code, 0, stdout);
  assert.match(
    stdout,
    /failed in the last day:\n.*hook_failed {2}PreToolUse {2}.*not a JSON object/,
  );
});

Deno.test("a classifier is not asked about a probe", async () => {
  using world = await installed();
  world.policy({ llm_classifier: { enabled: true, command: `touch ${world.home}/asked` } });
  const { code, stdout } = await world.run(["status", "--json"]);
  assert.equal(code, 0, stdout);
  assert.equal(JSON.parse(stdout).agents[0].hooks[0].probe.harmless, null);
  assert.equal(names(world.home).includes("asked"), false);
});

Deno.test("a policy that asks about everything leaves no code of a probe behind", async () => {
  using world = await installed();
  world.policy({ bash_confirm: [{ pattern: ".", reason: "always" }] });
  const { code, stdout } = await world.run(["status"]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /harmless call: ask, forbidden call: deny/);
  assert.deepEqual(names(`${world.home}/.gitvow/approvals`), []);
});

interface Fault {
  readonly name: string;
  /** Breaks something; gives what to change about the run. */
  readonly break: (world: World) => RunOptions | void | Promise<void>;
  /** What the problems have to say, each with its remedy after ` => `. */
  readonly problems: readonly RegExp[];
}

const FAULTS: readonly Fault[] = [
  {
    name: "a launcher that is gone",
    break: (world) => Deno.removeSync(`${world.home}/.gitvow/bin/gitvow`),
    problems: [
      /settings\.json calls ~\/\.gitvow\/bin\/gitvow, which is not there => .*gitvow install --user/,
      /gives no answer that Claude Code takes \(exit 127/,
    ],
  },
  {
    name: "a launcher that is not executable",
    break: (world) => Deno.chmodSync(`${world.home}/.gitvow/bin/gitvow`, 0o644),
    problems: [
      /is not an executable file => /,
      /gives no answer that Claude Code takes \(exit 126/,
    ],
  },
  {
    name: "a runtime that is gone",
    break(world) {
      const lib = `${world.home}/.gitvow/lib`;
      for (const version of names(lib)) Deno.removeSync(`${lib}/${version}/deno`);
    },
    problems: [
      /blocks every call: BLOCKED by gitvow: its runtime or program is missing.* => run `gitvow/,
    ],
  },
  {
    name: "a program in gitvow's place that lets everything through",
    break: (world) => replaceLauncher(world, "exit 0"),
    problems: [
      /lets an agent run `gitvow approve`, so tools run unjudged => run `gitvow install --user/,
    ],
  },
  {
    name: "a program in gitvow's place that fails",
    break: (world) => replaceLauncher(world, "exit 1"),
    problems: [/gives no answer that Claude Code takes \(exit 1, which lets the tool run\)/],
  },
  {
    name: "a banner before the answer",
    break(world) {
      const path = `${world.home}/.gitvow/bin/gitvow`;
      Deno.renameSync(path, `${path}-real`);
      replaceLauncher(world, `echo hello; exec ${path}-real "$@"`);
      Deno.chmodSync(path, 0o755);
    },
    problems: [
      /gives no answer that Claude Code takes \(standard output is not its document: hello/,
    ],
  },
  {
    name: "another version",
    break(world) {
      const path = `${world.home}/.gitvow/bin/gitvow`;
      Deno.renameSync(path, `${path}-real`);
      const script = `[ "$1" = --version ] && echo 9.9.9 && exit; exec ${path}-real "$@"`;
      replaceLauncher(world, script);
      Deno.chmodSync(path, 0o755);
    },
    problems: [/calls gitvow 9\.9\.9, and this is gitvow \d/],
  },
  {
    name: "an entry that is gone",
    break: (world) => replace(world, SETTINGS, '"SessionEnd"', '"SessionEnds"'),
    problems: [/gitvow is not called for SessionEnd => run `gitvow install --user --agent claude`/],
  },
  {
    name: "the entry before a tool is gone",
    break: (world) => replace(world, SETTINGS, '"PreToolUse"', '"PreToolUses"'),
    problems: [/not called for PreToolUse =>/],
  },
  {
    name: "an entry that was changed",
    break: (world) => replace(world, SETTINGS, '"timeout": 60', '"timeout": 5'),
    problems: [/the entries for SessionStart are not as this gitvow writes them => /],
  },
  {
    name: "settings that are no JSON",
    break: (world) => replace(world, SETTINGS, "{", "{{"),
    problems: [/Cannot install into "~\/\.claude\/settings\.json": it is not valid JSON/],
  },
  {
    name: "settings with a comment, which Claude Code drops",
    break: (world) => replace(world, SETTINGS, "{", "{ // mine\n"),
    problems: [/Claude Code drops the whole of ~\/\.claude\/settings\.json, hooks and all/],
  },
  {
    name: "hooks switched off at home",
    break: (world) => replace(world, SETTINGS, "{", '{\n  "disableAllHooks": true,'),
    problems: [/runs no hooks: "disableAllHooks" is true in ~\/\.claude\/settings\.json => set/],
  },
  {
    name: "hooks switched off in the repository's private settings",
    break(world) {
      world.write("shop/.claude/settings.local.json", '{"disableAllHooks": true}');
    },
    problems: [/"disableAllHooks" is true in ~\/shop\/\.claude\/settings\.local\.json => /],
  },
  {
    name: "settings that are read elsewhere",
    break: (world) => ({ env: { ...world.env, CLAUDE_CONFIG_DIR: `${world.home}/other` } }),
    problems: [
      /^CLAUDE_CONFIG_DIR is set, so Claude Code reads its settings in ".*\/other", not in/,
    ],
  },
  {
    name: "a broken policy",
    break: (world) => world.policy('{ "bash_deny": 3 }'),
    problems: [
      /Policy ~\/\.gitvow\/policy\.json is not valid: line 1, column 16 .* => mend it there/,
    ],
  },
  {
    name: "no policy",
    break: (world) => Deno.removeSync(`${world.home}/.gitvow/policy.json`),
    problems: [/There is no policy here.* => run `gitvow install --user`/],
  },
  {
    name: "a repository's programs that nobody trusts",
    break(world) {
      const classifier = { llm_classifier: { enabled: true, command: "tools/judge" } };
      world.write("shop/.gitvow/policy.json", JSON.stringify(classifier));
    },
    problems: [/~\/shop\/\.gitvow\/policy\.json .*is not trusted => .*`gitvow trust ~\/shop`/],
  },
  {
    name: "a record that cannot be written",
    break(world) {
      world.write(".gitvow/sessions", "a file in the folder's place");
    },
    problems: [/Nothing is recorded: "~\/\.gitvow\/sessions" is a file, .* => move it/],
  },
  {
    name: "no install at all",
    async break(world) {
      await world.run(["uninstall", "--user"]);
      Deno.mkdirSync(`${world.home}/.claude`, { recursive: true });
    },
    problems: [/Claude Code is not gated => run `gitvow install --user --agent claude`/],
  },
];

for (const fault of FAULTS) {
  Deno.test(`${fault.name} is a problem with a remedy`, async () => {
    using world = await installed();
    const options = await fault.break(world) ?? {};
    const { code, stdout, stderr } = await world.run(["status", "--json"], options);
    assert.equal(stderr, "");
    assert.equal(code, 1, stdout);
    const { ok, problems } = JSON.parse(stdout);
    assert.equal(ok, false);
    const texts = problems.map((one: { what: string; mend: string }) =>
      `${one.what} => ${one.mend}`
    );
    for (const [index, problem] of fault.problems.entries()) {
      assert.match(texts[index] ?? "", problem);
    }
    assert.equal(texts.length, fault.problems.length, texts.join("\n"));
    const text = await world.run(["status"], options);
    assert.equal(text.code, 1);
    assert.match(text.stdout, /To mend it: /);
    for (const name of names(`${world.home}/.gitvow/sessions`)) {
      assert.doesNotMatch(name, /^probe-/);
    }
  });
}

Deno.test("both scopes are told to decide twice, and the bare name is tried on PATH", async () => {
  using world = await installed();
  const bin = `${world.home}/.gitvow/bin`;
  const env = { ...world.env, PATH: `${bin}:${world.env["PATH"]}` };
  assert.equal((await world.run(["install", ".", "--agent", "claude"], { env })).code, 0);
  const { stdout } = await world.run(["status", "--json"], { env });
  const { agents, problems } = JSON.parse(stdout);
  assert.equal(problems.length, 1, stdout);
  assert.match(problems[0].what, /each call is decided twice/);
  assert.match(
    problems[0].mend,
    /gitvow uninstall --user --agent claude.*gitvow uninstall ~\/shop/,
  );
  assert.equal(agents[0].hooks[1].probe.forbidden, "deny");

  const away = await world.run(["status"]);
  assert.match(away.stdout, /calls a program that is not found: .*"gitvow" on PATH/);
  assert.match(away.stdout, /put ~\/\.gitvow\/bin on PATH/);
});

Deno.test("an agent that does not exist is an error", async () => {
  using world = new World();
  const { code, stdout, stderr } = await world.run(["status", "--agent", "clod"]);
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /Agent "clod" is not known/);
});
