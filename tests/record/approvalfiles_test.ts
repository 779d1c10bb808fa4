/** The files behind approvals: their time, broken ones, old ones, and many processes at once. */
import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import { approve, offer } from "../../src/record/approvals.ts";
import { denoSystem } from "../../src/system/deno.ts";
import { approveOnce, CONFIRM, DENY, judged, MINUTE, passes, SECOND } from "./approvals_cases.ts";
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
    const [name = ""] = [...Deno.readDirSync(folder)].map((entry) => entry.name);
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
    assert.deepEqual(names, ["notes.txt", `pending-${code}`, names[2]]);
    assert.match(names[2] ?? "", /^session-/);
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
