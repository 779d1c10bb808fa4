/** How program rules fit the words of one invocation. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { argumentsOf, givesFlag } from "../../src/gate/arguments.ts";
import { fits } from "../../src/gate/program_rule.ts";
import type { ProgramRule } from "../../src/policy/policy.ts";
import { LazyProgramRule } from "../../src/policy/rules.ts";
import type { Input, Invocation, Word } from "../../src/shell/reading.ts";

const SPAN = { start: 0, end: 0 };

/** A word; one that holds `$` is known only at run time. */
function wordOf(text: string): Word {
  return { text, value: text.includes("$") ? undefined : text, glob: false, span: SPAN };
}

interface Around {
  readonly assignments?: Invocation["assignments"];
  readonly input?: Input;
}

function invocationOf(words: readonly string[], around: Around = {}): Invocation {
  const [name = "", ...args] = words;
  return {
    name,
    program: wordOf(name),
    args: args.map(wordOf),
    assignments: around.assignments ?? [],
    redirections: [],
    input: around.input ?? { kind: "none" },
    place: { kind: "here", cwd: "/r" },
    via: [],
    span: SPAN,
    source: words.join(" "),
  };
}

type RuleParts = Partial<ConstructorParameters<typeof LazyProgramRule>[0]>;

/** A rule as the policy loader makes it. */
function ruleOf(parts: RuleParts): ProgramRule {
  const origin = { file: "policy.json", rule: "bash_deny[0]" };
  return new LazyProgramRule({ program: "git", reason: "it is a test", ...parts }, origin);
}

function fitOf(parts: RuleParts, words: readonly string[], around: Around = {}) {
  const invocation = invocationOf(words, around);
  return fits(ruleOf(parts), invocation, argumentsOf(invocation), (word) => [word.text]);
}

const PUSH: RuleParts = { verbs: ["push"], flags: ["-f", "--force"] };
const COMMIT: RuleParts = { verbs: ["commit"], flags: ["-n", "--no-verify"] };
const CLEAN: RuleParts = { verbs: ["clean"], unless: { flags: ["-n", "--dry-run"] } };
const RM: RuleParts = {
  program: "rm",
  flags: ["-r", "--recursive"],
  args: ".",
  unless: { args: "^dist$" },
};
const SQL: RuleParts = { program: "psql", verbs: ["[Dd](?:rop|ROP) [Tt](?:able|ABLE)"] };

const ROWS: readonly (readonly ["yes" | "maybe" | "no", RuleParts, string])[] = [
  // The program.
  ["yes", { program: "rm" }, "rm"],
  ["yes", { program: "rm" }, "RM"],
  ["yes", { program: "Remove-Item" }, "remove-item"],
  ["yes", { program: "rimraf" }, "rimraf@5.0.1"],
  ["yes", { program: "tool.exe" }, "tool"],
  ["no", { program: "rm" }, "rmdir"],
  ["no", { program: "@scope" }, "@other"],
  // The verb's place.
  ["yes", { verbs: ["push"] }, "git push"],
  ["yes", { verbs: ["push"] }, "git -C /x push"],
  ["yes", { verbs: ["push"] }, "git -c a=b --no-pager --git-dir=x push"],
  ["yes", { verbs: ["push"] }, "git --unheard-of push"],
  ["yes", { verbs: ["push"] }, "git --unheard-of value push"],
  ["yes", { program: "tool", verbs: ["go"] }, "tool -x value go"],
  ["yes", { program: "tool", verbs: ["go"] }, "tool +stable go"],
  ["yes", { program: "docker", verbs: ["compose down"] }, "docker compose -f x.yml down"],
  ["yes", { verbs: ["-c core\\.hooksPath=.*"] }, "git -C x -c core.hooksPath=y status"],
  ["no", { verbs: ["push"] }, "git commit push"],
  ["no", { verbs: ["push"] }, "git pushy"],
  ["no", { verbs: ["push"] }, "git log --grep push"],
  ["no", { verbs: ["push"] }, "git -C push status"],
  ["no", { verbs: ["-c core\\.hooksPath=.*"] }, "git commit -m -c core.hooksPath=y"],
  ["maybe", { verbs: ["push"] }, "git $VERB"],
  // Flags.
  ["yes", PUSH, "git push -f"],
  ["yes", PUSH, "git push origin main --force"],
  ["yes", PUSH, "git push -uf origin main"],
  ["yes", PUSH, "git push --forc"],
  ["yes", PUSH, "git push --force=true"],
  ["no", PUSH, "git push --force-with-lease"],
  ["no", PUSH, "git push -- -f"],
  ["no", PUSH, "git push -o -f"],
  ["no", PUSH, "git push"],
  ["maybe", PUSH, "git push $FLAGS"],
  ["no", PUSH, "git push origin x/$BRANCH"],
  ["yes", COMMIT, "git commit -n"],
  ["yes", COMMIT, "git commit -anm text"],
  ["yes", COMMIT, "git commit --no-verif"],
  ["no", COMMIT, "git commit -m -n"],
  ["no", COMMIT, "git commit -mn"],
  ["no", COMMIT, "git commit -am text -uno"],
  ["no", COMMIT, "git commit --no-edit"],
  ["yes", { program: "cmd", flags: ["/s"] }, "cmd /S"],
  ["yes", { program: "ri", flags: ["-Recurse"] }, "ri -r x"],
  ["yes", { program: "ri", flags: ["-Recurse"] }, "ri -rec x"],
  ["no", { program: "ri", flags: ["-Recurse"] }, "ri -ro x"],
  // Flags that lift.
  ["no", CLEAN, "git clean -n"],
  ["no", CLEAN, "git clean -fdn"],
  ["no", CLEAN, "git clean --dry-run"],
  ["no", CLEAN, "git clean --dry-r"],
  ["yes", CLEAN, "git clean --d"],
  ["yes", CLEAN, "git clean --dry-run=false"],
  ["yes", CLEAN, "git clean --dry-run --no-dry-run"],
  ["yes", CLEAN, "git clean -e -n"],
  ["yes", CLEAN, "git clean $N"],
  [
    "yes",
    { program: "k", verbs: ["delete"], unless: { flags: ["--dry-run=client"] } },
    "k delete --dry-run=none",
  ],
  [
    "no",
    { program: "k", verbs: ["delete"], unless: { flags: ["--dry-run=client"] } },
    "k delete --dry-run=client",
  ],
  // Operands.
  ["yes", RM, "rm -r src"],
  ["yes", RM, "rm -r dist src"],
  ["yes", RM, "rm dist -r -- -x"],
  ["no", RM, "rm -r dist"],
  ["no", RM, "rm src"],
  ["maybe", { program: "rm", args: "^/$" }, "rm $X"],
  ["yes", { program: "rm", args: "^\\$" }, "rm $X"],
  ["no", { program: "rm", unless: { args: "^keep$" } }, "rm a keep"],
  ["yes", { program: "rm", unless: { args: "keep" } }, "rm $keep"],
];

Deno.test("a program rule fits an invocation by its program, verb, flags and operands", async () => {
  for (const [fit, parts, command] of ROWS) {
    assert.equal(await fitOf(parts, command.split(" ")), fit, command);
  }
});

Deno.test("verbs see each statement that a database client is given", async () => {
  const given: readonly (readonly ["yes" | "no", readonly string[], Around])[] = [
    ["yes", ["psql", "-c", "DROP TABLE x"], {}],
    ["yes", ["psql", "-cDROP TABLE x"], {}],
    ["yes", ["psql", "--command=select 1; drop  table x"], {}],
    ["yes", ["psql", "db", "-c", "/* tidy */ drop table x"], {}],
    ["yes", ["psql"], { input: { kind: "text", text: "select 1;\n-- x\nDROP\tTABLE y;\n" } }],
    ["yes", ["psql", "-c", "/* ; */ drop table x"], {}],
    ["yes", ["psql", "-c", "select '/*'; drop table x; select '*/'"], {}],
    ["yes", ["psql", "-c", "select '--'; drop table x"], {}],
    ["yes", ["psql"], { input: { kind: "text", text: "drop -- all\n  table y;" } }],
    ["yes", ["psql"], { input: { kind: "text", text: `${"select 1;".repeat(9000)}drop table y` } }],
    ["no", ["psql", "-c", "select 'drop table x'"], {}],
    ["no", ["psql"], { input: { kind: "text", text: "select 'a drop table';" } }],
  ];
  for (const [fit, words, around] of given) {
    assert.equal(await fitOf(SQL, words, around), fit, JSON.stringify([words, around]));
  }
});

Deno.test("text on the input of other programs is only data", async () => {
  const input: Input = { kind: "text", text: "push -f" };
  assert.equal(await fitOf(PUSH, ["git", "commit", "-F", "-"], { input }), "no");
});

Deno.test("verbs see the assignments in front of a program and what is piped into it", async () => {
  const assignments = [{ name: "GIT_DIR", value: "/x" }, { name: "NOW", value: undefined }];
  assert.equal(await fitOf({ verbs: ["GIT_DIR=.*"] }, ["git", "log"], { assignments }), "yes");
  assert.equal(await fitOf({ verbs: ["push"] }, ["git", "log"], { assignments }), "no");
  const input: Input = { kind: "pipe", from: ["curl", undefined] };
  const fetched: RuleParts = { program: "sh", verbs: ["curl \\| .*"] };
  assert.equal(await fitOf(fetched, ["sh"], { input }), "yes");
  assert.equal(await fitOf(fetched, ["sh"], {}), "no");
});

Deno.test("any of an operand's spellings may match, and any of them may lift", async () => {
  const invocation = invocationOf(["rm", "x"]);
  const both = () => ["../x", "~/x"];
  const args = argumentsOf(invocation);
  const fit = (parts: RuleParts) =>
    fits(ruleOf({ program: "rm", ...parts }), invocation, args, both);
  assert.equal(await fit({ args: "^~/" }), "yes");
  assert.equal(await fit({ args: "^\\.\\./" }), "yes");
  assert.equal(await fit({ args: "^/" }), "no");
  assert.equal(await fit({ args: "^~/", unless: { args: "^\\.\\./x$" } }), "no");
});

Deno.test("no padding between the program and a flag or verb hides them", async () => {
  const mounts: RuleParts = { program: "docker", verbs: ["run (?:.* )?-v /:.*"] };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^(?:-q|[a-z]{1,60})$/), { maxLength: 400, size: "max" }),
      async (padding) => {
        assert.equal(await fitOf(PUSH, ["git", "push", ...padding, "-f"]), "yes");
        assert.equal(await fitOf(mounts, ["docker", "run", ...padding, "-v", "/:/x"]), "yes");
        const long = "x".repeat(5000);
        assert.equal(await fitOf(mounts, ["docker", "run", long, "-v", "/:/x"]), "yes");
        assert.equal(await fitOf(mounts, ["docker", "run", ...padding, long, "-v", "/:/x"]), "yes");
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("a long message is judged without waiting for another thread", async () => {
  const started = performance.now();
  for (let round = 0; round < 200; round++) {
    assert.equal(await fitOf(PUSH, ["git", "commit", "-m", "push -f ".repeat(20_000)]), "no");
  }
  assert(performance.now() - started < 2_000);
});

Deno.test("a bundle gives exactly the letters in front of the first that takes a value", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.constantFrom(..."abcxyz"),
      (letters, flag) => {
        const before = letters.split("m", 1)[0] ?? "";
        const given = (before + (letters.includes("m") ? "m" : "")).includes(flag);
        assert.equal(givesFlag(`-${letters}`, `-${flag}`, new Set(["m"])), given);
      },
    ),
  );
});
