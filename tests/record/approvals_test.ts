/** Approvals: exactly that finding of exactly that call, once or for the session, and nothing more. */
import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import { readPending, writePending } from "../../src/record/approvalfiles.ts";
import { approve, consume, type Judged, offer } from "../../src/record/approvals.ts";
import { knownSecret } from "../../src/record/approvalsecret.ts";
import {
  approveOnce,
  CALL,
  CONFIRM,
  DENY,
  judged,
  MINUTE,
  OBSERVE,
  passes,
  SECOND,
} from "./approvals_cases.ts";
import { inWorld } from "./world.ts";

Deno.test("nothing passes that nobody approved", async () => {
  await inWorld(async ({ system }) => {
    assert.equal(await passes(system, judged()), false);
    await offer(system, judged());
    assert.deepEqual(await consume(system, judged()), { remaining: [CONFIRM], approved: [] });
  });
});

Deno.test("an approved call passes once", async () => {
  await inWorld(async ({ system }) => {
    await approveOnce(system, judged());
    assert.deepEqual(await consume(system, judged()), { remaining: [], approved: [CONFIRM] });
    assert.deepEqual(await consume(system, judged()), { remaining: [CONFIRM], approved: [] });
  });
});

const OTHERS: readonly [what: string, other: Judged][] = [
  ["another input", judged({ input: { command: "terraform apply -auto-approve" } })],
  ["a deeper other input", judged({ input: { ...CALL.input, options: { a: 1, b: [true, 0] } } })],
  ["one member more", judged({ input: { ...CALL.input, x: null } })],
  ["another directory", judged({ cwd: "/srv/other" })],
  ["another session", judged({ session: "s2" })],
  ["another tool", judged({ tool: "Bash" })],
  ["another agent", judged({ agent: "claude" })],
  ["another subject", judged({}, [{ ...CONFIRM, subject: "run terraform destroy" }])],
  ["another reason", judged({}, [{ ...CONFIRM, reason: "Other" }])],
  ["another source", judged({}, [{ ...CONFIRM, source: "provider topology" }])],
  ["a denial of the same text", judged({}, [{ ...CONFIRM, outcome: "deny" }])],
  ["one finding more", judged({}, [CONFIRM, SECOND])],
  ["a denial besides", judged({}, [CONFIRM, DENY])],
];

for (const [what, other] of OTHERS) {
  Deno.test(`an approval for one call does not let pass, nor is used up by, ${what}`, async () => {
    await inWorld(async ({ system }) => {
      await approveOnce(system, judged());
      assert.equal(await passes(system, other), false);
      assert.equal(await passes(system, judged()), true);
    });
  });
}

Deno.test("the order of members and other evidence make no other call", async () => {
  await inWorld(async ({ system }) => {
    await approveOnce(system, judged());
    const input = { options: { b: [true, null], a: 1 }, command: "terraform apply" };
    assert.ok(await passes(system, judged({ input }, [{ ...CONFIRM, evidence: [] }])));
  });
});

Deno.test("several findings pass together, with what is only observed left over", async () => {
  await inWorld(async ({ system }) => {
    const what = judged({}, [OBSERVE, CONFIRM, SECOND]);
    await approveOnce(system, what);
    assert.deepEqual(await consume(system, what), {
      remaining: [OBSERVE],
      approved: [CONFIRM, SECOND],
    });
    assert.equal(await passes(system, what), false);
  });
});

Deno.test("findings approved one after the other let the call pass", async () => {
  await inWorld(async ({ system }) => {
    const both = judged({}, [CONFIRM, SECOND]);
    await approveOnce(system, judged());
    assert.deepEqual(await consume(system, both), { remaining: [SECOND], approved: [CONFIRM] });
    await approveOnce(system, judged({}, [SECOND]));
    assert.ok(await passes(system, both));
    assert.equal(await passes(system, judged()), false);
  });
});

Deno.test("an approval for the session covers the finding in every call of that session", async () => {
  await inWorld(async ({ system, wait }) => {
    await approveOnce(system, judged(), true);
    wait(5 * 60 * MINUTE);
    for (let i = 0; i < 3; i++) {
      assert.ok(await passes(system, judged({ input: { i }, cwd: "/x" })));
    }
    assert.equal(await passes(system, judged({ session: "s2" })), false);
    assert.equal(await passes(system, judged({ agent: "claude" })), false);
    assert.equal(await passes(system, judged({}, [SECOND])), false);
    assert.equal(await passes(system, judged({}, [{ ...CONFIRM, outcome: "deny" }])), false);
  });
});

Deno.test("a session without an id is approved call by call only", async () => {
  await inWorld(async ({ system }) => {
    const what = judged({ session: "" });
    const code = await offer(system, what);
    const failure = await approve(system, code, { session: true });
    assert.ok(failure instanceof Failure && /no id/.test(failure.message));
    assert.ok(!(await approve(system, code, { session: false }) instanceof Failure));
    assert.ok(await passes(system, what));
  });
});

Deno.test("a code is short, unambiguous, and the same for the same call", async () => {
  await inWorld(async ({ system, wait }) => {
    const code = await offer(system, judged());
    assert.match(code, /^[2-9A-HJKMNP-TV-Z]{4}$/);
    wait(9 * MINUTE);
    assert.equal(await offer(system, judged()), code);
    const others = await Promise.all(
      OTHERS.slice(0, 10).map(([, other]) =>
        other.findings[0]?.outcome === "confirm" ? offer(system, other) : "none"
      ),
    );
    assert.ok(!others.includes(code));
    assert.equal(new Set(others).size, others.length);
  });
});

Deno.test("a code that another call waits under is not given again", async () => {
  await inWorld(async ({ home, system }) => {
    const code = await offer(system, judged());
    const directory = `${home}/.gitvow/approvals`;
    const secret = knownSecret(system, directory) ?? assert.fail();
    const pending = await readPending(system, directory, code, secret) ?? assert.fail();
    const foreign = { ...pending, key: "0".repeat(64) };
    await writePending(system, directory, foreign, secret);
    const other = await offer(system, judged());
    assert.notEqual(other, code);
    assert.deepEqual(await readPending(system, directory, code, secret), foreign);
    assert.ok(!(await approve(system, other, { session: false }) instanceof Failure));
    assert.ok(await passes(system, judged()));
  });
});

Deno.test("approving gives what waited, without its secrets", async () => {
  await inWorld(async ({ home, system }) => {
    const secret = ["hunt", "er2"].join("");
    const finding = { ...CONFIRM, evidence: [`deploy --token ${secret}`] };
    const what = judged({ input: { command: `deploy --token ${secret}` } }, [
      finding,
      OBSERVE,
      DENY,
    ]);
    const code = await offer(system, what);
    const folder = `${home}/.gitvow/approvals`;
    assert.ok(!Deno.readTextFileSync(`${folder}/pending-${code}.json`).includes(secret));
    if (system.os !== "windows") {
      assert.equal((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
      assert.equal((Deno.statSync(`${folder}/pending-${code}.json`).mode ?? 0) & 0o777, 0o600);
    }
    const pending = await approve(system, code, { session: false });
    assert.ok(!(pending instanceof Failure));
    assert.equal(pending.tool, "shell");
    assert.equal(pending.session, "s1");
    assert.deepEqual(pending.findings.map(({ subject }) => subject), [CONFIRM.subject]);
    assert.equal(await passes(system, what), false);
  });
});

Deno.test("a code is accepted as people type it, once", async () => {
  await inWorld(async ({ system }) => {
    const code = await offer(system, judged());
    const typed = ` ${code.slice(0, 2).toLowerCase()} ${code.slice(2)}`;
    assert.ok(!(await approve(system, typed, { session: false }) instanceof Failure));
    const again = await approve(system, code, { session: false });
    assert.ok(again instanceof Failure && /no confirmation waits/.test(again.message));
    assert.ok(await passes(system, judged()));
    assert.equal(await passes(system, judged()), false);
  });
});

Deno.test("malformed, unknown and expired codes say so and what to do", async () => {
  await inWorld(async ({ system, wait }) => {
    const code = await offer(system, judged());
    wait(10 * MINUTE);
    const rows: readonly [code: string, message: RegExp][] = [
      ["", /4 to 6 letters/],
      ["7F", /4 to 6 letters/],
      ["7F3K9AB", /4 to 6 letters/],
      ["../x", /4 to 6 letters/],
      ["7F3O", /4 to 6 letters/],
      [code === "7F3K" ? "7F3M" : "7F3K", /no confirmation waits/],
      [code, /more than 10 minutes ago/],
    ];
    for (const [tried, message] of rows) {
      const failure = await approve(system, tried, { session: false });
      assert.ok(failure instanceof Failure);
      assert.match(failure.message, message);
      assert.ok(failure.message.includes(`"${tried}"`));
      assert.notEqual(failure.remedy, "");
    }
    assert.equal(await passes(system, judged()), false);
  });
});
