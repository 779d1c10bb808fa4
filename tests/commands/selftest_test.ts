/** `gitvow selftest`: right on a right gitvow, from where it was built and installed, and it can fail. */
import assert from "node:assert/strict";
import { launcherOf } from "../../src/commands/selftest/sandbox.ts";
import { denoSystem } from "../../src/system/deno.ts";
import { GITVOW, World } from "../support/world.ts";

function leftovers(): string[] {
  const folder = Deno.env.get("TMPDIR") ?? "/tmp";
  return [...Deno.readDirSync(folder)].map((entry) => entry.name)
    .filter((name) => name.startsWith("gitvow-selftest-"));
}

Deno.test("every check passes, one line each, and nothing is left or touched", async () => {
  using world = new World();
  const before = leftovers();
  const { code, stdout, stderr } = await world.run(["selftest"]);
  assert.equal(code, 0, stdout + stderr);
  const lines = stdout.trimEnd().split("\n");
  for (const line of lines.slice(0, -1)) {
    assert.match(line, /^ok {4}\w+ {2}\S/);
    assert.doesNotMatch(line, /\\n/);
  }
  assert.match(lines.at(-1) ?? "", /^\d+ ok, 0 failed \(.*\/gitvow\)$/);
  for (const mode of ["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"]) {
    assert.ok(lines.some((line) => line.includes(`confirm in mode ${mode}:`)), mode);
  }
  assert.deepEqual(leftovers().filter((name) => !before.includes(name)), []);
  assert.deepEqual([...Deno.readDirSync(world.home)].map((entry) => entry.name), ["shop"]);
});

/** The files below a folder with their texts, but for compiled code. */
function filesBelow(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "cache") Object.assign(found, filesBelow(path));
    else if (!isDirectory && name !== "deno") found[path] = Deno.readTextFileSync(path);
  }
  return found;
}

Deno.test("an installed gitvow tests itself, and --json is one document", async () => {
  using world = new World();
  await world.run(["install", "--user", "--agent", "claude"]);
  const program = `${world.home}/.gitvow/bin/gitvow`;
  const before = filesBelow(world.home);
  const { code, stdout } = await world.run(["selftest", "--agent", "claude", "--json"], {
    program,
  });
  const report = JSON.parse(stdout);
  assert.equal(code, 0, stdout);
  assert.equal(report.ok, true);
  assert.equal(report.launcher, program);
  assert.ok(report.checks.length > 25);
  for (const check of report.checks) assert.equal(check.ok, true, JSON.stringify(check));
  assert.deepEqual(filesBelow(world.home), before);
});

function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copyTree(`${from}/${name}`, `${to}/${name}`);
    else Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}

/** Copies the built gitvow and puts `before` in front of what its hooks run. */
function tampered(world: World, before: string): string {
  const from = GITVOW.slice(0, GITVOW.lastIndexOf("/"));
  const to = `${world.home}/build`;
  copyTree(`${from}/parts`, `${to}/parts`);
  const program = Deno.readTextFileSync(`${from}/gitvow.js`);
  Deno.writeTextFileSync(
    `${to}/gitvow.js`,
    `if (Deno.args[0] === "hook") { ${before} }\n${program}`,
  );
  const launcher = Deno.readTextFileSync(GITVOW).replaceAll(`${from}/gitvow.js`, `${to}/gitvow.js`)
    .replaceAll(`${from}/cache`, `${to}/cache`);
  Deno.writeTextFileSync(`${to}/gitvow`, launcher, { mode: 0o755 });
  return `${to}/gitvow`;
}

const FAULTS: readonly (readonly [string, string, RegExp])[] = [
  [
    "lets everything through",
    "Deno.exit(0);",
    /^FAIL {2}claude {2}deny by the default policy {2}allow/m,
  ],
  ["crashes", "throw new Error('x');", /^FAIL {2}claude {2}allow {2}deny by the exit code alone/m],
  [
    "prints a banner",
    "console.log('hi');",
    /^FAIL {2}claude {2}allow {2}broken: standard output is not its document/m,
  ],
];

for (const [name, before, line] of FAULTS) {
  Deno.test(`a gitvow that ${name} fails`, async () => {
    using world = new World();
    const { code, stdout } = await world.run(["selftest"], { program: tampered(world, before) });
    assert.equal(code, 1, stdout);
    assert.match(stdout, line);
    assert.match(stdout, /\d+ ok, [1-9]\d* failed/);
  });
}

Deno.test("the gitvow to try is the launcher beside the bundle, or above it, or the executable", () => {
  using world = new World();
  const system = denoSystem();
  const launcher = (program: string, standalone = false) =>
    launcherOf(system, { program: `${world.home}/${program}`, runtime: "/opt/gitvow", standalone });
  assert.equal(launcher("any", true), "/opt/gitvow");
  world.write("tree/dist/gitvow", "");
  assert.equal(launcher("tree/dist/gitvow.js"), `${world.home}/tree/dist/gitvow`);
  world.write("own/bin/gitvow", "");
  assert.equal(launcher("own/lib/0.1.0/gitvow.js"), `${world.home}/own/bin/gitvow`);
  for (const program of ["main.ts", "nowhere/lib/gitvow.js"]) {
    assert.throws(() => launcher(program), /There is no launcher for/);
  }
});
