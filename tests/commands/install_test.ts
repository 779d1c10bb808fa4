/** `gitvow install` and `uninstall` as a person runs them: what is written, kept, refused, undone. */
import assert from "node:assert/strict";
import { type Ended, verdictOf, World } from "../support/world.ts";

const SETTINGS = ".claude/settings.json";
const MINE = '{\n  // mine\n  "model": "opus",\n  "hooks": {}\n}\n';

/** Every file and link below `folder`, with its content or target; `skip` names folders left out. */
function tree(folder: string, skip: readonly string[] = []): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: string, name: string) => {
    for (const entry of Deno.readDirSync(path)) {
      const inner = `${name}${entry.name}`;
      if (skip.includes(inner)) continue;
      if (entry.isSymlink) found[inner] = `-> ${Deno.readLinkSync(`${path}/${entry.name}`)}`;
      else if (entry.isDirectory) walk(`${path}/${entry.name}`, `${inner}/`);
      else found[inner] = Deno.readTextFileSync(`${path}/${entry.name}`);
    }
  };
  walk(folder, "");
  return found;
}

function done({ code, stderr }: Ended): void {
  assert.deepEqual([code, stderr], [0, ""]);
}

/** Asserts an error that says so, and that nothing below the home has changed. */
async function refused(world: World, args: readonly string[], says: RegExp): Promise<void> {
  const before = tree(world.home);
  const ended = await world.run(args);
  assert.deepEqual([ended.code, ended.stdout], [1, ""]);
  assert.match(ended.stderr, says);
  assert.deepEqual(tree(world.home), before);
}

/** The hook runs the command that the settings name, as the agent would: through a shell. */
async function throughSettings(world: World, command: string): Promise<Ended> {
  const settings = JSON.parse(
    Deno.readTextFileSync(`${world.home}/${SETTINGS}`).replace(/^\s*\/\/.*$/gm, ""),
  );
  const hook = settings.hooks.PreToolUse[0].hooks[0].command;
  return await world.run(["-c", hook], {
    program: "/bin/sh",
    stdin: JSON.stringify(world.payload("Bash", { command })),
  });
}

Deno.test("installing for a user gates, again changes nothing, and uninstalling restores every byte", async () => {
  for (const settings of [undefined, MINE, "{}", '{"hooks":{"Stop":[]}}\r\n']) {
    using world = new World();
    Deno.mkdirSync(`${world.home}/.claude`);
    if (settings !== undefined) world.write(SETTINGS, settings);
    const before = tree(world.home);
    done(await world.run(["install", "--user"]));
    const installed = tree(world.home);
    assert.match(installed[SETTINGS] ?? "", /\.gitvow\/bin\/gitvow/);
    assert.equal(verdictOf(await throughSettings(world, "git push --force")), "deny");
    assert.equal(verdictOf(await throughSettings(world, "git status")), "allow");
    const again = await world.run(["install", "--user"]);
    done(again);
    assert.match(again.stdout, /policy: kept ~\/\.gitvow\/policy\.json/);
    assert.match(again.stdout, /settings\.json already calls gitvow/);
    const skip = [".gitvow/sessions", ".gitvow/cache"];
    const stays = (name: string) => !/^\.gitvow\/(?:lib|sessions|cache)\//.test(name);
    const kept = Object.entries(installed).filter(([name]) => stays(name));
    const now = Object.entries(tree(world.home, skip)).filter(([name]) => stays(name));
    assert.deepEqual(now, kept);
    const lib = [...Deno.readDirSync(`${world.home}/.gitvow/lib`)][0]?.name ?? assert.fail();
    const programs = [...Deno.readDirSync(`${world.home}/.gitvow/lib/${lib}`)];
    assert.deepEqual(programs.filter(({ name }) => /\.(?:new|tmp)$/.test(name)), []);
    done(await world.run(["uninstall", "--user"]));
    assert.deepEqual(tree(world.home, [".gitvow"]), before);
  }
});

Deno.test("installing for a repository names plain gitvow, and uninstalling restores every byte", async () => {
  using world = new World();
  Deno.mkdirSync(`${world.home}/.claude`);
  const before = tree(world.repo);
  for (const [args, cwd] of [[["."], undefined], [[], "docs"], [["~/shop"], ".."]] as const) {
    const ended = await world.run(["install", ...args], { cwd: `${world.repo}/${cwd ?? ""}` });
    done(ended);
    assert.match(ended.stdout, /needs it on PATH/);
    const installed = tree(world.repo);
    assert.match(installed[SETTINGS] ?? "", /"gitvow hook --agent claude/);
    assert.ok(installed[".gitvow/policy.json"] !== undefined);
    done(await world.run(["uninstall", ...args], { cwd: `${world.repo}/${cwd ?? ""}` }));
    Deno.removeSync(`${world.repo}/.gitvow`, { recursive: true });
    assert.deepEqual(tree(world.repo), before);
  }
});

Deno.test("a dry run shows a diff and writes nothing", async () => {
  using world = new World();
  world.write(SETTINGS, MINE);
  const before = tree(world.home);
  const install = await world.run(["install", "--user", "--dry-run"]);
  done(install);
  assert.match(install.stdout, /would write the default policy to ~\/\.gitvow\/policy\.json/);
  assert.match(install.stdout, /^--- ~\/\.claude\/settings\.json$/m);
  assert.match(install.stdout, /^\+.*gitvow hook --agent claude PreToolUse/m);
  assert.deepEqual(tree(world.home), before);
  done(await world.run(["install", "--user"]));
  const installed = tree(world.home);
  const uninstall = await world.run(["uninstall", "--user", "--dry-run"]);
  done(uninstall);
  assert.match(uninstall.stdout, /^-.*gitvow hook --agent claude PreToolUse/m);
  assert.deepEqual(tree(world.home), installed);
});

Deno.test("without --agent those found are gated, and where there is none the command says so", async () => {
  using world = new World();
  await refused(
    world,
    ["install", "--user"],
    /No agent was found.*\n.*`gitvow install --user --agent claude`/,
  );
  await refused(world, ["install", "--user", "--agent", "nobody"], /"nobody" is not known/);
  world.write("bin/claude", "#!/bin/sh\n");
  const env = { ...world.env, PATH: `${world.home}/bin:/usr/bin:/bin` };
  const ended = await world.run(["install", "--user"], { env });
  done(ended);
  assert.match(ended.stdout, /^agents: Claude Code \(claude\)$/m);
});

Deno.test("what must not or cannot be edited is refused with the reason, and nothing is written", async () => {
  using world = new World();
  Deno.mkdirSync(`${world.home}/elsewhere`);
  const agent = ["--agent", "claude"];
  const rows: readonly [string, () => void, readonly string[], RegExp][] = [
    [
      "settings that cannot be parsed",
      () => world.write(SETTINGS, '{\n  "a": 1\n  "b": 2\n}\n'),
      ["--user"],
      /Cannot install into "~\/\.claude\/settings\.json": .*line 3, column 3/,
    ],
    ["settings that are a list", () => world.write(SETTINGS, "[]"), ["--user"], /settings\.json/],
    [
      "settings that are no text",
      () => world.write(SETTINGS, new Uint8Array([0xff, 0xfe])),
      ["--user"],
      /UTF-8/,
    ],
    [
      "a repository's settings that lead out of it",
      () => {
        Deno.mkdirSync(`${world.repo}/.claude`);
        Deno.writeTextFileSync(`${world.home}/elsewhere/settings.json`, "{}");
        Deno.symlinkSync("../../elsewhere/settings.json", `${world.repo}/${SETTINGS}`);
      },
      [world.repo],
      /Cannot use the settings file "\.claude\/settings\.json": it is a link/,
    ],
    [
      "a repository's folder that leads out of it",
      () => {
        Deno.removeSync(`${world.repo}/.claude`, { recursive: true });
        Deno.symlinkSync("../elsewhere", `${world.repo}/.claude`);
      },
      [world.repo],
      /Cannot use the settings file "\.claude\/settings\.json": it leads out.*\n {2}Put a plain/,
    ],
    [
      "a folder outside a repository",
      () => {},
      [`${world.home}/elsewhere`],
      /is not in a git repo/,
    ],
    [
      "settings that are a folder",
      () => Deno.mkdirSync(`${world.home}/${SETTINGS}`),
      ["--user"],
      /is not a plain file\n {2}Move it out of the way/,
    ],
    [
      "a folder that is not there",
      () => {},
      ["nowhere"],
      /There is no directory "nowhere"\n {2}name/,
    ],
    ["a file", () => world.write("file", ""), ["~/file"], /"~\/file" is not a directory\n {2}name/],
    [
      "a file in the place of a repository's folder",
      () => world.write("shop/.gitvow", ""),
      [world.repo],
      /"~\/shop\/\.gitvow" is a file.*\n {2}move it out of the way/,
    ],
    ["a user and a repository", () => {}, ["--user", "."], /exclude each other/],
  ];
  for (const [, prepare, where, says] of rows) {
    prepare();
    await refused(world, ["install", ...where, ...agent], says);
    Deno.removeSync(`${world.home}/.claude`, { recursive: true });
    Deno.mkdirSync(`${world.home}/.claude`);
  }
});

const UNHEARD: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  [
    MINE,
    {},
    /! Claude Code drops the whole of ~\/\.claude\/settings\.json.*\n {4}To mend it: make/,
  ],
  ['{"a": [1,]}', {}, /! Claude Code drops the whole of ~\/\.claude\/settings\.json/],
  ['{"disableAllHooks": true}', {}, /! Claude Code runs no hooks: "disableAllHooks" is true in ~/],
  ["{}", { CLAUDE_CONFIG_DIR: "/elsewhere" }, /! CLAUDE_CONFIG_DIR is set, .*\n.*unset CLAUDE_CON/],
];

Deno.test("an install whose hooks the agent will not run says so at its end", async () => {
  for (const [settings, more, says] of UNHEARD) {
    using world = new World();
    world.write(SETTINGS, settings);
    const env = { ...world.env, ...more };
    const ended = await world.run(["install", "--user"], { env });
    done(ended);
    assert.match(ended.stdout, says);
    const status = await world.run(["status"], { env });
    const [, problem = ""] = /\n( {2}! .*)/.exec(ended.stdout) ?? [];
    assert.ok(status.stdout.includes(problem), status.stdout);
  }
  using world = new World();
  world.write(SETTINGS, "{}");
  assert.doesNotMatch((await world.run(["install", "--user"])).stdout, /!/);
});

Deno.test("a policy that is there is kept, whatever it holds", async () => {
  for (const policy of ['{"bash_deny": [{"pattern": "mine", "reason": "r"}]}', "{", ""]) {
    using world = new World();
    world.policy(policy);
    done(await world.run(["install", "--user", "--agent", "claude"]));
    assert.equal(Deno.readTextFileSync(`${world.home}/.gitvow/policy.json`), policy);
  }
});

Deno.test("what the system refuses is told without a trace of calls", async () => {
  using world = new World();
  world.write(".gitvow/lib", "");
  const ended = await world.run(["install", "--user", "--agent", "claude"]);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /^gitvow: .*\.gitvow\/lib.*\n {2}see that nothing stands in its way/);
  assert.doesNotMatch(ended.stderr, /bug|\n {4}at /);
});

Deno.test("what install writes is the user's alone, and the launcher can be run", async () => {
  using world = new World();
  done(await world.run(["install", "--user", "--agent", "claude"]));
  const mode = (path: string) => (Deno.statSync(`${world.home}/${path}`).mode ?? 0) & 0o777;
  assert.equal(mode(".gitvow") & 0o077, 0);
  assert.equal(mode(".gitvow/policy.json"), 0o600);
  assert.equal(mode(".gitvow/bin/gitvow"), 0o755);
});

Deno.test("moving the clone away leaves the installed gate working, and it can install itself again", async () => {
  using world = new World();
  const dist = new URL("../../dist", import.meta.url).pathname;
  const clone = `${world.home}/clone`;
  new Deno.Command("cp", { args: ["-r", dist, clone] }).outputSync();
  const own = `${world.home}/.gitvow/bin/gitvow`;
  const launcher = Deno.readTextFileSync(`${dist}/gitvow`).replaceAll(`${dist}/`, `${clone}/`);
  Deno.removeSync(`${clone}/gitvow`);
  Deno.writeTextFileSync(`${clone}/gitvow`, launcher, { mode: 0o755 });
  const program = `${clone}/gitvow`;
  done(await world.run(["install", "--user", "--agent", "claude"], { program }));
  // Written in place, as a build or an agent would: no file of the installed gate is the same one.
  for (const file of ["gitvow.js", "parts/shell_read.js", "deno"]) {
    Deno.writeTextFileSync(`${clone}/${file}`, "broken");
  }
  Deno.renameSync(clone, `${world.home}/moved`);
  assert.equal(verdictOf(await throughSettings(world, "git push --force")), "deny");
  assert.equal(verdictOf(await throughSettings(world, "echo $(git status)")), "allow");
  done(await world.run(["status"], { program: own }));
  done(await world.run(["install", "--user", "--agent", "claude"], { program: own }));
  assert.equal(verdictOf(await throughSettings(world, "git push --force")), "deny");
  const names = [...Deno.readDirSync(`${world.home}/.gitvow/bin`)].map((entry) => entry.name);
  assert.deepEqual(names, ["gitvow"]);
});

Deno.test("installing a repository trusts the programs its policy names", async () => {
  using world = new World();
  const policy = { providers: [{ name: "p", command: "./p" }] };
  world.write("shop/.gitvow/policy.json", JSON.stringify(policy));
  const ended = await world.run(["install", ".", "--agent", "claude"]);
  done(ended);
  assert.match(ended.stdout, /its programs are now trusted/);
  const trust = JSON.parse(Deno.readTextFileSync(`${world.home}/.gitvow/trust.json`));
  assert.equal(trust.trusted.length, 1);
});

Deno.test("uninstalling where nothing was installed changes nothing", async () => {
  using world = new World();
  world.write(SETTINGS, MINE);
  const before = tree(world.home);
  const ended = await world.run(["uninstall", "--user"]);
  done(ended);
  assert.match(ended.stdout, /did not call gitvow/);
  assert.deepEqual(tree(world.home), before);
});
