/**
 * The reader answers whatever it is given, and in time.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { readPowerShell } from "../../src/shell/powershell.ts";
import { argvs, CONTEXT, doubts, read } from "./reading.ts";

const KIB = 1024;

const STRESS: readonly (readonly [string, string, boolean])[] = [
  ["a long word", "echo " + "a".repeat(KIB * KIB), true],
  ["a long list", "ls x; ".repeat(KIB * KIB / 6), true],
  ["a list just short enough", "ls x; ".repeat(20_000), true],
  ["10,000 open substitutions", "$(".repeat(10_000), true],
  ["10,000 nested substitutions", `${"echo $(".repeat(10_000)}rm${")".repeat(10_000)}`, true],
  ["10,000 nested groups", `${"( ".repeat(10_000)}rm a${" )".repeat(10_000)}`, true],
  ["500 open quoted substitutions", `echo ${'"$('.repeat(500)}`, true],
  ["a long here-document", `cat <<'E'\n${"it's $(x) `y`\n".repeat(8_000)}E\n`, false],
  ["many here-documents", `cat ${"<<A ".repeat(5_000)}\n`, true],
  ["loops thirty deep", `${"for a in 1 2 3; do ".repeat(30)} rm $a; ${"done; ".repeat(30)}`, true],
  ["many values", `${"x=$x$x; ".repeat(40)}rm $x`, false],
  ["doubling values", `x=aaaaaaaaaaaaaaaa; ${"x=$x$x; ".repeat(40)}rm $x`, false],
  ["braces", `rm ${"{a,b,c}".repeat(40)}`, false],
  [
    "calls that call",
    `${Array.from({ length: 30 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; }`).join("; ")}; f0`,
    true,
  ],
  ["deep eval", `eval ${"eval ".repeat(2_000)}rm a`, true],
  ["branches", `${"if a; then x=$x1; else x=$x2; fi; ".repeat(300)}rm $x`, false],
  ["slashes and stars", `sed 's/${"(a*)*".repeat(2_000)}/x/' f`, false],
  ["code", `python3 -c '${"os.path.join(a[".repeat(90)}${'f("a").b; '.repeat(9_000)}'`, false],
  ["quotes", `echo ${"'a'\"b\"".repeat(10_000)}`, false],
]; // deno-fmt-ignore

for (const [name, source, doubted] of STRESS) {
  Deno.test(`answers within 500 ms: ${name}`, () => {
    const start = performance.now();
    const reading = read(source);
    const ms = performance.now() - start;
    assert.ok(ms < 500, `${ms} ms`);
    assert.equal(reading.doubts.length > 0, doubted, JSON.stringify(reading.doubts.slice(0, 3)));
  });
}

Deno.test("a long text is a bound, and its words are there to be judged", () => {
  const reading = read(`rm -rf / ${"a ".repeat(100_000)}`);
  assert.deepEqual(doubts(reading), ["bound"]);
  assert.equal(reading.bareWords?.[0], "rm");
});

Deno.test("sixteen levels are followed, more are a bound", () => {
  const nested = (depth: number) => `${"echo $(".repeat(depth)}rm x${")".repeat(depth)}`;
  assert.ok(argvs(read(nested(12))).includes("rm x"));
  assert.ok(doubts(read(nested(20))).includes("bound"));
});

/** Nested or repeated until the reader gives up: each must be asked about, and none may take long. */
const BOUND: readonly (readonly [string, string])[] = [
  ["env in env", `${"env ".repeat(6_000)}rm -rf ~`],
  ["timeout in timeout", `${"timeout 1 ".repeat(3_000)}rm -rf ~`],
  ["command in command", `${"command ".repeat(15_000)}rm -rf ~`],
  ["ssh in ssh", `${"ssh h ".repeat(20_000)}rm -rf ~`],
  ["defaults in defaults", `: ${"${x:-".repeat(400)}${"}".repeat(400)}; rm -rf ~`],
  ["more words than are judged", `${"a ".repeat(6_000)} 'x`],
  ["many directories", "cd a;".repeat(1_500)],
  ["many directories of git", `git${" -C a".repeat(3_000)} status`],
  ["a long path", `cd ${"a/".repeat(5_000)}`],
  ["a long sed script", `sed '${"s/a/b/;".repeat(2_000)}'`],
  ["a long awk program", `awk '${"print ".repeat(20_000)}'`],
  ["a long line for cmd", `cmd /c '${"a & ".repeat(30_000)}'`],
  ["calls in calls of perl", `perl -e '${"system a,".repeat(14_000)}'`],
  ["a list printed again and again", `x=(${"a ".repeat(30_000)});${"echo ${x[@]};".repeat(1_000)}`],
  ["prefixes removed again and again", `x=${"a".repeat(990)};${"echo ${x%a*b};".repeat(2_000)}`],
]; // deno-fmt-ignore

for (const [name, source] of BOUND) {
  Deno.test(`asks about ${name} within 500 ms`, () => {
    const start = performance.now();
    const reading = read(source);
    const ms = performance.now() - start;
    assert.ok(ms < 500, `${ms} ms`);
    assert.ok(doubts(reading).includes("bound"), JSON.stringify(doubts(reading)));
  });
}

Deno.test("many here-documents one after the other take no longer than they are long", () => {
  const start = performance.now();
  read("cat <<E\na\nE\n".repeat(8_000));
  assert.ok(performance.now() - start < 500);
});

const TOKENS = [
  "rm",
  "sudo",
  "bash",
  "-c",
  "eval",
  "xargs",
  "find",
  "-exec",
  "git",
  "python3",
  "sed",
  "awk",
  "ssh",
  "docker",
  "env",
  "'",
  '"',
  "`",
  "$(",
  ")",
  "${",
  "}",
  "<<E",
  "\nE\n",
  "|",
  "&&",
  ";",
  "&",
  "{",
  "(",
  "$x",
  "x=",
  "~",
  "*",
  "\\",
  "\n",
  " ",
  "--",
  ">",
  "<",
  "<(",
  "[[",
  "]]",
  "if",
  "then",
  "fi",
  "for",
  "in",
  "do",
  "done",
  "case",
  "esac",
  "f()",
  "{a,b}",
  "\u200b",
  "\ud800",
  "\0",
  "\r",
  "$'",
  "@",
  "=",
]; // deno-fmt-ignore

Deno.test("no text makes it throw", () => {
  const soup = fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map((t) => t.join(""));
  const spaced = fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map((t) => t.join(" "));
  const any = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), soup, spaced);
  fc.assert(
    fc.property(any, (source) => {
      const reading = read(source);
      for (const found of reading.invocations) {
        assert.ok(found.span.start <= found.span.end && found.span.end <= source.length + 1);
      }
      readPowerShell(source, CONTEXT);
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("the same text is read the same way twice", () => {
  const source = "X=$(mktemp -d); for f in a b; do (cd $X && rm $f | tee log); done";
  assert.deepEqual(read(source), read(source));
});
