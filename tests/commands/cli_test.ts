/** The command line itself: help, exit codes, hints, and no colours but at a terminal. */
import assert from "node:assert/strict";
import { GITVOW, World } from "../support/world.ts";

const COMMANDS = [
  ...["hook", "install", "uninstall", "status", "selftest", "check", "policy", "policy show"],
  ...["policy check", "policy default", "approve", "trust", "log", "schema"],
];

const ESCAPE = "\u001b";

Deno.test("every command explains itself with examples and exits 0", async () => {
  using world = new World();
  for (const command of ["", ...COMMANDS]) {
    for (const flag of ["--help", "-h"]) {
      const ended = await world.run([...command.split(" "), flag].filter((word) => word !== ""));
      assert.deepEqual([ended.code, ended.stderr], [0, ""], command);
      assert.match(ended.stdout, /^USAGE\n {2}gitvow/, command);
      assert.match(ended.stdout, /^Examples\n {2}gitvow /m, command);
      assert.ok(!ended.stdout.includes(ESCAPE), command);
    }
  }
});

Deno.test("the help lists every command with what it is for", async () => {
  using world = new World();
  const { stdout, code } = await world.run([]);
  assert.equal(code, 0);
  for (const command of COMMANDS.filter((name) => !name.includes(" "))) {
    assert.match(stdout, new RegExp(`^  ${command} +[A-Z]`, "m"), command);
  }
});

const MISTAKES: readonly (readonly [readonly string[], RegExp])[] = [
  [["frobnicate"], /there is no command "frobnicate"\n.*gitvow --help/],
  [["chekc"], /there is no command "chekc"; did you mean `check`\?/],
  [["policy", "shwo"], /there is no command "shwo"; did you mean `show`\?/],
  [["check", "--explian", "--", "ls"], /--explian, did you mean --explain\?/],
  [["check", "--frobnicate", "--", "ls"], /No flag registered for --frobnicate/],
  [["install", "--agent"], /Expected input for flag --agent/],
  [["install", "a", "b"], /Too many arguments/],
  [["schema", "x"], /Too many arguments/],
  [["approve"], /Expected argument for CODE/],
  [["log", "--limit", "many"], /many/],
  [["status", "--agent", "nobody"], /"nobody" is not known/],
  [["check"], /Nothing to check/],
];

Deno.test("a slip of the keyboard is exit code 1, a message and a hint", async () => {
  using world = new World();
  world.policy({});
  for (const [args, says] of MISTAKES) {
    const ended = await world.run(args);
    assert.equal(ended.code, 1, args.join(" "));
    assert.match(ended.stderr, says);
    assert.ok(
      ended.stderr.includes("gitvow: ") && ended.stderr.trimEnd().includes("\n"),
      ended.stderr,
    );
    assert.ok(!ended.stderr.includes("    at "), ended.stderr);
  }
});

Deno.test("the version is the one of the package", async () => {
  using world = new World();
  const { version } = JSON.parse(
    Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)),
  );
  assert.equal((await world.run(["--version"])).stdout, `${version}\n`);
});

/** What a command prints at a terminal, which `script` provides. */
async function atTerminal(world: World, command: string): Promise<string> {
  const { stdout } = await new Deno.Command("script", {
    args: ["-qec", command.replaceAll("gitvow", `'${GITVOW}'`), "/dev/null"],
    env: { ...world.env, TERM: "xterm" },
    clearEnv: true,
    cwd: world.repo,
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("colours are for a terminal only, and NO_COLOR switches them off", async () => {
  using world = new World();
  world.policy({});
  assert.ok((await atTerminal(world, "gitvow check -- ls")).includes(`${ESCAPE}[32mallow`));
  assert.equal((await atTerminal(world, "NO_COLOR=1 gitvow check -- ls")).trim(), "allow");
  assert.ok(!(await atTerminal(world, "NO_COLOR=1 gitvow --help")).includes(ESCAPE));
  for (const args of [["check", "--", "ls"], ["policy", "check"], ["policy", "show"], ["log"]]) {
    const ended = await world.run(args);
    assert.ok(!`${ended.stdout}${ended.stderr}`.includes(ESCAPE), args.join(" "));
  }
});

Deno.test("output that nobody reads is no error", async () => {
  using world = new World();
  world.policy({});
  const { code } = await new Deno.Command("sh", {
    args: ["-c", `'${GITVOW}' schema | head -c 1 >/dev/null; exit 0`],
    env: world.env,
    clearEnv: true,
    cwd: world.repo,
  }).output();
  assert.equal(code, 0);
});
