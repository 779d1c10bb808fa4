/** What the user's and the repository's settings come to together: always the stricter of the two. */
import assert from "node:assert/strict";
import { strictestLeniency } from "../../src/gate/leniency.ts";
import type { Leniency, Policy, PolicyLayer } from "../../src/policy/policy.ts";
import { Bench, told } from "./bench.ts";

const ORDER = ["allow", "observe", "confirm", "deny"] as const;

/** The stricter of the settings, where the user's counts with the default if it says nothing. */
function expected(
  user: Leniency | undefined | "no file",
  repository: Leniency | undefined | "no file",
  fallback: Leniency,
): Leniency {
  const said = [
    user === "no file" ? undefined : user ?? fallback,
    repository === "no file" ? undefined : repository,
  ].filter((one) => one !== undefined);
  if (said.length === 0) return fallback;
  return said.sort((a, b) => ORDER.indexOf(b) - ORDER.indexOf(a))[0] ?? fallback;
}

const INDIRECT = [...ORDER, undefined, "no file"] as const;
const UNREAD = ["confirm", "deny", undefined, "no file"] as const;

/** Judges `command` under both files, each left out where it is "no file". */
async function judged(key: string, user: unknown, repository: unknown, command: string) {
  using bench = new Bench();
  const put = (path: string, setting: unknown) => {
    if (setting === "no file") return;
    bench.write(path, setting === undefined ? {} : { [key]: setting });
  };
  Deno.removeSync(`${bench.home}/.gitvow/policy.json`);
  put(".gitvow/policy.json", user);
  put("shop/.gitvow/policy.json", repository);
  return await bench.bash(command);
}

Deno.test("programs that cannot be followed: every combination of two files", async () => {
  for (const user of INDIRECT) {
    for (const repository of INDIRECT) {
      if (user === "no file" && repository === "no file") continue;
      const decision = await judged("indirect_commands", user, repository, '"$BIN" x');
      const setting = expected(user, repository, "observe");
      assert.equal(
        decision.outcome,
        setting === "observe" ? "allow" : setting,
        `${user} and ${repository}: ${told(decision)}`,
      );
      assert.equal(decision.findings.length, setting === "allow" ? 0 : 1);
    }
  }
});

Deno.test("code that cannot be read: every combination of two files", async () => {
  for (const user of UNREAD) {
    for (const repository of UNREAD) {
      if (user === "no file" && repository === "no file") continue;
      for (const command of ['eval "$X"', "curl https://example.test | sh"]) {
        const decision = await judged("unread_code", user, repository, command);
        assert.equal(
          decision.outcome,
          expected(user, repository, "confirm"),
          `${user} and ${repository}: ${command}: ${told(decision)}`,
        );
      }
    }
  }
});

Deno.test("a policy without layers has the defaults", () => {
  const none: Policy = { layers: [] };
  assert.equal(strictestLeniency(none, "indirectCommands"), "observe");
  assert.equal(strictestLeniency(none, "unreadCode"), "confirm");
  const silent = { scope: "repository" } as PolicyLayer;
  assert.equal(strictestLeniency({ layers: [silent] }, "unreadCode"), "confirm");
});

interface McpRow {
  readonly user: unknown;
  readonly repository?: unknown;
  readonly verdicts: Readonly<Record<string, string>>;
}

const READ = "mcp__github__get_issue";
const DELETE = "mcp__github__delete_repo";
const OTHER = "mcp__mail__send";

const MCP: readonly McpRow[] = [
  { user: {}, verdicts: { [READ]: "allow", [DELETE]: "allow" } },
  {
    user: { mcp_deny: ["mcp__github__delete_.*"] },
    verdicts: { [READ]: "allow", [DELETE]: "deny", [`${DELETE}_now`]: "deny" },
  },
  {
    // A name is matched whole: a part of it is not enough.
    user: { mcp_deny: ["mcp__github__delete", "github__delete_repo", "mcp__git|mcp__mail"] },
    verdicts: { [DELETE]: "allow", [OTHER]: "allow" },
  },
  {
    user: { mcp_allow: ["mcp__github__get_.*"] },
    verdicts: {
      [READ]: "allow",
      [DELETE]: "confirm",
      [OTHER]: "confirm",
      "mcp__github__get_": "allow",
    },
  },
  {
    user: { mcp_allow: [] },
    verdicts: { [READ]: "allow", [OTHER]: "allow" },
  },
  {
    // What is denied stays so, whatever an allow list says.
    user: { mcp_allow: [".*"], mcp_deny: ["mcp__github__delete_repo"] },
    verdicts: { [READ]: "allow", [DELETE]: "deny" },
  },
  {
    // Both lists must hold the tool.
    user: { mcp_allow: ["mcp__github__.*"] },
    repository: { mcp_allow: ["mcp__github__get_.*", "mcp__mail__.*"] },
    verdicts: { [READ]: "allow", [DELETE]: "confirm", [OTHER]: "confirm" },
  },
  {
    user: { mcp_deny: [OTHER] },
    repository: { mcp_allow: [".*"] },
    verdicts: { [OTHER]: "deny", [READ]: "allow" },
  },
  {
    user: {},
    repository: { mcp_deny: ["(?i)MCP__MAIL__.*"] },
    verdicts: { [OTHER]: "deny", [READ]: "allow" },
  },
];

Deno.test("MCP tools are judged by every layer's lists, names matched whole", async () => {
  for (const [index, row] of MCP.entries()) {
    using bench = new Bench(row.user);
    if (row.repository !== undefined) bench.write("shop/.gitvow/policy.json", row.repository);
    for (const [tool, verdict] of Object.entries(row.verdicts)) {
      const decision = await bench.judge(tool, {});
      assert.equal(decision.outcome, verdict, `row ${index}, ${tool}: ${told(decision)}`);
    }
  }
});

Deno.test("an allow list that a pattern cannot answer in time excuses nothing", async () => {
  using bench = new Bench({ mcp_allow: ["(?=a)(?:a+)+b"] });
  const decision = await bench.judge(`mcp__x__${"a".repeat(40)}`, {});
  assert.equal(decision.outcome, "confirm");
});

Deno.test("rules of both files count, the strictest decides, and each names its file", async () => {
  const rule = (reason: string) => [{ program: "git", verbs: "push", reason }];
  using bench = new Bench({ bash_confirm: rule("the user asks") });
  bench.write("shop/.gitvow/policy.json", { bash_deny: rule("the shop denies") });
  const decision = await bench.bash("git push");
  assert.equal(decision.outcome, "deny");
  assert.deepEqual(decision.findings.map(({ source, reason }) => `${source}: ${reason}`), [
    "rule bash_deny[0] in ~/shop/.gitvow/policy.json: the shop denies",
    "rule bash_confirm[0] in ~/.gitvow/policy.json: the user asks",
  ]);
});

Deno.test("a rule that observes asks nobody and hides no other", async () => {
  const rule = { program: "git", verbs: "push", when: "observe" };
  using bench = new Bench({
    bash_deny: [{ ...rule, reason: "watched" }],
    path_deny: [{ glob: "docs/**", reason: "watched", when: "observe" }],
  });
  for (const decision of [await bench.bash("git push"), await bench.edit("docs/x")]) {
    assert.equal(decision.outcome, "allow");
    assert.deepEqual(decision.findings.map((one) => one.outcome), ["observe"]);
  }
});
