/** Redaction: which texts lose what, which stay as they are, and what holds for every text. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { ASSIGNMENT_PATTERNS } from "../../src/record/assignments.ts";
import { FLAG_PATTERNS } from "../../src/record/flags.ts";
import { KEY_BLOCK_PATTERNS } from "../../src/record/keyblocks.ts";
import { PLACE_PATTERNS } from "../../src/record/places.ts";
import { TOKEN_PATTERNS } from "../../src/record/tokens.ts";
import { BEGIN, END, HIDDEN, KEPT } from "./redact_cases.ts";
import { redact, SECRET_RULES } from "../../src/record/redact.ts";

const ALL_PATTERNS: readonly string[] = [
  ...TOKEN_PATTERNS,
  ...FLAG_PATTERNS,
  ...Object.values(KEY_BLOCK_PATTERNS),
  ...Object.values(PLACE_PATTERNS),
  ...Object.values(ASSIGNMENT_PATTERNS),
];

Deno.test("a secret is replaced and the rest of the text stays", () => {
  assert.ok(HIDDEN.length >= 60);
  const wrong: string[] = [];
  for (const [text, secret, after] of HIDDEN) {
    const out = redact(text);
    if (out !== after || out.includes(secret)) wrong.push(`${text}\n  ${out}\n  ${after}`);
  }
  assert.equal(wrong.join("\n"), "");
});

Deno.test("text without a secret stays as it is", () => {
  assert.ok(KEPT.length >= 40);
  const wrong = KEPT.filter((text) => redact(text) !== text);
  assert.equal(wrong.map((text) => `${text}\n  ${redact(text)}`).join("\n"), "");
});

Deno.test("every pattern runs in the linear engine", () => {
  const linear = ["g", "l"].join("");
  for (const pattern of ALL_PATTERNS) new RegExp(pattern, linear);
  assert.throws(() => new RegExp("(?=a)b", linear));
});

/** Text as an attacker or a fuzzer would make it: pieces of secrets in any order. */
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...HIDDEN.map(([text]) => text),
      ...HIDDEN.map(([, secret]) => secret),
      ...[
        "password",
        "token",
        "_key",
        "--secret",
        "KEY",
        "pass",
        "Authorization",
        "Bearer",
        "Basic",
      ],
      ..."=,:, ,\n,\",',\\,@,{,},[,],$,&,;,|,>,<,`,://,-u ,-p,curl ,mysql ,a.b,.co,x1".split(","),
      ...[
        ",",
        BEGIN,
        END,
        "[redacted:token]",
        "[redacted:",
        "\u{1f600}",
        "\ud83d",
        "\u0130",
        "\u212a",
      ],
    ),
    fc.string({ maxLength: 6 }),
  ),
  { maxLength: 14 },
).map((parts) => parts.join(""));

Deno.test("redacting twice gives what redacting once gives", () => {
  fc.assert(
    fc.property(pieces, (text) => {
      const once = redact(text);
      assert.equal(redact(once), once);
    }),
    { numRuns: 5000 },
  );
});

const plain = fc.string({ unit: fc.constantFrom(..."aAkeytoknpsw_019"), maxLength: 15 });

Deno.test("the rules that a text has no hint for would not change it", () => {
  fc.assert(
    fc.property(fc.oneof(pieces, plain, fc.string({ unit: "binary" })), (text) => {
      const lower = text.toLowerCase();
      for (const rule of SECRET_RULES) {
        if (rule.hints.some((hint) => lower.includes(hint))) continue;
        assert.equal(rule.hide(text), text);
      }
      if (/^\w{0,15}$/.test(text)) {
        assert.ok(SECRET_RULES.every((rule) => rule.hide(text) === text));
      }
      let whole = text;
      for (let pass = 0; pass < 8; pass++) {
        whole = SECRET_RULES.reduce((out, rule) => rule.hide(out), whole);
      }
      assert.equal(redact(text), whole);
    }),
    { numRuns: 5000 },
  );
});

Deno.test("a redacted text is at most five times as long, and 64 characters more", () => {
  fc.assert(
    fc.property(pieces, (text) => redact(text).length <= 5 * text.length + 64),
    { numRuns: 2000 },
  );
});

Deno.test("provider tokens do not survive any surroundings", () => {
  const around = fc.string({ unit: fc.constantFrom(..." '\"`=:;,()[]{}<>|&\n\t") });
  fc.assert(
    fc.property(fc.constantFrom(...HIDDEN.slice(0, 39)), around, around, ([, secret], a, b) => {
      assert.ok(!redact(a + secret + b).includes(secret), a + secret + b);
    }),
    { numRuns: 2000 },
  );
});

const HARD_LENGTH = 256 * 1024;

const ORDINARY =
  "cd src && for f in *.ts; do npx tsc $f | tee -a out.log; done; git commit -m 'move'\n";

Deno.test("a plain command takes less than 0.3 ms, and one of a mebibyte less than 100", () => {
  const fastest = (text: string, runs: number) =>
    Array.from({ length: runs }, () => {
      const start = performance.now();
      redact(text);
      return performance.now() - start;
    }).reduce((a, b) => Math.min(a, b));
  const short = fastest(ORDINARY.repeat(6).slice(0, 500), 101);
  assert.ok(short < 0.3, `${short} ms`);
  const long = fastest(ORDINARY.repeat(13_000).slice(0, 1 << 20), 5);
  assert.ok(long < 100, `${long} ms`);
});

/** Texts that make a careless pattern try again and again from every place. */
const HARD: readonly string[] = [
  ...[
    "a",
    "A",
    "0",
    "-",
    "@",
    ":",
    "/",
    "\\",
    '"',
    "'",
    " ",
    "\n",
    "=",
    "eyJ",
    "eyJ-",
    "SG.",
    "://",
  ],
  ...["://a:", "://a:@", "-----BEGIN ", "token", "token=", "token_name=", "token=$token=", "key "],
  ...[
    'password="',
    "password='",
    "a@",
    "a@b.",
    "a@b.c ",
    "Authorization: ",
    "bearer ",
    "basic abcd",
  ],
  ...[
    " -u",
    " -u a:",
    "curl -u ",
    "mysql -p",
    "secret: |\n",
    "sk-",
    "sk-proj-",
    'key "\\',
    "--pass ",
  ],
  ...[BEGIN, BEGIN + ";", BEGIN + "\n", "Private-Lines: 1", "0a1b2c3d", "cookie: ", "AKIAAAAAAAAA"],
  ...["_pass_", "token\n", "auth authToken", "sig=", "password=${", 'token=\\"', "1.2.3@4.5"],
  ...[
    "private key -us sg. eyj sk dapi cio key- :aa " + "0123456789abcdef",
    HIDDEN.map(([t]) => t).join("\n"),
  ],
];

Deno.test("no long text takes long, however it is made", () => {
  const slow: string[] = [];
  for (const unit of HARD) {
    const text = unit.repeat(Math.ceil(HARD_LENGTH / unit.length)).slice(0, HARD_LENGTH);
    const start = performance.now();
    redact(text);
    const ms = performance.now() - start;
    if (ms > 1500) slow.push(`${JSON.stringify(unit.slice(0, 40))}: ${Math.round(ms)} ms`);
  }
  assert.equal(slow.join("\n"), "");
});
