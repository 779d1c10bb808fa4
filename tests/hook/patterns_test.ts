/** No pattern of a policy can hang the launched hook. */
import assert from "node:assert/strict";
import { verdictOf, World } from "../support/world.ts";

const CATASTROPHIC = [
  "(a+)+$",
  "(?i)(a+)+$",
  "(?:(?=a)a+)+$",
  "(a{1,50}){1,50}$",
  "(.*a){20}$",
  "^x(a+)+(?!!)$",
  "(a|a)*$",
  "(?i)(?:a|A)+(?:a|A)+b",
];

/** Milliseconds of the best of three runs: the machine may be busy with other tests. */
const BUDGET_MS = 400;

for (const pattern of CATASTROPHIC) {
  Deno.test(`${pattern} against 100 kB is answered within ${BUDGET_MS} ms`, async () => {
    using world = new World();
    world.policy({ bash_deny: [{ pattern, reason: "the pattern matched" }] });
    const command = `echo x${"a".repeat(100_000)}!`;
    let best = Infinity;
    for (let run = 0; run < 3 && best > BUDGET_MS; run++) {
      const ended = await world.bash(command);
      assert.ok(["allow", "confirm", "deny"].includes(verdictOf(ended)), ended.stderr);
      best = Math.min(best, ended.ms);
    }
    assert.ok(best <= BUDGET_MS, `took ${Math.round(best)} ms`);
  });
}

Deno.test("a pattern that was stopped asks and names its rule", async () => {
  using world = new World();
  world.policy({ bash_deny: [{ pattern: "(?:(?=a)a+)+$", reason: "r" }] });
  const ended = await world.bash(`echo x${"a".repeat(100_000)}!`);
  assert.equal(verdictOf(ended), "confirm");
  assert.match(ended.stdout, /bash_deny\[0\]/);
});
