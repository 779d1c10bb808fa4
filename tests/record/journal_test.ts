/** The journal: what a line holds, which file it goes to, and that it never throws. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Failure } from "../../src/domain/failure.ts";
import { type Entry, entryLine, record, sessionFile } from "../../src/record/journal.ts";
import { parseEntry, readEntries } from "../../src/record/read.ts";
import { inWorld } from "./world.ts";

const NOW = Date.parse("2026-03-04T05:06:07.089Z");

const ENTRY: Entry = {
  v: 1,
  at: "2026-03-04T05:06:07.089Z",
  kind: "tool_call",
  agent: "claude",
  session: "s1",
  event: "PreToolUse",
  tool: "Bash",
  outcome: "deny",
  findings: [{
    outcome: "deny",
    subject: "run git push (force push)",
    reason: "Rewrites published history",
    evidence: ["git push -f"],
    source: "rule bash_deny[1] in ~/.gitvow/policy.json",
  }],
  detail: "git push -f origin main",
  cwd: "/srv/app",
  repo: "/srv/app",
  tool_use_id: "t1",
  ms: 3.25,
};

Deno.test("an entry comes back from its line as it was", () => {
  assert.deepEqual(parseEntry(entryLine(ENTRY)), ENTRY);
});

Deno.test("the fields of a line stand in a fixed order", () => {
  assert.deepEqual(Object.keys(JSON.parse(entryLine(ENTRY))), Object.keys(ENTRY));
});

Deno.test("secrets leave every text of an entry", () => {
  const secret = ["hunt", "er2"].join("");
  const text = `--password ${secret}`;
  const line = entryLine({
    ...ENTRY,
    detail: text,
    cwd: `/x ${text}`,
    repo: `/y ${text}`,
    tool: text,
    event: text,
    findings: [{ outcome: "deny", subject: text, reason: text, evidence: [text], source: text }],
  });
  assert.ok(!line.includes(secret), line);
  assert.equal(line.split("[redacted:password]").length - 1, 9);
});

Deno.test("a detail is cut to 500 characters, never inside a character or a secret", () => {
  const detailOf = (detail: string) => parseEntry(entryLine({ ...ENTRY, detail }))?.detail;
  assert.equal(detailOf("x".repeat(600)), "x".repeat(500));
  assert.equal(detailOf("x".repeat(499) + "\u{1f600}"), "x".repeat(499));
  assert.equal(detailOf("x".repeat(498) + "\u{1f600}y"), "x".repeat(498) + "\u{1f600}");
  const secret = ["hunt", "er2"].join("");
  const cut = detailOf(`${"x ".repeat(245)}TOKEN=${secret}`);
  assert.equal(cut, `${"x ".repeat(245)}TOKEN=[red`);
  assert.equal(detailOf(`${"secret=x ".repeat(20_000)}`)?.length, 500);
});

Deno.test("a line is one line of well-formed text for any reader, whatever the entry holds", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({
      unit: fc.constantFrom("\ud83d", "\ude00", "\n", "\r", "\u0085", "\u2028", "\0", "\x1b", "a"),
    }),
  );
  fc.assert(
    fc.property(text, text, text, fc.double(), (detail, cwd, session, ms) => {
      const line = entryLine({ ...ENTRY, detail, cwd, session, ms });
      const isControl = (c: string) =>
        c < " " || (c >= "\x7f" && c < "\xa0") || /[\u2028\u2029]/.test(c);
      assert.ok(![...line].some(isControl));
      assert.ok(line.isWellFormed());
      assert.ok(parseEntry(line)?.detail.isWellFormed());
    }),
    { numRuns: 1000 },
  );
});

Deno.test("a session's file bears its id where that is a safe name", () => {
  const rows: readonly [id: string, file: RegExp][] = [
    ["123e4567-e89b-12d3-a456-426614174000", /^123e4567-e89b-12d3-a456-426614174000\.jsonl$/],
    ["a.b_C-9", /^a\.b_C-9\.jsonl$/],
    ["x".repeat(100), /^x{100}\.jsonl$/],
    ["x".repeat(101), /^@[0-9a-f]{32}\.jsonl$/],
    ["", /^unknown-2026-03-04\.jsonl$/],
    [".hidden", /^@[0-9a-f]{32}\.jsonl$/],
    ["..", /^@[0-9a-f]{32}\.jsonl$/],
    ["../../etc/passwd", /^@[0-9a-f]{32}\.jsonl$/],
    ["a/b", /^@/],
    ["a\\b", /^@/],
    ["a b", /^@/],
    ["a\0", /^@/],
    ["a\n", /^@/],
    ["CON", /^@/],
    ["nul", /^@/],
    ["com1.x", /^@/],
    ["com10", /^com10\.jsonl$/],
    ["@" + "0".repeat(32), /^@[0-9a-f]{32}\.jsonl$/],
  ];
  for (const [id, file] of rows) {
    const path = sessionFile("/home/ann", id, NOW);
    const prefix = "/home/ann/.gitvow/sessions/";
    assert.ok(path.startsWith(prefix));
    assert.match(path.slice(prefix.length), file);
  }
  const unsafe = rows.map(([id]) => sessionFile("/h", id, NOW));
  assert.equal(new Set(unsafe).size, rows.length);
});

Deno.test("the hash of a file name is FNV-1a with 128 bits", () => {
  // The reference value for "a" behind a character that makes the id unsafe would be longer: "/" alone.
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  hash = ((hash ^ 0x2fn) * (2n ** 88n + 2n ** 8n + 0x3bn)) % 2n ** 128n;
  assert.equal(
    sessionFile("/h", "/", NOW),
    `/h/.gitvow/sessions/@${hash.toString(16).padStart(32, "0")}.jsonl`,
  );
});

Deno.test("recording makes a folder and a file for their owner alone, and reads back", async () => {
  await inWorld(({ home, system }) => {
    for (const session of ["s1", "", "a/b"]) {
      assert.equal(record(system, { ...ENTRY, session }), undefined);
      assert.equal(record(system, { ...ENTRY, session, outcome: "allow" }), undefined);
      const back = [...readEntries(system, session)];
      assert.deepEqual(back.map(({ outcome }) => outcome), ["deny", "allow"]);
      assert.equal(back[0]?.session, session);
    }
    if (system.os === "windows") return;
    const modeOf = (path: string) => (Deno.statSync(`${home}/.gitvow/${path}`).mode ?? 0) & 0o777;
    assert.equal(modeOf("sessions"), 0o700);
    assert.equal(modeOf("sessions/s1.jsonl"), 0o600);
  });
});

Deno.test("a record that cannot be written comes back as a failure", async () => {
  await inWorld(({ home, system }) => {
    Deno.writeTextFileSync(`${home}/.gitvow`, "a file in the way");
    const failure = record(system, ENTRY);
    assert.ok(failure instanceof Failure);
    assert.match(failure.message, /^Cannot record the session in "~\/\.gitvow\/sessions": /);
    assert.notEqual(failure.remedy, "");
    assert.ok(record({ ...system, home: undefined }, ENTRY) instanceof Failure);
    const broken = {
      ...system,
      now(): number {
        throw new Error("no clock");
      },
    };
    assert.match(record(broken, ENTRY)?.message ?? "", /no clock/);
  });
});
