/** A rule about a file holds under every spelling by which the file can be reached. */
import assert from "node:assert/strict";
import { realPathOf, Speller } from "../../src/gate/spellings.ts";
import { Bench, told } from "./bench.ts";

/**
 * A home whose repository holds `config/prod.yml`, linked from several places. `shop/out` leads to
 * `elsewhere/deep`, so that for the operating system `shop/out/..` is `elsewhere`.
 */
function linked(policy: unknown): Bench {
  const bench = new Bench(policy);
  bench.write("shop/config/prod.yml", "x");
  bench.write("elsewhere/deep/a", "x");
  bench.write("elsewhere/key", "x");
  bench.link("config/prod.yml", "shop/plain.yml");
  bench.link("plain.yml", "shop/twice.yml");
  bench.link("../config", "shop/docs/conf");
  bench.link("config/new.yml", "shop/dangling.yml");
  bench.link("../elsewhere/deep", "shop/out");
  bench.link("../key-new", "elsewhere/deep/dangling");
  bench.link("loop-b", "shop/loop-a");
  bench.link("loop-a", "shop/loop-b");
  return bench;
}

const REACHING: readonly [string, string?][] = [
  ["config/prod.yml"],
  ["./config/prod.yml"],
  ["config//prod.yml"],
  ["config/./prod.yml"],
  ["docs/../config/prod.yml"],
  ["nowhere/../config/prod.yml"],
  ["../shop/config/prod.yml"],
  ["H/shop/config/prod.yml"],
  ["H/shop//docs/../config/prod.yml"],
  ["~/shop/config/prod.yml"],
  ["../config/prod.yml", "docs"],
  ["prod.yml", "config"],
  ["plain.yml"],
  ["twice.yml"],
  ["docs/conf/prod.yml"],
  ["conf/prod.yml", "docs"],
  ["dangling.yml"],
  ["/proc/self/cwd/config/prod.yml"],
  ["/proc/self/rootH/shop/config/prod.yml"],
  ["/proc/999999/rootH/shop/config/prod.yml"],
  ["/proc/thread-self/root/proc/self/cwd/config/prod.yml"],
  ["/proc/1/task/1/cwd/docs/../config/prod.yml"],
  ["/proc//self/./root/H/shop/config/prod.yml"],
  ["../../../../../../../../proc/self/rootH/shop/config/prod.yml"],
];

Deno.test("every spelling of a file reaches a glob and a pattern about it", async () => {
  for (
    const rule of [
      { glob: "config/**" },
      { glob: "*.yml" },
      { glob: "~/shop/config/*.yml" },
      { pattern: "^config/(?:prod|new)\\.yml$" },
      { pattern: "^~/shop/config/" },
      { pattern: "/shop/config/[a-z]+\\.yml$" },
    ]
  ) {
    using bench = linked({ path_deny: [{ ...rule, reason: "it is live" }] });
    for (const [written, below] of REACHING) {
      const path = written.replace("H", bench.home);
      const cwd = below === undefined ? bench.repo : `${bench.repo}/${below}`;
      const why = `${JSON.stringify(rule)} ${path} from ${cwd}`;
      assert.equal((await bench.edit(path, cwd)).outcome, "deny", `edit, ${why}`);
      const shell = await bench.bash(`echo x > ${path}`, cwd);
      assert.equal(shell.outcome, "deny", `shell, ${why}`);
    }
  }
});

Deno.test("a glob knows no letter case, and its neighbours are left alone", async () => {
  using bench = linked({ path_deny: [{ glob: "config/prod.yml", reason: "it is live" }] });
  for (const path of ["Config/Prod.YML", "CONFIG/prod.yml"]) {
    assert.equal((await bench.edit(path)).outcome, "deny", path);
  }
  for (
    const path of ["config/prod.yml.bak", "config/other.yml", "docs/config/prod.yml", "loop-a"]
  ) {
    const decision = await bench.edit(path);
    assert.equal(decision.outcome, "allow", `${path} ${told(decision)}`);
  }
});

Deno.test("two dots after a link leave the folder that the link leads to", async () => {
  using bench = linked({ path_deny: [{ glob: "~/elsewhere/key", reason: "it is a key" }] });
  for (
    const path of ["out/../key", "./out/../key", `${bench.repo}/out/../key`, "docs/../out/../key"]
  ) {
    assert.equal((await bench.edit(path)).outcome, "deny", path);
    assert.equal((await bench.bash(`echo x > ${path}`)).outcome, "deny", path);
  }
  assert.equal((await bench.bash("cd docs && cp x ../out/../key")).outcome, "deny");
  using lexical = linked({ path_deny: [{ glob: "key", reason: "a tool may fold the dots" }] });
  assert.equal((await lexical.edit("out/../key")).outcome, "deny");
});

Deno.test("deleting or moving a folder reaches the files a rule names below it", async () => {
  using bench = linked({ path_deny: [{ glob: "config/prod.yml", reason: "it is live" }] });
  for (
    const command of [
      "rm -r config",
      "rm -rf ./config/",
      "mv config old",
      "mv docs/conf/ old",
      "chmod -R 0 config",
      "rm -rf .",
      "rm -rf ../shop",
      "rm -rf H/shop",
      "find config -delete",
    ]
  ) {
    const decision = await bench.bash(command.replace("H/", `${bench.home}/`));
    assert.equal(decision.outcome, "deny", `${command} ${told(decision)}`);
  }
  for (const command of ["rm -r docs", "mv docs old", "rm -rf config2", "cp -r config /tmp/c"]) {
    const decision = await bench.bash(command);
    assert.equal(decision.outcome, "allow", `${command} ${told(decision)}`);
  }
});

Deno.test("real paths are those of the operating system, as far as there is something", () => {
  using bench = linked({});
  const { home, repo, system } = bench;
  const rows: readonly [string, string][] = [
    [`${repo}/plain.yml`, `${repo}/config/prod.yml`],
    [`${repo}/dangling.yml`, `${repo}/config/new.yml`],
    [`${repo}/dangling.yml/below`, `${repo}/config/new.yml/below`],
    [`${repo}/docs/conf/none/deeper`, `${repo}/config/none/deeper`],
    [`${repo}/out/../none`, `${home}/elsewhere/none`],
    [`${repo}/out/dangling`, `${home}/elsewhere/key-new`],
    [`${repo}/none/../x/`, `${repo}/x`],
    ["/", "/"],
    ["/none", "/none"],
  ];
  for (const [path, real] of rows) assert.equal(realPathOf(system, path), real, path);
  assert.match(realPathOf(system, `${repo}/loop-a/x`), /loop-[ab]\/x$/);
});

Deno.test("a path no system could open is spelled without looking for all of its folders", async () => {
  using bench = linked({ path_deny: [{ glob: "config/**", reason: "it is live" }] });
  const deep = `config/${"a/".repeat(20_000)}x`;
  assert.equal((await bench.edit(deep)).outcome, "deny");
  assert.equal((await bench.edit(`docs/conf/${"./".repeat(20_000)}x`)).outcome, "deny");
  assert.equal((await bench.edit(deep.replace("config", "docs"))).outcome, "confirm");
});

Deno.test("a path outside any repository is spelled from the working directory and the home", () => {
  using bench = linked({});
  const spelled = new Speller(bench.system, bench.home, `${bench.home}/elsewhere`).spell("deep/a");
  assert.deepEqual(spelled.repositories, []);
  assert.deepEqual([...spelled.all].sort(), [
    `${bench.home}/elsewhere/deep/a`,
    "deep/a",
    "~/elsewhere/deep/a",
  ]);
});
