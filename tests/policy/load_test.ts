/** Policy files from disk: what is wrong in them and where, and which of them hold for a call. */
import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import { type LayerSource, policyIssues, policyWarnings } from "../../src/policy/compile.ts";
import { sha256 } from "../../src/policy/digest.ts";
import { lineColumn, parseJsonc, placeOf } from "../../src/policy/jsonc.ts";
import { compilePolicy, loadPolicy, pointer } from "../../src/policy/load.ts";
import { repositoriesOf } from "../../src/policy/repository.ts";
import { VERSION } from "../../src/version.ts";
import { Bench, told } from "../gate/bench.ts";

const SOURCE: LayerSource = {
  path: "/h/.gitvow/policy.json",
  file: "~/.gitvow/policy.json",
  scope: "user",
  repo: undefined,
  sha256: "",
  folds: false,
};

/** `pointer at line:column` of every issue in a policy's text. */
function issuesIn(text: string): string[] {
  return policyIssues(parseJsonc(text), SOURCE).map(({ path }) =>
    `${pointer(path)} at ${placeOf(text, path).replace(/line (\d+), column (\d+)/, "$1:$2")}`
  );
}

Deno.test("every bad pattern and glob is listed, each with its place", () => {
  const text = `{
  // Every rule here has something wrong with it, but for the last.
  "bash_deny": [
    { "pattern": "(", "reason": "r" },
    { "program": "git", "verbs": ["push", "["], "args": "*", "reason": "r" },
    { "program": "git", "verbs": ")", "unless": { "args": "(" }, "reason": "r" },
  ],
  "bash_confirm": [{ "pattern": "(a)\\\\1", "reason": "r" }],
  "path_deny": [{ "glob": "[", "reason": "r" }, { "pattern": "(", "reason": "r" }],
  "read_confirm": [{ "glob": ["ok", "{a"], "unless": { "pattern": "(" }, "reason": "r" }],
  "mcp_deny": ["mcp__(", "mcp__ok"],
  "mcp_allow": [ "[" ],
  "providers": [{ "name": "p", "command": " " }],
  "llm_classifier": { "enabled": true },
  "bash_confirm_too": [],
}`;
  assert.deepEqual(
    issuesIn(text).sort(),
    [
      "/bash_confirm/0/pattern at 8:33",
      "/bash_deny/0/pattern at 4:18",
      "/bash_deny/1/args at 5:57",
      "/bash_deny/1/verbs/1 at 5:43",
      "/bash_deny/2/unless/args at 6:59",
      "/bash_deny/2/verbs at 6:34",
      "/llm_classifier/command at 14:21",
      "/mcp_allow/0 at 12:18",
      "/mcp_deny/0 at 11:16",
      "/path_deny/0/glob at 9:27",
      "/path_deny/1/pattern at 9:62",
      "/providers/0/command at 13:43",
      "/read_confirm/0/glob/1 at 10:37",
      "/read_confirm/0/unless/pattern at 10:67",
    ].sort(),
  );
});

Deno.test("a rule that matches in two ways is refused, whatever the second holds", () => {
  for (const other of ['"x"', "5", "null", '["x"]', "{}"]) {
    for (const key of ["bash_deny", "bash_confirm"]) {
      assert.deepEqual(
        issuesIn(`{"${key}": [{"pattern": ${other}, "program": "x", "reason": "r"}]}`),
        [`/${key}/0 at 1:${key.length + 7}`],
      );
    }
    for (const rule of [`"pattern": "x", "glob": ${other}`, `"glob": "x", "pattern": ${other}`]) {
      assert.deepEqual(issuesIn(`{"path_deny": [{${rule}, "reason": "r"}]}`), [
        "/path_deny/0 at 1:16",
      ]);
    }
  }
});

Deno.test("an unknown key is a warning and no issue", () => {
  const policy = { bash_denny: [], bash_deny: [{ program: "x", reason: "r", flag: "-f" }] };
  assert.deepEqual(policyIssues(policy, SOURCE), []);
  assert.deepEqual(policyWarnings(policy).map((issue) => pointer(issue.path)), [
    "/bash_denny",
    "/bash_deny/0/flag",
  ]);
});

Deno.test("a failure names the file, the first issue's place and pointer, and how many follow", async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const rows: readonly [string, RegExp][] = [
    [
      '{"bash_deny": [\n {"pattern": "(", "reason": "r"}, {"pattern": "[", "reason": "r"}]}',
      /^Policy ~\/\.gitvow\/policy\.json is not valid: line 2, column 14 \(\/bash_deny\/0\/pattern\) .*, and 1 more$/,
    ],
    ["{\n  oops", /^Policy ~\/\.gitvow\/policy\.json cannot be parsed: line 2, column 3: /],
    ['{"a": 1} {"b": 2}', /cannot be parsed: line 1, column 10: /],
    ["", /cannot be parsed: line 1, column 1: /],
  ];
  for (const [text, expected] of rows) {
    await assert.rejects(
      compilePolicy({ ...SOURCE, bytes: bytes(text) }),
      (error) => error instanceof Failure && expected.test(error.message) && error.remedy !== "",
      text,
    );
  }
  await assert.rejects(
    compilePolicy({ ...SOURCE, bytes: new Uint8Array([0x7b, 0xff, 0x7d]) }),
    /is not UTF-8/,
  );
});

Deno.test("places count lines and columns from 1, and a missing value is placed at its container", () => {
  const text = '{\r\n  "a": [1, {"b": 2}],\n\t"ü": 3\n}';
  const rows: readonly [(string | number)[], string][] = [
    [[], "line 1, column 1"],
    [["a"], "line 2, column 8"],
    [["a", 1, "b"], "line 2, column 18"],
    [["ü"], "line 3, column 7"],
    [["a", 1, "none"], "line 2, column 12"],
    [["a", 9], "line 2, column 8"],
    [["none", "deeper"], "line 1, column 1"],
  ];
  for (const [path, place] of rows) assert.equal(placeOf(text, path), place, path.join("/"));
  assert.equal(placeOf("", ["a"]), "line 1, column 1");
  assert.deepEqual(lineColumn("a\nb", 2), { line: 2, column: 1 });
  assert.equal(pointer(["a/b", "~", 0]), "/a~1b/~0/0");
});

Deno.test("comments and trailing commas are read, a member named __proto__ is only a member", () => {
  assert.deepEqual(parseJsonc('// c\n{"a": [1, 2,], /* d */ "b": {},}'), { a: [1, 2], b: {} });
  const odd = parseJsonc('{"__proto__": {"bash_deny": 5}, }') as Record<string, unknown>;
  assert.equal(odd["bash_deny"], undefined);
  assert.equal(Object.getPrototypeOf(odd), Object.prototype);
  for (const text of ["{", '{"a" 1}', "[1,,2]", "{'a': 1}", "/* open", '{"a": 1}}']) {
    assert.throws(() => parseJsonc(text), Failure, text);
  }
});

Deno.test("a digest is SHA-256 in lower-case hex", async () => {
  assert.equal(
    await sha256(new TextEncoder().encode("abc")),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

const BROKEN: readonly (readonly [string, unknown])[] = [
  ["a pattern", { bash_deny: [{ pattern: "(", reason: "r" }] }],
  ["a verb", { bash_deny: [{ program: "git", verbs: "(", reason: "r" }] }],
  ["a list that is none", { bash_deny: 5 }],
  ["a rule that is none", { bash_deny: [null] }],
  ["a pattern that is no text", { bash_deny: [{ pattern: 5, reason: "r" }] }],
];

Deno.test("a forged mark of a check skips the check and lets nothing through", async () => {
  for (const [what, policy] of BROKEN) {
    using bench = new Bench(policy);
    await assert.rejects(bench.bash("git push"), what);
    const text = JSON.stringify(policy);
    const digest = await sha256(new TextEncoder().encode(text));
    bench.write(`.gitvow/cache/checked/${VERSION}-${digest}`, "");
    await assert.rejects(bench.bash("git push"), what);
  }
});

Deno.test("a right policy is marked once, and the mark holds for its bytes alone", async () => {
  using bench = new Bench({ bash_deny: [{ pattern: "x", reason: "r" }] });
  const marks = () => bench.system.files.list(`${bench.home}/.gitvow/cache/checked`);
  await bench.bash("ls");
  await bench.bash("ls");
  assert.equal(marks().length, 1);
  bench.policy({ bash_deny: [{ pattern: "(", reason: "r" }] });
  await assert.rejects(bench.bash("ls"), Failure);
  assert.equal(marks().length, 1);
});

Deno.test("a policy that cannot be marked still holds", async () => {
  using bench = new Bench({ bash_deny: [{ pattern: "bad", reason: "r" }] });
  bench.write(".gitvow/cache", "not a folder");
  assert.equal((await bench.bash("bad")).outcome, "deny");
});

Deno.test("the policies of all repositories and the user's hold, each read once", async () => {
  const rule = (pattern: string) => ({ bash_deny: [{ pattern, reason: `${pattern} it is` }] });
  using bench = new Bench(rule("users"));
  bench.write("shop/.gitvow/policy.json", rule("shops"));
  Deno.mkdirSync(`${bench.repo}/docs/.git`);
  bench.write("shop/docs/.gitvow/policy.json", rule("inner"));
  Deno.mkdirSync(`${bench.home}/other`);
  bench.write("other/.git", "gitdir: ../shop/.git/worktrees/other\n");
  bench.write("other/.gitvow/policy.json", rule("others"));
  bench.link("../other", "shop/link");
  const rows: readonly [string, string, string][] = [
    ["docs", "users", "deny"],
    ["docs", "shops", "deny"],
    ["docs", "inner", "deny"],
    ["docs", "others", "allow"],
    ["", "inner", "allow"],
    ["link", "others", "deny"],
    ["link", "shops", "deny"],
    ["../other", "shops", "allow"],
    ["../other", "others", "deny"],
  ];
  for (const [below, command, outcome] of rows) {
    const decision = await bench.bash(
      command,
      `${bench.repo}/${below}`,
    );
    assert.equal(decision.outcome, outcome, `${command} in ${below}: ${told(decision)}`);
  }
  const cache = new Map();
  const tops = [bench.repo, bench.home];
  const first = await loadPolicy(bench.system, bench.home, tops, cache);
  const again = await loadPolicy(bench.system, bench.home, tops, cache);
  assert.deepEqual(first.layers.map((layer) => layer.scope), ["repository", "user"]);
  assert.equal(first.layers[0], again.layers[0]);
});

Deno.test("repositories are found upwards, innermost first, through links and by either kind of .git", () => {
  using bench = new Bench();
  const { files } = bench.system;
  const { home, repo } = bench;
  bench.write("shop/sub/.git", "gitdir: elsewhere\n");
  Deno.mkdirSync(`${repo}/sub/deep`);
  Deno.mkdirSync(`${home}/plain`);
  bench.link("../shop/sub", "plain/link");
  assert.deepEqual(repositoriesOf(files, `${repo}/docs`), [repo]);
  assert.deepEqual(repositoriesOf(files, `${repo}/none/below`), [repo]);
  assert.deepEqual(repositoriesOf(files, `${repo}/sub/deep`), [`${repo}/sub`, repo]);
  assert.deepEqual(repositoriesOf(files, `${home}/plain`), []);
  assert.deepEqual(repositoriesOf(files, "/"), []);
  assert.deepEqual(repositoriesOf(files, `${home}/plain/link`), [
    `${repo}/sub`,
    repo,
    `${home}/plain/link`,
  ]);
});
