/** Reading the record back: sessions added up, and torn or foreign lines stepped over. */
import assert from "node:assert/strict";
import { type Entry, record, sessionFile } from "../../src/record/journal.ts";
import { newTally, parseEntry, readEntries, readSessions } from "../../src/record/read.ts";
import { inWorld } from "./world.ts";

function entry(changes: Partial<Entry>): Entry {
  return {
    v: 1,
    at: "2026-03-04T05:06:07.089Z",
    kind: "tool_call",
    agent: "codex",
    session: "s1",
    event: "PreToolUse",
    tool: "shell",
    outcome: "allow",
    findings: [],
    detail: "ls",
    cwd: "/srv",
    repo: "",
    tool_use_id: "",
    ms: 1,
    ...changes,
  };
}

Deno.test("there are no sessions and no entries before the first record", async () => {
  await inWorld(({ system }) => {
    assert.deepEqual(readSessions(system), []);
    assert.deepEqual([...readEntries(system, "s1")], []);
    assert.deepEqual(readSessions({ ...system, home: undefined }), []);
  });
});

Deno.test("sessions are added up, the latest first", async () => {
  await inWorld(({ system }) => {
    record(system, entry({ at: "2026-03-04T05:06:08.000Z", outcome: "deny" }));
    record(system, entry({ at: "2026-03-04T05:06:07.000Z" }));
    record(system, entry({ at: "2026-03-04T05:06:09.000Z", kind: "hook_failed", outcome: "none" }));
    record(system, entry({ session: "x/y", agent: "gemini", at: "2026-03-05T00:00:00.000Z" }));
    record(system, entry({ session: "", at: "2026-03-01T00:00:00.000Z", outcome: "confirm" }));
    const [first, second, third, ...rest] = readSessions(system);
    assert.equal(rest.length, 0);
    assert.equal(first?.id, "x/y");
    assert.equal(first.agent, "gemini");
    assert.deepEqual(second, {
      id: "s1",
      agent: "codex",
      first: "2026-03-04T05:06:07.000Z",
      last: "2026-03-04T05:06:09.000Z",
      entries: 3,
      outcomes: { allow: 1, confirm: 0, deny: 1, none: 1 },
      failures: 1,
      skipped: 0,
      unreadable: undefined,
    });
    assert.equal(third?.id, "unknown-2026-03-04");
    for (const session of [first, second, third]) {
      assert.equal([...readEntries(system, session.id)].length, session.entries);
    }
  });
});

Deno.test("torn and foreign lines are counted and the others are read", async () => {
  await inWorld(({ home, system }) => {
    record(system, entry({ detail: "one" }));
    const path = sessionFile(home, "s1", system.now());
    const foreign = [
      '{"v":1,"at":"2026',
      "null",
      "[]",
      "7",
      '{"v":2}',
      '{"v":1}',
      "\0\0\0",
      "\xff",
    ];
    Deno.writeTextFileSync(path, foreign.join("\n") + "\r\n\n\n", { append: true });
    record(system, entry({ detail: "two" }));
    Deno.writeFileSync(path, new Uint8Array([0x7b, 0xff, 0xfe]), { append: true });
    const tally = newTally();
    const details = [...readEntries(system, "s1", tally)].map(({ detail }) => detail);
    assert.deepEqual(details, ["one", "two"]);
    assert.deepEqual(tally, { read: 2, skipped: foreign.length + 1, unreadable: undefined });
    assert.equal(readSessions(system)[0]?.skipped, foreign.length + 1);
  });
});

Deno.test("a session file that is none is reported and not followed", async () => {
  await inWorld(({ home, system }) => {
    record(system, entry({}));
    const directory = `${home}/.gitvow/sessions`;
    Deno.mkdirSync(`${directory}/folder.jsonl`);
    Deno.symlinkSync(`${directory}/s1.jsonl`, `${directory}/link.jsonl`);
    const found = readSessions(system);
    assert.deepEqual(found.map(({ id, unreadable }) => [id, unreadable === undefined]), [
      ["s1", true],
      ["folder", false],
      ["link", false],
    ]);
  });
});

Deno.test("members of the wrong type become empty, and an entry without its essence is none", () => {
  const good = entry({});
  const parsed = parseEntry(
    JSON.stringify({ ...good, tool: 7, findings: [null, { outcome: "x" }], ms: "1" }),
  );
  assert.deepEqual(parsed, { ...good, tool: "", findings: [], ms: 0 });
  for (const bad of [{ v: 2 }, { at: "today" }, { at: 1 }, { kind: "x" }, { outcome: "maybe" }]) {
    assert.equal(parseEntry(JSON.stringify({ ...good, ...bad })), undefined);
  }
});
