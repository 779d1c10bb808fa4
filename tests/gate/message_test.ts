/** What a person reads: the exact texts, denials first, nothing that repaints a terminal, bounded. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, type Finding } from "../../src/domain/finding.ts";
import { matched } from "../../src/gate/findings.ts";
import { failureVerdict, verdictOn } from "../../src/gate/message.ts";

const PUSH: Finding = {
  outcome: "deny",
  subject: "run git push",
  reason: "git push --force rewrites published history",
  evidence: [matched("git -C api push -f origin main")],
  source: "rule bash_deny[1] in ~/.gitvow/policy.json",
};

const ROUTE: Finding = {
  outcome: "confirm",
  subject: "route /v1/orders/export",
  reason: "not covered by an authorization filter",
  evidence: ["whitelist: auth/AuthorizeWhitelistedPaths.java"],
  source: "provider topology:",
};

const EDIT: Finding = {
  outcome: "confirm",
  subject: "edit .env",
  reason: "it holds secrets",
  evidence: [],
  source: "rule path_confirm[0] in ~/.gitvow/policy.json",
};

const SEEN: Finding = { ...EDIT, outcome: "observe" };

Deno.test("an allow says nothing, whatever was observed", () => {
  assert.deepEqual(verdictOn(decide([])), { code: 0, message: "" });
  assert.deepEqual(verdictOn(decide([SEEN])), { code: 0, message: "" });
});

Deno.test("a denial says why and which rule matched what", () => {
  assert.deepEqual(verdictOn(decide([PUSH])), {
    code: 2,
    message: [
      "BLOCKED by gitvow: git push --force rewrites published history.",
      "  rule bash_deny[1] in ~/.gitvow/policy.json matched `git -C api push -f origin main`",
    ].join("\n"),
  });
});

Deno.test("a confirmation says what would be done, and how a person lets it pass", () => {
  const lines = [
    "CONFIRMATION REQUIRED: route /v1/orders/export (not covered by an authorization filter).",
    "  provider topology: whitelist: auth/AuthorizeWhitelistedPaths.java",
  ];
  assert.equal(
    verdictOn(decide([ROUTE])).message,
    [...lines, "  Ask the user explicitly before doing this."].join("\n"),
  );
  assert.equal(
    verdictOn(decide([ROUTE]), "7F3K").message,
    [
      ...lines,
      "  Ask the user explicitly before doing this. If they agree, they can run: gitvow approve 7F3K",
    ].join("\n"),
  );
});

Deno.test("denials come first, and no code is offered beside one", () => {
  const { message } = verdictOn(
    decide([ROUTE, SEEN, PUSH, EDIT, { ...PUSH, reason: "again" }]),
    "7F3K",
  );
  assert.deepEqual(message.split("\n").filter((line) => !line.startsWith("  ")), [
    "BLOCKED by gitvow: git push --force rewrites published history.",
    "Also blocked: again.",
    "It would also need confirmation: route /v1/orders/export (not covered by an authorization filter).",
    "It would also need confirmation: edit .env (it holds secrets).",
  ]);
  assert.ok(!message.includes("7F3K"));
});

Deno.test("control and direction characters are shown, all other text is verbatim", () => {
  const shown = (text: string) =>
    verdictOn(decide([{ ...EDIT, evidence: [text] }])).message.split("\n")[1] ?? "";
  const rows: readonly [string, string][] = [
    ["plain ünïcødé 漢字 😀 `ticks` \\n", "plain ünïcødé 漢字 😀 `ticks` \\n"],
    ["a\nb\r\nc\td", "a b c d"],
    ["\u001b[2K\u001b[1A", "\\x1b[2K\\x1b[1A"],
    ["\u0007\u0000\u007f\u009b", "\\x07\\x00\\x7f\\x9b"],
    ["a\u{e0041}b", "a\\u{e0041}b"],
    ["a\u202eb\u2066c\u200dd\ufeff", "a\\u202eb\\u2066c\\u200dd\\ufeff"],
  ];
  for (const [text, expected] of rows) assert.ok(shown(text).endsWith(` ${expected}`), shown(text));
});

const anyFinding = fc.record({
  outcome: fc.constantFrom("deny", "confirm", "observe"),
  subject: fc.string({ unit: "binary", maxLength: 2000 }),
  reason: fc.string({ unit: "binary", maxLength: 2000 }),
  evidence: fc.array(fc.string({ unit: "binary", maxLength: 2000 }), { maxLength: 4 }),
  source: fc.string({ unit: "binary", maxLength: 100 }),
}) as fc.Arbitrary<Finding>;

Deno.test("no message holds a control character or grows without bound", () => {
  fc.assert(fc.property(fc.array(anyFinding, { maxLength: 60 }), (findings) => {
    const decision = decide(findings);
    const { code, message } = verdictOn(decision, "7F3K");
    assert.equal(code, decision.outcome === "allow" ? 0 : 2);
    assert.doesNotMatch(
      message,
      /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u,
    );
    assert.ok(message.length < 30_000, `${message.length}`);
    if (decision.outcome === "deny") assert.match(message, /^BLOCKED by gitvow: /);
    if (decision.outcome === "confirm") assert.match(message, /^CONFIRMATION REQUIRED: /);
  }));
});

Deno.test("what is not listed is counted", () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ ...EDIT, subject: `edit ${index}` }));
  const { message } = verdictOn(decide(many));
  assert.match(message, /^And 18 more\.$/m);
  assert.equal(message.match(/^(?:CONFIRMATION REQUIRED|Also): edit/gm)?.length, 12);
});

Deno.test("a failure says what broke and what mends it", () => {
  assert.equal(
    failureVerdict("There is no policy", "run `gitvow install --user`").message,
    "BLOCKED by gitvow: There is no policy.\n  To mend it: run `gitvow install --user`.",
  );
  assert.equal(
    failureVerdict("It broke\u001b[0m", "").message,
    "BLOCKED by gitvow: It broke\\x1b[0m.",
  );
});

Deno.test("what matched is one line of at most 200 characters", () => {
  assert.equal(matched("  git\n\tpush  "), "matched `git push`");
  assert.equal(matched("x".repeat(200)), `matched \`${"x".repeat(200)}\``);
  assert.equal(matched("x".repeat(201)), `matched \`${"x".repeat(199)}…\``);
});

Deno.test("what several policies say alike is said once, with every rule that says it", () => {
  const twice = [EDIT, { ...EDIT, source: "rule path_confirm[3] in ~/shop/.gitvow/policy.json" }];
  const { message } = verdictOn(decide(twice));
  assert.equal(message.match(/CONFIRMATION REQUIRED/g)?.length, 1);
  assert.ok(!message.includes("Also: "), message);
  assert.match(message, /\n {2}and rule path_confirm\[3\] in ~\/shop\/\.gitvow\/policy\.json\n/);
});
