/** The small parser of plain texts gives the package's own tree, or leaves the text to it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { forEachChild, loadParser, ParserMissing, parseShell } from "../../src/shell/parse.ts";
import type { SyntaxNode } from "../../src/shell/parse.ts";
import { parsePlain } from "../../src/shell/plain.ts";
import { readCommand, readShell } from "../../src/shell/read.ts";
import { forEachChild as visitPackage, parse } from "../../src/shell/unbash.ts";
import { CONTEXT } from "./reading.ts";

/** A tree as data: the package keeps some members behind getters. */
function data(node: unknown): unknown {
  return JSON.parse(JSON.stringify(node, (key, value) =>
    // Derived lists that the package does not print.
    key === "args" || key === "redirects" ? undefined : value));
}

function same(source: string): boolean {
  const plain = parsePlain(source);
  if (plain === undefined) return false;
  const whole = parse(source);
  assert.equal(whole.errors, undefined, `the package finds errors in ${JSON.stringify(source)}`);
  assert.deepEqual(data(plain), data(whole), JSON.stringify(source));
  return true;
}

const PLAIN = [
  "ls",
  "  ls -la  ",
  "npm test -- --grep 'login works' | tail -20",
  "git push origin main && echo done || exit 1",
  "cd /srv/app; git fetch origin\ngit status",
  "make 2>&1 >build.log",
  'grep -rn "a b" src/ 2>/dev/null | head -5',
  ">out echo a",
  "sort <in >>out",
  "echo ''",
  'echo "" --x="a"\'b\'c',
  "a &&\n\n b |\nc",
  "a;\n\nb;",
  "env FOO=1 make",
  "test -x /usr/bin/git",
  "x 10>y",
  "",
  " \n ",
];

const NOT_PLAIN = [
  "echo $HOME",
  "echo `id`",
  "ls *.ts",
  "echo a#b # c",
  "echo \\a",
  "a & b",
  "a |& b",
  "a ;; b",
  "FOO=1 make",
  "export A=1",
  "if true",
  "for x",
  "time ls",
  "! ls",
  "{ ls",
  "a <<E\nx\nE",
  "a <<< b",
  "a >&file",
  "a >|b",
  "a <>b",
  "a <&1",
  "a &>b",
  "'ls' -l",
  '"ls"',
  "echo 'a\nb'",
  'echo "a!b"',
  "a | ",
  "&& a",
  "a &&",
  "a ; ; b",
  "~/bin/x",
  "echo {a,b}",
  "echo é",
  ">out",
];

Deno.test("plain texts are parsed without the package, and alike", () => {
  for (const source of PLAIN) assert.ok(same(source), source);
});

Deno.test("texts that are not plain are left to the package", () => {
  for (const source of NOT_PLAIN) assert.equal(parsePlain(source), undefined, source);
});

const TOKENS = [
  ..." \n;|&<>'\"=-/.:,@%+_\t",
  "a",
  "git",
  "push",
  "-f",
  "&&",
  "||",
  ">>",
  "2>",
  "2>&1",
  ">&",
  "'x y'",
  '"p q"',
  "A=1",
  "if",
  "then",
  "done",
  "time",
  "in",
  "export",
  "12",
  "é",
  "$",
  "#",
  "\\",
  "(",
  ")",
  "{",
  "}",
  "!",
  "*",
  "~",
  "[",
];

Deno.test("whatever is parsed as plain is parsed so by the package", () => {
  const random = fc.array(fc.constantFrom(...TOKENS), { maxLength: 14 }).map((all) => all.join(""));
  const spaced = fc.array(fc.constantFrom(...TOKENS), { maxLength: 14 }).map((all) =>
    all.join(" ")
  );
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof(random, spaced), (source) => {
      if (same(source)) plain++;
    }),
    { numRuns: 20_000 },
  );
  assert.ok(plain > 500, `only ${plain} of 20000 were plain`);
});

Deno.test("both ways of visiting a plain tree meet the same nodes", () => {
  const collect = (
    node: SyntaxNode,
    visit: (node: SyntaxNode, see: (child: SyntaxNode) => void) => void,
  ): string[] => {
    const seen: string[] = [];
    const see = (child: SyntaxNode): void => {
      seen.push(`${child.type} ${child.pos} ${child.end}`);
      visit(child, see);
    };
    visit(node, see);
    return seen;
  };
  for (const source of PLAIN) {
    const tree = parsePlain(source);
    assert.ok(tree);
    assert.deepEqual(collect(tree, forEachChild), collect(tree, visitPackage), source);
  }
});

Deno.test("plain texts are read without the package, and alike where it is loaded", async () => {
  // A process that never loads the package reads plain texts only.
  const alone = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-read", new URL("plain_child.ts", import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = alone.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(PLAIN)));
  await writer.close();
  const output = JSON.parse(new TextDecoder().decode((await alone.output()).stdout));
  await loadParser();
  for (const [index, source] of PLAIN.entries()) {
    const whole = JSON.parse(JSON.stringify(readShell(source, CONTEXT)));
    assert.deepEqual(output.readings[index], whole, source);
  }
  assert.equal(output.refused, "ParserMissing");
  assert.ok(parseShell("echo $HOME").commands.length === 1);
  assert.ok(new ParserMissing() instanceof Error);
  assert.equal((await readCommand("echo $HOME", CONTEXT)).invocations.length, 1);
});
