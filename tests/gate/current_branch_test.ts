/** A push that names no branch is judged as a push of the one that is checked out. */
import assert from "node:assert/strict";
import { Bench, told } from "./bench.ts";

const POLICY = {
  bash_confirm: [{
    program: "git",
    verbs: "push",
    args: "^(?:.*:)?main$",
    reason: "others build on it",
  }],
};

const PUSHES: readonly [string, boolean][] = [
  ["git push", true],
  ["git push origin", true],
  ["git push -u origin HEAD", true],
  ["git push --force-with-lease", true],
  ["git push origin feature", false],
  ["git push --tags", false],
  ["git status", false],
  ["git log push", false],
];

for (
  const [head, onMain] of [["ref: refs/heads/main\n", true], ["ref: refs/heads/x\n", false], [
    "0123456789\n",
    false,
  ]] as const
) {
  Deno.test(`a plain push with HEAD at ${head.trim()}`, async () => {
    using bench = new Bench(POLICY);
    Deno.writeTextFileSync(`${bench.repo}/.git/HEAD`, head);
    for (const [command, names] of PUSHES) {
      const { outcome } = await bench.bash(command);
      assert.equal(outcome, onMain && names ? "confirm" : "allow", `${command} at ${head}`);
    }
    const away = await bench.bash("cd docs && git push");
    assert.equal(away.outcome, onMain ? "confirm" : "allow");
  });
}

Deno.test("a worktree's own HEAD counts", async () => {
  using bench = new Bench(POLICY);
  Deno.mkdirSync(`${bench.repo}/.git/worktrees/w`, { recursive: true });
  Deno.writeTextFileSync(`${bench.repo}/.git/worktrees/w/HEAD`, "ref: refs/heads/main\n");
  Deno.mkdirSync(`${bench.home}/w`);
  Deno.writeTextFileSync(`${bench.home}/w/.git`, `gitdir: ${bench.repo}/.git/worktrees/w\n`);
  const decision = await bench.bash(`git -C ${bench.home}/w push`);
  assert.equal(decision.outcome, "confirm", told(decision));
});
