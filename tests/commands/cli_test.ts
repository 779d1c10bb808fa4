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
  [["hepl"], /there is no command "hepl"\n/],
  [["ls"], /there is no command "ls"\n/],
  [["help", "nowhere"], /there is no command "nowhere"\n/],
  [["policy", "frobnicate"], /there is no command "frobnicate"\n.*`gitvow policy --help`/],
  [["--frobnicate"], /there is no flag "--frobnicate"\n.*`gitvow --help` lists the flags/],
  [["-x"], /there is no flag "-x"\n/],
  [["policy", "--frob"], /there is no flag "--frob"\n.*`gitvow policy --help`/],
  [
    ["check", "git", "push", "--force"],
    /--force\n.*after `--`: `gitvow check -- git push --force`/,
  ],
  [["check", "--json", "rm", "-r", "a b"], /-r\n.*`gitvow check --json -- rm -r 'a b'`/],
  [["check", "--frobnicate", "ls"], /--frobnicate\n.*--help/],
  [["check", "--explian", "--", "ls"], /--explian, did you mean --explain\?/],
  [["check", "--frobnicate", "--", "ls"], /No flag registered for --frobnicate/],
  [["install", "--agent"], /Expected input for flag --agent/],
  [["install", "a", "b"], /Too many arguments/],
  [["schema", "x"], /Too many arguments/],
  [["approve"], /Expected argument for CODE/],
  [["log", "--limit", "many"], /--limit "many" is not a number of entries\n {2}write 1 or more/],
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

Deno.test("the version is the one of the package, however it is asked for", async () => {
  using world = new World();
  const { version } = JSON.parse(
    Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)),
  );
  for (const word of ["--version", "-v", "-V", "version"]) {
    const ended = await world.run([word]);
    assert.deepEqual([ended.code, ended.stdout, ended.stderr], [0, `${version}\n`, ""], word);
  }
});

Deno.test("help with the name of a command says what --help behind it does", async () => {
  using world = new World();
  for (const command of [[], ["check"], ["policy", "show"]]) {
    const ended = await world.run(["help", ...command]);
    assert.equal(ended.code, 0, ended.stderr);
    assert.equal(ended.stdout, (await world.run([...command, "--help"])).stdout);
  }
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
  for (const setting of ["NO_COLOR=1", "TERM=dumb"]) {
    assert.equal((await atTerminal(world, `${setting} gitvow check -- ls`)).trim(), "allow");
  }
  assert.ok(!(await atTerminal(world, "NO_COLOR=1 gitvow --help")).includes(ESCAPE));
  for (const args of [["check", "--", "ls"], ["policy", "check"], ["policy", "show"], ["log"]]) {
    const ended = await world.run(args);
    assert.ok(!`${ended.stdout}${ended.stderr}`.includes(ESCAPE), args.join(" "));
  }
});

/** Runs a shell command line with gitvow's path as `$1`. */
async function inShell(world: World, line: string): Promise<{ code: number; stderr: string }> {
  const { code, stderr } = await new Deno.Command("sh", {
    args: ["-c", line, "sh", GITVOW],
    env: world.env,
    clearEnv: true,
    cwd: world.repo,
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("output that nobody reads is no error, and output that is lost is one", async () => {
  using world = new World();
  const rows: readonly (readonly [string, number, RegExp])[] = [
    ['{ "$1" policy default; echo $? >code; } | true; sleep 0.5; exit "$(cat code)"', 0, /^$/],
    ['"$1" policy default >/dev/full', 1, /^gitvow: Standard output cannot be written\n {2}make/],
    ['"$1" help >/dev/full', 1, /cannot be written/],
  ];
  for (const [line, code, says] of rows) {
    const ended = await inShell(world, line);
    assert.equal(ended.code, code, line);
    assert.match(ended.stderr, says, line);
  }
});

Deno.test("a home that does not exist, or a file in a folder's place, has a remedy", async () => {
  using world = new World();
  const env = { ...world.env, HOME: `${world.home}/nowhere` };
  const commands = [["install", "--user"], ["uninstall", "--user"], ["status"], ["log"], ["check"]];
  for (const args of [...commands, ["policy", "show"], ["trust", "--list"]]) {
    const ended = await world.run(args, { env });
    assert.equal(ended.code, 1, args.join(" "));
    assert.match(ended.stderr, /The home directory ".*\/nowhere" does not exist\n {2}set HOME/);
  }
  world.write(".gitvow", "");
  const agent = ["--agent", "claude"];
  const writers = [["install", "--user", ...agent], ["install", ".", ...agent], ["log"]];
  for (const args of [...writers, ["policy", "show"], ["policy", "check"], ["trust", "--list"]]) {
    const ended = await world.run(args);
    assert.deepEqual([ended.code, ended.stdout], [1, ""], args.join(" "));
    assert.match(
      ended.stderr,
      /^gitvow: "~\/\.gitvow" is a file, .*\n {2}move it out of the way: mv /,
    );
  }
});
