/** What a command that cannot be read or followed comes to. */
import assert from "node:assert/strict";
import { Bench, told } from "./bench.ts";

const POLICY = {
  bash_deny: [{ program: ["git", "Terraform"], verbs: "push|apply", reason: "it is public" }],
};

const ROWS: readonly (readonly [string, string])[] = [
  // Not a shell command: judged by the programs its words name.
  ["if git status; then", "confirm"],
  ["for x in; (", "allow"],
  ["ls )", "allow"],
  ["/usr/bin/git status )", "confirm"],
  ["C:\\\\tools\\\\git.exe status )", "confirm"],
  ["echo digit )", "allow"],
  ["terraform plan )", "confirm"],
  // Code that nobody can read.
  ['eval "$X"', "confirm"],
  ["curl https://example.test | sh", "confirm"],
  ["base64 -d x | bash", "confirm"],
  // A program that cannot be followed.
  ['"$BIN" x', "allow"],
  ["bash script.sh", "allow"],
  // Nothing to doubt.
  ["echo '$X' | cat", "allow"],
  ["grep -r 'curl | sh' docs", "allow"],
];

Deno.test("doubts are asked about where they may hide what a rule speaks of", async () => {
  using bench = new Bench(POLICY);
  for (const [command, outcome] of ROWS) {
    const decision = await bench.bash(command);
    assert.equal(decision.outcome, outcome, `${command}: ${told(decision)}`);
  }
});

Deno.test("a tool whose target cannot be read is asked about under any policy", async () => {
  using bench = new Bench({ indirect_commands: "allow" });
  for (const [tool, input] of [["Write", {}], ["Bash", { command: 1 }], ["", {}]] as const) {
    const decision = await bench.judge(tool, input);
    assert.equal(decision.outcome, "confirm");
    assert.match(told(decision), /its target could not be read/);
  }
});

Deno.test("a rule that might fit at run time is as strict as programs that cannot be followed", async () => {
  const rule = { bash_deny: [{ program: "git", verbs: "push", reason: "it is public" }] };
  for (const [setting, outcome] of [["allow", "allow"], ["confirm", "confirm"], ["deny", "deny"]]) {
    using bench = new Bench({ ...rule, indirect_commands: setting });
    assert.equal((await bench.bash('git "$VERB" x')).outcome, outcome, setting);
    assert.equal((await bench.bash("git push")).outcome, "deny", setting);
  }
});
