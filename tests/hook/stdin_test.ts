/** Payloads arrive with marks, in pieces, and on pipes that stay open. */
import assert from "node:assert/strict";
import { GITVOW, verdictOf, World } from "../support/world.ts";

const POLICY = { bash_deny: [{ pattern: "forbidden", reason: "the test says so" }] };

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

Deno.test("byte order marks and white space around the payload change nothing", async () => {
  using world = new World();
  world.policy(POLICY);
  const denied = JSON.stringify(world.payload("Bash", { command: "forbidden" }));
  const allowed = JSON.stringify(world.payload("Bash", { command: "fine" }));
  for (const mark of ["", "\ufeff", "\ufeff\ufeff", " \n", "\ufeff \n"]) {
    for (const end of ["", "\n", "  \r\n"]) {
      assert.equal(verdictOf(await world.hook("PreToolUse", bytes(mark + denied + end))), "deny");
      assert.equal(verdictOf(await world.hook("PreToolUse", bytes(mark + allowed + end))), "allow");
    }
  }
});

Deno.test("a whole payload on a pipe that stays open is answered at once", async () => {
  using world = new World();
  world.policy(POLICY);
  const payload = world.payload("Bash", { command: "forbidden" });
  const ended = await world.hook("PreToolUse", payload, { keepOpen: true });
  assert.equal(verdictOf(ended), "deny");
  assert.ok(ended.ms < 2500, `took ${ended.ms} ms`);
});

Deno.test("half a payload on a pipe that stays open is blocked after five seconds", async () => {
  using world = new World();
  world.policy(POLICY);
  const half = JSON.stringify(world.payload("Bash", { command: "fine" })).slice(0, 60);
  const ended = await world.hook("PreToolUse", half, { keepOpen: true });
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /No whole JSON value/);
  assert.ok(ended.ms > 4500 && ended.ms < 8000, `took ${ended.ms} ms`);
});

Deno.test("a payload that arrives byte by byte is read whole", async () => {
  using world = new World();
  world.policy(POLICY);
  const payload = JSON.stringify(world.payload("Bash", { command: "echo '}{' \"ä\" forbidden" }));
  const child = new Deno.Command("sh", {
    args: ["-c", 'dd bs=1 status=none | "$0" hook --agent claude PreToolUse', GITVOW],
    env: world.env,
    clearEnv: true,
    cwd: world.repo,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(bytes(payload));
  await writer.close();
  assert.equal((await child.output()).code, 2);
});
