/** Patterns: what Python's syntax becomes, what is refused, and that nothing hangs. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Failure } from "../../src/domain/failure.ts";
import {
  compilePattern,
  matchesWholeNow,
  search,
  searchAll,
  searchNow,
  type SearchResult,
  stopSearching,
} from "../../src/policy/pattern.ts";
import { plainRegex } from "../../src/policy/plain_regex.ts";
import { printRegex } from "../../src/policy/regex_print.ts";
import { readRegex } from "../../src/policy/regex_reader.ts";
import rows from "./pattern_rows.json" with { type: "json" };

const V8_FLAGS =
  "--v8-flags=--enable-experimental-regexp-engine,--enable-experimental-regexp-engine-on-excessive-backtracks";
const PATTERN_MODULE = new URL("../../src/policy/pattern.ts", import.meta.url).href;

function spanOf(result: SearchResult | undefined): string {
  return result?.kind === "match" ? `${result.start}-${result.end}` : result?.kind ?? "later";
}

for (const { pattern, matches, misses } of rows) {
  Deno.test(`pattern ${JSON.stringify(pattern)} matches what it should`, () => {
    const { regexp } = compilePattern(pattern);
    for (const text of matches) assert.ok(regexp.test(text), `must match ${JSON.stringify(text)}`);
    for (const text of misses) assert.ok(!regexp.test(text), `must miss ${JSON.stringify(text)}`);
  });
}

const PYTHON_ROWS = `
import json, re, sys
for row in json.load(sys.stdin):
    rx = re.compile(row["pattern"])
    for text in row["matches"]:
        print(json.dumps([row["pattern"], text, rx.search(text) is not None, True]))
    for text in row["misses"]:
        print(json.dumps([row["pattern"], text, rx.search(text) is not None, False]))
`;

/** Runs a Python script with JSON on standard input, or undefined where there is no Python 3.11. */
async function python(script: string, input: unknown): Promise<string | undefined> {
  try {
    const child = new Deno.Command("python3", {
      args: ["-c", script],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(JSON.stringify(input)));
    await writer.close();
    const { success, stdout } = await child.output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function pythonIsMissing(): Promise<boolean> {
  return await python("import sys; sys.exit(sys.version_info < (3, 11))", null) === undefined;
}

Deno.test({
  name: "Python's re agrees with every row",
  ignore: await pythonIsMissing(),
  fn: async () => {
    const output = await python(PYTHON_ROWS, rows);
    assert.ok(output !== undefined);
    for (const line of output.trim().split("\n")) {
      const [pattern, text, theirs, ours] = JSON.parse(line);
      assert.equal(theirs, ours, `${pattern} on ${JSON.stringify(text)}`);
    }
  },
});

/** Pieces that fc joins into patterns, and characters of the texts they are tried on. */
const PIECES = [
  ...["a", "B", "k", "é", "ſ", "0", " ", "\\n", "-", ".", "^", "$", "\\A", "\\Z", "\\w", "\\W"],
  ...["\\d", "\\s", "\\S", "[a-c]", "[^a]", "[^\\w]", "[]a]", "[^]k]", "[\\w-]", "[é-ü]", "|"],
  ...["(?:a|.)", "(?i:k)", "(?s:.)", "(?m:^b$)", "(?P<n>b)", "(?=a)", "(?!\\w)", "(?<!a)", "\\x41"],
  ...["*", "+", "?", "{2}", "{,2}", "{1,3}", "*?", "++", "(?>a)", "\\101", "\\0", "(?#c)", "\\."],
];
const TEXT_UNITS = [..."abBAkKsSéÉſK0_ \n-#{}.\r\u001c٣i\ufeffü"];

const anyPattern = fc.tuple(
  fc.constantFrom("", "(?i)", "(?m)", "(?s)", "(?ims)", "(?x)"),
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }),
).map(([flags, pieces]) => flags + pieces.join(""));
const anyText = fc.array(fc.constantFrom(...TEXT_UNITS), { maxLength: 5 }).map((units) =>
  units.join("")
);

const PYTHON_SEARCHES = `
import json, re, sys, warnings
warnings.simplefilter("ignore")
out = []
for pattern, text in json.load(sys.stdin):
    try:
        out.append(re.search(pattern, text) is not None)
    except re.error:
        out.append(None)
print(json.dumps(out))
`;

Deno.test({
  name: "a pattern catches what Python's re finds, and one that excuses finds no more than it",
  ignore: await pythonIsMissing(),
  fn: async () => {
    const pairs = fc.sample(fc.tuple(anyPattern, anyText), 4000);
    const theirs = JSON.parse(await python(PYTHON_SEARCHES, pairs) ?? "[]");
    let compared = 0;
    pairs.forEach(([pattern, text], index) => {
      const found = theirs[index];
      if (typeof found !== "boolean") return;
      try {
        const catches = compilePattern(pattern).regexp.test(text);
        const excuses = compilePattern(pattern, "excuses").regexp.test(text);
        assert.ok(catches || !found, `${JSON.stringify([pattern, text])} gets past us`);
        assert.ok(found || !excuses, `${JSON.stringify([pattern, text])} is excused`);
        compared++;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
      }
    });
    assert.ok(compared > 500, `only ${compared} pairs could be compared`);
  },
});

const REFUSED: readonly (readonly [pattern: string, message: RegExp])[] = [
  ["", /matches everything/],
  ["(a)\\1", /backreference.* at character 4$/],
  ["(?<n>a)\\k<n>", /backreference.* at character 8$/],
  ["(?P<n>a)(?P=n)", /backreference.* at character 9$/],
  ["(a)?(?(1)b|c)", /conditional group .* at character 5$/],
  ["\\N{DASH}", /escape \\N has no meaning here at character 1$/],
  ["\\p{L}", /escape \\p /],
  ["(?L)a", /flag L /],
  ["a(?i)b", /in the middle at character 2$/],
  ["a**", /repeats a quantifier at character 3$/],
  ["*a", /nothing to repeat at character 1$/],
  ["a|{2}", /nothing to repeat at character 3$/],
  ["^*", /repeats a place at character 2$/],
  ["(a", /group is not closed at character 1$/],
  ["a)", /closes nothing at character 2$/],
  ["[a", /class is not closed at character 1$/],
  ["[^]", /class is not closed at character 1$/],
  ["a[^]*\\|[^]*b", /JavaScript .* Python at character 2$/],
  ["[b-a]", /runs backwards at character 2$/],
  ["a{3,2}", /not a range at character 2$/],
  ["a\\", /escapes nothing at character 2$/],
  ["\\x4", /hexadecimal/],
  ["\\U00110000", /hexadecimal/],
  ["\\477", /octal/],
  ["(?!a++)", /possessive .* at character 5$/],
  ["(?P<a b>x)", /no proper name/],
  ["(?#", /comment is not closed/],
  ["(".repeat(400) + ")".repeat(400), /nest deeper than 200/],
  ["a".repeat(64 * 1024 + 1), /65537 characters/],
];

for (const [pattern, message] of REFUSED) {
  Deno.test(`pattern ${JSON.stringify(pattern.slice(0, 30))} is refused with its place`, () => {
    assert.throws(() => compilePattern(pattern), (error) => {
      assert.ok(error instanceof Failure);
      assert.match(error.message, message);
      assert.notEqual(error.remedy, "");
      return true;
    });
  });
}

Deno.test("compiling throws nothing but Failure", () => {
  const unit = fc.constantFrom(...PIECES, ..."()[]{}?*+\\|^$-<>:P=!#,09xuUN😀".split(""));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (pieces) => {
      try {
        compilePattern(pieces.join(""));
      } catch (error) {
        assert.ok(error instanceof Failure, String(error));
      }
    }),
    { numRuns: 3000 },
  );
});

Deno.test("ignoring case means what JavaScript's i flag means on ASCII texts", () => {
  const piece = fc.constantFrom(
    ...[
      "a",
      "K",
      "s",
      "[a-f]",
      "[^b]",
      "[X-c]",
      "\\x6B",
      "\\w",
      ".",
      "b*",
      "(?:c|D)",
      "_",
      "@",
      "`",
    ],
  );
  const ascii = fc.string({
    unit: fc.integer({ min: 0, max: 127 }).map((c) => String.fromCharCode(c)),
  });
  const near = fc.array(fc.constantFrom(..."aAbBcCdDkKsSxX@`_[{"), { maxLength: 6 })
    .map((units) => units.join(""));
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")),
      fc.oneof(ascii, near).filter((text) => !text.includes("\r")),
      (source, text) => {
        const expected = new RegExp(source, "i").exec(text);
        const found = compilePattern(`(?i)${source}`).regexp.exec(text);
        assert.deepEqual([found?.index, found?.[0]], [expected?.index, expected?.[0]]);
      },
    ),
    { numRuns: 3000 },
  );
});

Deno.test("the short way for plain patterns finds what the full reading finds", () => {
  const piece = fc.constantFrom(
    ...[
      "a",
      "b",
      " ",
      "\\.",
      ".",
      "\\s",
      "\\b",
      "(",
      "(?:",
      ")",
      "|",
      "*",
      "+",
      "?",
      "^",
      "$",
      "\\$",
    ],
    ...["(?: |$)", "[ab]", "[^a]", "[a-b -]", "-", "\\("],
  );
  const text = fc.array(fc.constantFrom(..."ab \n.$(-\r"), { maxLength: 5 }).map((u) => u.join(""));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (pieces, text) => {
      const source = pieces.join("");
      const plain = plainRegex(source);
      if (plain === undefined || !isRegex(plain.source)) return;
      const full = new RegExp(printRegex(readRegex(source, false), false).source).exec(text);
      const short = new RegExp(plain.source).exec(text);
      assert.deepEqual([short?.index, short?.[0]], [full?.index, full?.[0]]);
    }),
    { numRuns: 3000 },
  );
});

function isRegex(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

const LINEAR: readonly (readonly [pattern: string, linear: boolean])[] = [
  ["git\\s+push", true],
  ["(?i)(a+)+$", true],
  ["(?i:drop)\\s(?-i:x)(?m:^a$)(?s:.)", true],
  ["\\b[0-9a-f]{40}\\b", true],
  ["(?:x{3,20}y){1,9}", true],
  ["[a-z]{0,300}", true],
  ["(?:a{4}){4}(?:b{5}){5}", true],
  ["(?<=a)b", true],
  ["(?=a)b", false],
  ["(a{1,50}){1,50}$", false],
];

for (const [pattern, linear] of LINEAR) {
  Deno.test(`pattern ${pattern} ${linear ? "runs" : "does not run"} in linear time`, () => {
    assert.equal(compilePattern(pattern).linear, linear);
    assert.equal(searchNow(compilePattern(pattern), "x") === undefined, !linear);
  });
}

Deno.test("a search gives the first match's place", () => {
  assert.equal(spanOf(searchNow(compilePattern("b+"), "abbab")), "1-3");
  assert.equal(spanOf(searchNow(compilePattern("b+"), "ac")), "none");
});

Deno.test("a whole match takes nothing less and nothing more", () => {
  const pattern = compilePattern("mcp__(a|ab)$");
  assert.equal(spanOf(matchesWholeNow(pattern, "mcp__ab")), "0-7");
  for (const text of ["mcp__abc", "xmcp__a", "mcp__a\n"]) {
    assert.equal(spanOf(matchesWholeNow(pattern, text)), "none", text);
  }
});

Deno.test("a long text is left to a worker, which finds the same", async () => {
  const pattern = compilePattern("need(le)?");
  const text = `${"x".repeat(1 << 20)}needle`;
  assert.equal(searchNow(pattern, text), undefined);
  assert.equal(spanOf(await search(pattern, text)), `${1 << 20}-${(1 << 20) + 6}`);
  assert.equal(spanOf(await search(compilePattern("need(?=l)"), "a needle")), "2-6");
  const many = ["a", "(?=b)b", "(?!x)z"].map((source) => compilePattern(source));
  assert.deepEqual((await searchAll(many, "ab")).map(spanOf), ["0-1", "1-2", "none"]);
  stopSearching();
});

Deno.test("no pattern keeps a short text waiting", () => {
  const text = "x".repeat(4096);
  for (const source of ["x*y", "x*x*y", "(x*x*)*y", "\\w+\\d", "x*?x*?x*?y", "(?:x|xx)*y"]) {
    const start = performance.now();
    assert.equal(spanOf(searchNow(compilePattern(source), text)), "none");
    const ms = performance.now() - start;
    assert.ok(ms < 1000, `${source} took ${ms} ms`);
  }
});

/** Runs one search as a process of its own, with no permissions, and exits as the hook does. */
async function searchAsProcess(
  pattern: string,
  prefix: string,
): Promise<{ kind: string; ms: number }> {
  const directory = Deno.makeTempDirSync();
  try {
    const script = `
import { compilePattern, search } from ${JSON.stringify(PATTERN_MODULE)};
const start = performance.now();
const result = await search(compilePattern(${JSON.stringify(pattern)}), ${
      JSON.stringify(prefix)
    } + "a".repeat(100_000) + "!!");
console.log(JSON.stringify({ kind: result.kind, ms: performance.now() - start }));
Deno.exit(0);`;
    const file = `${directory}/search.ts`;
    Deno.writeTextFileSync(file, script);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-remote", "--no-npm", "--no-config", "--no-prompt", V8_FLAGS, file],
    }).output();
    const output = new TextDecoder().decode(stdout);
    assert.notEqual(output, "", new TextDecoder().decode(stderr));
    return JSON.parse(output);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

const CATASTROPHIC = [
  ...["(a+)+$", "(?i)(a+)+$", "(?:(?=a)a+)+$", "(a{1,50}){1,50}$", "(.*a){20}$", "^x(a+)+(?!!)$"],
  "\\w+\\d",
];

for (const pattern of CATASTROPHIC) {
  Deno.test(`pattern ${pattern} answers on 100 kB of near misses`, async () => {
    // The best of three, because other work on the machine counts against the first.
    let best = Infinity;
    for (let attempt = 0; attempt < 3 && best >= 400; attempt++) {
      const { kind, ms } = await searchAsProcess(pattern, pattern.startsWith("^x") ? "x" : "");
      assert.ok(["none", "timeout"].includes(kind), kind);
      best = Math.min(best, ms);
    }
    assert.ok(best < 400, `took ${Math.round(best)} ms`);
  });
}

Deno.test("patterns are still matched, in workers, where the launch flags are missing", async () => {
  const script = `
import { compilePattern, search, searchNow } from ${JSON.stringify(PATTERN_MODULE)};
const pattern = compilePattern("(a+)+$");
const results = [pattern.linear, searchNow(pattern, "aa") ?? "later"];
for (const text of ["aa", "a".repeat(40) + "!"]) results.push((await search(pattern, text)).kind);
console.log(JSON.stringify(results));
Deno.exit(0);`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-config", script],
  }).output();
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), [
    false,
    "later",
    "match",
    "timeout",
  ]);
});
