/** Globs: which spellings they match, which operands may reach them, and what is refused. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Failure } from "../../src/domain/failure.ts";
import { compileGlob, globMatches, globMayReach } from "../../src/policy/glob.ts";
import { mayMatch } from "../../src/policy/glob_quick.ts";

const MATCHES: readonly (readonly [glob: string, matches: string[], misses: string[]])[] = [
  [".env", [".env", "a/b/.env", "/r/.ENV", "~/.env"], ["a/.env/x", ".envrc", "x.env"]],
  ["*.pem", ["k.pem", "a/.pem", "/x/K.PEM"], ["k.pem/x", "pem"]],
  ["*", ["a", "/a/.b"], []],
  ["**", ["a", "/a/b"], []],
  ["src/*.ts", ["src/a.ts", "src/.ts"], ["src/a/b.ts", "x/src/a.ts", "/r/src/a.ts"]],
  ["./src/*.ts", ["src/a.ts"], ["a.ts"]],
  ["src/**", ["src", "src/a", "src/a/b", "SRC/.a"], ["srcs", "x/src"]],
  ["src/**/x", ["src/x", "src/a/x", "src/a/b/x"], ["src/xx", "srcx"]],
  ["**/gen/*", ["gen/a", "a/gen/b", "/r/gen/b"], ["gen", "gen/a/b"]],
  ["src/**.ts", ["src/a.ts", "src/a/b/c.ts"], ["src/a/b.js", "a.ts"]],
  [".git/", [".git", ".git/config", "a/.GIT/hooks/x"], [".gitignore", "a/b"]],
  ["a/b/", ["a/b", "a/b/c/d"], ["x/a/b", "a/bc"]],
  ["~/.ssh/**", ["~/.ssh", "~/.ssh/id_ed25519"], ["~/.sshd", ".ssh/id", "/home/u/.ssh/id"]],
  ["~/", ["~", "~/x/y"], ["/x"]],
  ["~", ["~"], ["~/x", "a/~"]],
  ["/etc/**", ["/etc", "/etc/passwd"], ["etc/passwd", "/r/etc/x"]],
  ["/", ["/", "/etc/passwd"], ["etc"]],
  ["{package,deno}.lock", ["deno.lock", "a/package.lock"], ["lock", "{package,deno}.lock"]],
  ["{a,b/{c,d}}/x", ["a/x", "b/c/x", "b/d/x"], ["b/x", "c/x"]],
  ["a{/**,.txt}", ["a", "a/b", "a.txt"], ["ab"]],
  ["{**,x}/y", ["y", "a/b/y"], ["yy"]],
  ["{a}", ["{a}"], ["a"]],
  ["id_?", ["id_a", ".x/id_b"], ["id_", "id_ab", "id_/"]],
  ["[a-c]x", ["ax", "BX"], ["dx", "[a-c]x"]],
  ["[!a]x", ["bx"], ["ax", "AX", "a/x/"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[\\]-]", ["]", "-"], ["\\", "a"]],
  ["\\*\\{", ["*{"], ["a{"]],
  ["a**b", ["ab", "axb", "ax/y/zb"], ["a/", "b"]],
  [".git", [".g\u200cit", ".GIT"], [".g-it"]],
  [".ssh", [".ſsh"], [".fsh"]],
  ["é", ["e\u0301", "É"], ["e"]],
  ["x", ["x", "x/", "a/x//"], ["y/"]],
];

for (const [source, matches, misses] of MATCHES) {
  Deno.test(`glob ${source} matches what it should`, () => {
    const glob = compileGlob(source);
    for (const path of matches) assert.ok(globMatches(glob, [path]), `must match ${path}`);
    for (const path of misses) assert.ok(!globMatches(glob, [path]), `must miss ${path}`);
  });
}

Deno.test("one matching spelling of a path is enough", () => {
  const glob = compileGlob("~/.ssh/**");
  assert.ok(globMatches(glob, ["/home/u/.ssh/id", "../.ssh/id", "~/.ssh/id"]));
  assert.ok(!globMatches(glob, []));
});

const REACHES: readonly (readonly [glob: string, reaching: string[], others: string[]])[] = [
  [".env", [".e*", "*", "./.e*", "a/.e?v", "**", "{.env,x}", ".[e]nv", ".en@(v|w)", ".E*"], [
    ...["src/*.ts", ".f*", ".e[", "*.env.*", "\\*", ".en@(v|w)x"],
  ]],
  ["~/.ssh/**", ["~/.ss?/id_*", "~/.s*", "~/*/id", "~/.[a-z]*"], ["~/.config/*", "/etc/*", "~/s*"]],
  ["*.pem", ["certs/*.p*", "*", "**/k.*"], ["certs/*.txt", "*.pe"]],
  [".git/config", [".gi[t]/conf*", ".git/*", "*/config"], ["*", ".git/x*", ".git/*/a"]],
  ["src/**/x", ["s*/a*/x", "src/*", "**/x"], ["lib/*", "src/*y"]],
  ["a*b", ["*c*", "a*", "*b"], ["*c", "b*"]],
];

for (const [source, reaching, others] of REACHES) {
  Deno.test(`operands with wildcards reach ${source} only where a file could match both`, () => {
    const glob = compileGlob(source);
    for (const operand of reaching) assert.ok(globMayReach(glob, operand), `must be ${operand}`);
    for (const operand of others) assert.ok(!globMayReach(glob, operand), `must not be ${operand}`);
  });
}

Deno.test("a leading wildcard takes a dot only where hidden files may be meant", () => {
  const glob = compileGlob("a/.env");
  assert.ok(globMayReach(glob, "a/*"));
  assert.ok(!globMayReach(glob, "a/*", false));
  assert.ok(globMayReach(glob, "a/.*", false));
});

Deno.test("an operand too large to read may reach everything", () => {
  const glob = compileGlob("x");
  assert.ok(globMayReach(glob, "y".repeat(5000)));
  assert.ok(globMayReach(glob, "{a,b}".repeat(12)));
});

const REFUSED: readonly (readonly [glob: string, message: RegExp])[] = [
  ["", /empty/],
  ["a{b", /\{ is not closed at character 2$/],
  ["a[b", /\[ is not closed at character 2$/],
  ["a\\", /escapes nothing at character 2$/],
  ["x".repeat(4097), /4097 characters$/],
  ["{a,b}".repeat(9), /too many globs/],
];

for (const [source, message] of REFUSED) {
  Deno.test(`glob ${JSON.stringify(source.slice(0, 20))} is refused with its place`, () => {
    assert.throws(() => compileGlob(source), (error) => {
      assert.ok(error instanceof Failure);
      assert.match(error.message, message);
      return true;
    });
  });
}

const glob = fc.array(
  fc.constantFrom(...["a", "b", ".", "/", "*", "**", "?", "[ab]", "{a,b}", "[!a]"]),
  {
    minLength: 1,
    maxLength: 7,
  },
).map((pieces) => pieces.join(""));
const path = fc.array(fc.constantFrom("a", "b", ".a", "ab", "B.a"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("/"));

Deno.test("a glob that matches a path may be reached by every operand that matches it", () => {
  let both = 0;
  fc.assert(
    fc.property(glob, glob, path, (one, other, path) => {
      // A bare name matches at any depth as a rule, and only as a whole path as an operand.
      const operand = other.includes("/") ? other : `**/${other}`;
      if (!globMatches(compileGlob(one), [path])) return;
      if (!globMatches(compileGlob(`/${operand}`), [`/${path}`])) return;
      both++;
      assert.ok(globMayReach(compileGlob(one), operand.replace(/\/+$/, "/**")));
    }),
    { numRuns: 3000 },
  );
  assert.ok(both > 50, `only ${both} pairs matched`);
});

Deno.test("compiling throws nothing but Failure, and matching never takes long", () => {
  const unit = fc.constantFrom(..."ab/*?[]{},!\\~.é-^".split(""));
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 14 }),
      fc.array(unit, { maxLength: 14 }),
      (one, other) => {
        try {
          const compiled = compileGlob(one.join(""));
          globMatches(compiled, [other.join("")]);
          globMayReach(compiled, other.join(""));
        } catch (error) {
          assert.ok(error instanceof Failure, String(error));
        }
      },
    ),
    { numRuns: 3000 },
  );
  const start = performance.now();
  assert.ok(!globMatches(compileGlob("*a".repeat(2000) + "b*"), ["a".repeat(4096)]));
  assert.ok(!globMatches(compileGlob("**/a/".repeat(800) + "b"), ["a/".repeat(2048) + "c"]));
  assert.ok(!globMayReach(compileGlob("*a".repeat(600) + "*c"), "*a*b".repeat(800)));
  const ms = performance.now() - start;
  assert.ok(ms < 1000, `took ${ms} ms`);
});

Deno.test("the quick look rules out nothing that matches", () => {
  for (const [glob, matches] of MATCHES) {
    for (const path of matches) assert.ok(mayMatch(glob, [path]), `${glob} ${path}`);
  }
  const piece = fc.constantFrom(
    "a",
    "A",
    ".env",
    "**",
    "*",
    "?",
    "[ab]",
    "{a,b}",
    "~",
    "",
    ".",
    "é",
    "b",
  );
  const name = fc.constantFrom("a", "A", ".env", ".ENV", "b", "~", "", "é", "É", "ab");
  const joined = (part: fc.Arbitrary<string>) =>
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  let ruledOut = 0;
  fc.assert(
    fc.property(joined(piece), joined(name), (source, path) => {
      let glob;
      try {
        glob = compileGlob(source);
      } catch (error) {
        assert.ok(error instanceof Failure);
        return;
      }
      if (mayMatch(source, [path])) return;
      ruledOut++;
      // Matched without the quick look, which `globMatches` begins with.
      assert.ok(
        !globMatches({ source: "**", alternatives: glob.alternatives }, [path]),
        `${source} ${path}`,
      );
    }),
    { numRuns: 20_000 },
  );
  assert.ok(ruledOut > 1000, String(ruledOut));
});
