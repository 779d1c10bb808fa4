/** The files behind approvals: their time, broken ones, old ones, and many processes at once. */
import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import { approve, offer } from "../../src/record/approvals.ts";
import { knownSecret } from "../../src/record/approvalsecret.ts";
import { callFingerprint, findingFingerprint } from "../../src/record/fingerprints.ts";
import { denoSystem } from "../../src/system/deno.ts";
import {
  approveOnce,
  CALL,
  CONFIRM,
  DENY,
  judged,
  MINUTE,
  passes,
  SECOND,
} from "./approvals_cases.ts";
import { inWorld } from "./world.ts";

const CHILD = new URL("./consume_child.ts", import.meta.url).pathname;

Deno.test("an approval holds for 10 minutes, and not before it was given", async () => {
  for (
    const [ms, holds] of [[9.9 * MINUTE, true], [10 * MINUTE, false], [-5 * MINUTE, false]] as const
  ) {
    await inWorld(async ({ system, wait }) => {
      await approveOnce(system, judged());
      wait(ms);
      assert.equal(await passes(system, judged()), holds);
    });
  }
});

Deno.test("broken, foreign and moved files are never an approval", async () => {
  await inWorld(async ({ home, system, wait }) => {
    await approveOnce(system, judged());
    const folder = `${home}/.gitvow/approvals`;
    const name = [...Deno.readDirSync(folder)].map((entry) => entry.name)
      .find((one) => one.startsWith("once-")) ?? assert.fail();
    const good = Deno.readTextFileSync(`${folder}/${name}`);
    const parsed = JSON.parse(good);
    const bad: readonly string[] = [
      "",
      "null",
      "[]",
      good.slice(0, -2),
      JSON.stringify({ ...parsed, v: 2 }),
      JSON.stringify({ ...parsed, at: String(parsed.at) }),
      JSON.stringify({ ...parsed, at: null }),
      JSON.stringify({ ...parsed, grant: `once-${"0".repeat(64)}` }),
      JSON.stringify({ v: 1 }),
      JSON.stringify({ ...parsed, at: parsed.at + 1 }),
      JSON.stringify({ ...parsed, seal: "0".repeat(64) }),
      JSON.stringify({ v: 1, grant: parsed.grant, at: parsed.at }),
    ];
    for (const text of bad) {
      Deno.writeTextFileSync(`${folder}/${name}`, text);
      assert.equal(await passes(system, judged()), false, text);
    }
    Deno.removeSync(`${folder}/${name}`);
    Deno.writeTextFileSync(`${home}/elsewhere`, good);
    Deno.symlinkSync(`${home}/elsewhere`, `${folder}/${name}`);
    assert.equal(await passes(system, judged()), false);
    Deno.removeSync(`${folder}/${name}`);
    Deno.mkdirSync(`${folder}/${name}`);
    assert.equal(await passes(system, judged()), false);
    wait(1);
    await offer(system, judged({}, [SECOND]));
  });
});

Deno.test("what waits holds nothing that names or seals a grant", async () => {
  await inWorld(async ({ home, system }) => {
    const folder = `${home}/.gitvow/approvals`;
    const code = await offer(system, judged());
    const text = Deno.readTextFileSync(`${folder}/pending-${code}.json`);
    const secret = knownSecret(system, folder) ?? assert.fail();
    const readable = [secret, await callFingerprint(CALL), await findingFingerprint(CONFIRM)];
    await approve(system, code, { session: false });
    for (const { name } of Deno.readDirSync(folder)) {
      if (!name.startsWith("once-")) continue;
      const grant = JSON.parse(Deno.readTextFileSync(`${folder}/${name}`));
      readable.push(grant.grant.slice("once-".length), grant.seal);
    }
    assert.equal(readable.length, 5);
    for (const one of readable) assert.equal(text.includes(one), false);
  });
});

Deno.test("a confirmation that was changed while it waited cannot be approved", async () => {
  await inWorld(async ({ home, system }) => {
    const folder = `${home}/.gitvow/approvals`;
    const code = await offer(system, judged());
    const other = await offer(system, judged({ input: { command: "other" } }));
    const read = (one: string) =>
      JSON.parse(Deno.readTextFileSync(`${folder}/pending-${one}.json`));
    const harmless = read(other);
    const swapped = { ...harmless, tokens: read(code).tokens };
    Deno.writeTextFileSync(`${folder}/pending-${other}.json`, JSON.stringify(swapped));
    assert.ok(await approve(system, other, { session: false }) instanceof Failure);
    assert.equal(await passes(system, judged()), false);
    Deno.writeTextFileSync(`${folder}/pending-${other}.json`, JSON.stringify(harmless));
    assert.ok(!(await approve(system, other, { session: false }) instanceof Failure));
  });
});

Deno.test("approvals hold under the secret they were made with, which only its owner reads", async () => {
  await inWorld(async ({ home, system }) => {
    const path = `${home}/.gitvow/approvals/secret`;
    await approveOnce(system, judged());
    const kept = Deno.readTextFileSync(path);
    if (system.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
    for (const text of ["", "x".repeat(64), `${"0".repeat(64)}\n`]) {
      Deno.writeTextFileSync(path, text);
      assert.equal(await passes(system, judged()), false, text);
    }
    Deno.removeSync(path);
    assert.equal(await passes(system, judged()), false);
    Deno.writeTextFileSync(`${home}/elsewhere`, kept);
    Deno.symlinkSync(`${home}/elsewhere`, path);
    assert.equal(await passes(system, judged()), false);
    await assert.rejects(offer(system, judged()), Failure);
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, kept);
    assert.ok(await passes(system, judged()));
  });
});

Deno.test("old files are swept and others stay", async () => {
  await inWorld(async ({ home, system, wait }) => {
    const folder = `${home}/.gitvow/approvals`;
    await approveOnce(system, judged());
    await approveOnce(system, judged(), true);
    await offer(system, judged({ tool: "other" }));
    Deno.writeTextFileSync(`${folder}/notes.txt`, "mine");
    wait(2 * 24 * 60 * MINUTE);
    const code = await offer(system, judged());
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name.slice(0, 12)).sort();
    assert.deepEqual(names, ["notes.txt", `pending-${code}`, "secret", names[3]]);
    assert.match(names[3] ?? "", /^session-/);
    assert.ok(await passes(system, judged()));
  });
});

Deno.test("without a place to keep it, an offer fails and nothing passes", async () => {
  await inWorld(async ({ home, system }) => {
    await assert.rejects(offer({ ...system, home: undefined }, judged()), Failure);
    assert.equal(await passes({ ...system, home: undefined }, judged()), false);
    await assert.rejects(offer(system, judged({}, [DENY])), Failure);
    Deno.writeTextFileSync(`${home}/.gitvow`, "in the way");
    await assert.rejects(offer(system, judged()), Failure);
    assert.ok(await approve(system, "7F3K", { session: false }) instanceof Failure);
    assert.equal(await passes(system, judged()), false);
  });
});

Deno.test("of 8 processes at once exactly one is let through by an approval", async () => {
  await inWorld(async ({ home }) => {
    const system = { ...denoSystem(), home };
    const what = judged({}, [CONFIRM, SECOND]);
    for (let round = 0; round < 2; round++) {
      await approveOnce(system, what);
      const args = ["run", "-A", "--no-lock", CHILD, home, String(Date.now() + 1200)];
      const children = Array.from(
        { length: 8 },
        () => new Deno.Command(Deno.execPath(), { args: [...args, JSON.stringify(what)] }).output(),
      );
      const counts = (await Promise.all(children)).map(({ stdout }) =>
        Number(new TextDecoder().decode(stdout))
      );
      assert.deepEqual(counts.sort(), [0, 0, 0, 0, 0, 0, 0, 1]);
    }
  });
});
