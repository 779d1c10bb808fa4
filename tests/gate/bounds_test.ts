/** However long a command is, it is judged soon, and what is too long to judge is asked about. */
import assert from "node:assert/strict";
import { DEFAULT_POLICY } from "../../src/policy/default.ts";
import { Bench, told } from "./bench.ts";

const aliases = Array.from({ length: 3000 }, (_, index) => `-c alias.a${index}=x`).join(" ");

const LONG: readonly [string, string][] = [
  ["directories", "cd a;".repeat(1500) + "rm -rf ~"],
  ["wrappers", "env ".repeat(30_000) + "x"],
  ["wrappers with a value", "timeout 1 ".repeat(3000) + "rm -rf ~"],
  ["builtins that wrap", "command ".repeat(15_000) + "rm -rf ~"],
  ["global options", `git ${"-C a ".repeat(3000)}push -f`],
  ["aliases", `git ${aliases} a1`],
  ["operands", `rm ${Array.from({ length: 3000 }, (_, index) => `f${index}`).join(" ")}`],
  ["one word", `echo ${"x".repeat(1024 * 1024)}`],
  ["open expansions", `echo ${"${x:-".repeat(400)}$(rm -rf ~)${"}".repeat(400)}`],
];

for (const [name, command] of LONG) {
  Deno.test(`too many ${name} are asked about within a second`, async () => {
    using bench = new Bench(DEFAULT_POLICY);
    let best = Infinity;
    for (let run = 0; run < 3 && best > 1000; run++) {
      const started = performance.now();
      const decision = await bench.bash(command);
      best = Math.min(best, performance.now() - started);
      assert.notEqual(decision.outcome, "allow", told(decision));
    }
    assert.ok(best < 1000, `took ${Math.round(best)} ms`);
  });
}

Deno.test("a command of a thousand words is judged whole", async () => {
  using bench = new Bench(DEFAULT_POLICY);
  const files = Array.from({ length: 1000 }, (_, index) => `src/f${index}.ts`).join(" ");
  assert.equal((await bench.bash(`git add ${files}`)).outcome, "allow");
});
