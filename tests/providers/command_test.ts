/** Splitting a command as a shell would, and finding its program. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Failure } from "../../src/domain/failure.ts";
import { readCommand, splitCommand } from "../../src/providers/command.ts";
import { denoSystem } from "../../src/system/deno.ts";
import type { System } from "../../src/system/system.ts";

const SPLITS: readonly (readonly [string, readonly string[]])[] = [
  ["", []],
  ["  \t\n ", []],
  ["a b  c", ["a", "b", "c"]],
  ["python3 /opt/p.py --facts /var/f.db", ["python3", "/opt/p.py", "--facts", "/var/f.db"]],
  [`a 'b c' "d e"`, ["a", "b c", "d e"]],
  [`a '' "" b`, ["a", "", "", "b"]],
  [`a''b c""d`, ["ab", "cd"]],
  [`'a'"b"c`, ["abc"]],
  ["a\\ b", ["a b"]],
  ["a\\\\b", ["a\\b"]],
  ["a\\\nb", ["ab"]],
  ["a \\\n b", ["a", "b"]],
  [`'a\\b'`, ["a\\b"]],
  [`"a\\b \\" \\\\ \\$ \\\` \\n"`, [`a\\b " \\ $ \` \\n`]],
  [`"a\\\nb"`, ["ab"]],
  [`"it's"`, ["it's"]],
  [`'say "hi"'`, [`say "hi"`]],
  ["a #b c", ["a"]],
  ["a#b c", ["a#b", "c"]],
  ["a '#b'", ["a", "#b"]],
  ["a # b\nc", ["a", "c"]],
  ["$HOME ~ *.x a|b >c", ["$HOME", "~", "*.x", "a|b", ">c"]],
  ["ünï 'cödé 🦊'", ["ünï", "cödé 🦊"]],
];

Deno.test("a command is split as a POSIX shell would split it", async (t) => {
  for (const [text, words] of SPLITS) {
    await t.step(JSON.stringify(text), () => assert.deepEqual(splitCommand(text), words));
  }
});

Deno.test("an open quote or a lone backslash at the end is an error", async (t) => {
  for (const text of ["a 'b", 'a "b', "a\\", 'a "b\\', "'", `"a'`]) {
    await t.step(JSON.stringify(text), () => assert.throws(() => splitCommand(text), Failure));
  }
});

Deno.test("what a real shell makes of words without expansions is what we make of them", () => {
  const piece = fc.constantFrom(
    ..."abz/-=.,:@%+# \t\n'\"\\".split(""),
    '"x y"',
    "'x y'",
    "\\\\",
    '\\"',
    "''",
    '"\\a"',
  );
  const words = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(words, (text) => {
      let ours: string[];
      try {
        ours = splitCommand(text);
      } catch {
        return;
      }
      // A newline ends a command for the shell; for a policy it is white space like any other.
      if (/\n/.test(text) || ours.length === 0) return;
      const script = `for w in ${text}\ndo printf '%s\\0' "$w"; done`;
      const { stdout, code } = new Deno.Command("/bin/sh", { args: ["-fc", script] }).outputSync();
      assert.equal(code, 0);
      assert.deepEqual(new TextDecoder().decode(stdout).split("\0").slice(0, -1), ours);
    }),
    { numRuns: 300, seed: 7 },
  );
});

Deno.test("the program of a command is found in PATH, in the repository, or where it is named", async (t) => {
  const dir = Deno.makeTempDirSync();
  const [bin, other, repo] = [`${dir}/bin`, `${dir}/other`, `${dir}/repo`];
  for (const folder of [bin, other, repo, `${bin}/folder`]) Deno.mkdirSync(folder);
  Deno.writeTextFileSync(`${bin}/plain`, "", { mode: 0o644 });
  Deno.writeTextFileSync(`${other}/plain`, "", { mode: 0o755 });
  Deno.writeTextFileSync(`${other}/folder`, "", { mode: 0o755 });
  Deno.writeTextFileSync(`${repo}/here`, "", { mode: 0o755 });
  Deno.symlinkSync(`${other}/plain`, `${bin}/linked`);
  // A relative directory that would lead to the repository, from wherever the test runs.
  const climbing = `${"../".repeat(40)}${repo.slice(1)}`;
  const system: System = {
    ...denoSystem(),
    env: (name) => name === "PATH" ? `.::${climbing}:${bin}:${dir}/none:${other}` : undefined,
  };
  const rows: readonly (readonly [string, string | undefined, string | RegExp])[] = [
    ["plain -x", repo, `${other}/plain`],
    ["folder", repo, `${other}/folder`],
    ["linked", repo, `${bin}/linked`],
    ["./tools/p a", repo, `${repo}/tools/p`],
    ["tools/../p", repo, `${repo}/p`],
    ["/abs/p", undefined, "/abs/p"],
    ["here", repo, /no program "here" on PATH/],
    ["./p", undefined, /relative path/],
    ["  ", repo, /names no program/],
    ["'' x", repo, /names no program/],
    ["'p", repo, /never closed/],
  ];
  for (const [text, base, expected] of rows) {
    await t.step(JSON.stringify(text), () => {
      if (typeof expected === "string") {
        assert.equal(readCommand(text, base, system).program, expected);
      } else assert.throws(() => readCommand(text, base, system), expected);
    });
  }
  await t.step("arguments are kept", () => {
    assert.deepEqual(readCommand("./p a 'b c' ''", repo, system).args, ["a", "b c", ""]);
  });
  Deno.removeSync(dir, { recursive: true });
});
