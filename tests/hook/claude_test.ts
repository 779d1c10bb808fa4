/** What Claude Code reads from a hook: silence, its own question, or its own denial. */
import assert from "node:assert/strict";
import { type Ended, verdictOf, World } from "../support/world.ts";

const POLICY = {
  bash_deny: [{ pattern: "forbidden", reason: "the test says so" }],
  bash_confirm: [{ program: "gh", verbs: "release create", reason: "it is public" }],
};

function decision(ended: Ended): Record<string, unknown> {
  const document = JSON.parse(ended.stdout);
  assert.deepEqual(Object.keys(document), ["hookSpecificOutput"]);
  return document.hookSpecificOutput;
}

Deno.test("an allow is an abstention in every mode", async () => {
  using world = new World();
  world.policy(POLICY);
  for (const mode of ["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto"]) {
    const ended = await world.bash("ls", { permission_mode: mode });
    assert.deepEqual([ended.code, ended.stdout, ended.stderr], [0, "", ""], mode);
  }
});

Deno.test("a denial is exit 2, the reason on stderr, and one document on stdout", async () => {
  using world = new World();
  world.policy(POLICY);
  for (const mode of ["default", "bypassPermissions"]) {
    const ended = await world.bash("forbidden", { permission_mode: mode });
    assert.equal(ended.code, 2);
    assert.equal(
      ended.stderr,
      "BLOCKED by gitvow: the test says so.\n" +
        "  rule bash_deny[0] in ~/.gitvow/policy.json matched `forbidden`\n",
    );
    assert.deepEqual(decision(ended), {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: ended.stderr.trimEnd(),
    });
  }
});

Deno.test("a confirmation is the client's own question only where the client shows it", async () => {
  using world = new World();
  world.policy(POLICY);
  for (const mode of ["default", "acceptEdits", "plan"]) {
    const ended = await world.bash("gh release create v1", { permission_mode: mode });
    assert.deepEqual([ended.code, ended.stderr], [0, ""], mode);
    const { permissionDecision, permissionDecisionReason, hookEventName } = decision(ended);
    assert.deepEqual([permissionDecision, hookEventName], ["ask", "PreToolUse"]);
    assert.match(String(permissionDecisionReason), /^CONFIRMATION REQUIRED: run gh release/);
  }
  for (const mode of ["bypassPermissions", "dontAsk", "auto", "someday", undefined]) {
    const ended = await world.bash("gh release create v1", { permission_mode: mode });
    assert.equal(ended.code, 2, mode);
    assert.equal(decision(ended)["permissionDecision"], "deny");
    assert.match(
      ended.stderr,
      /^CONFIRMATION REQUIRED: run gh release create v1 \(it is public\)\.\n/,
    );
    assert.match(ended.stderr, /they can run: gitvow approve [0-9A-Z]{4,6}$/m);
  }
});

Deno.test("payloads the real client sent are judged", async () => {
  const folder = new URL("../../examples/payloads/claude/", import.meta.url);
  using world = new World();
  world.policy({ ...POLICY, path_deny: [{ glob: "notes.txt", reason: "it is mine" }] });
  const verdicts: Record<string, string> = {};
  for (const entry of Deno.readDirSync(folder)) {
    const text = Deno.readTextFileSync(new URL(entry.name, folder))
      .replaceAll("/home/dev/shop", world.repo);
    const payload = JSON.parse(text);
    Deno.mkdirSync(payload.cwd, { recursive: true });
    verdicts[entry.name.replace(".json", "")] = verdictOf(
      await world.hook(payload.hook_event_name, text),
    );
  }
  assert.deepEqual(verdicts, {
    "PostToolUse-Bash": "allow",
    "PostToolUse-Write": "allow",
    "PostToolUseFailure-Bash": "allow",
    "PreToolUse-Bash": "allow",
    "PreToolUse-Edit": "deny",
    "PreToolUse-Monitor": "allow",
    "PreToolUse-Read": "allow",
    "PreToolUse-Write": "deny",
    "PreToolUse-mcp__demo__ping": "allow",
    "SessionEnd": "allow",
    "SessionStart": "allow",
    "Stop": "allow",
    "SubagentStop-subagent": "allow",
    "UserPromptSubmit": "allow",
  });
});

Deno.test("every tool that runs a command or touches a file is judged, under any name", async () => {
  using world = new World();
  world.policy({
    bash_deny: [{ program: "git", verbs: "push", reason: "no" }],
    path_deny: [{ glob: "secret/**", reason: "no" }],
    read_deny: [{ glob: "secret/**", reason: "no" }],
    mcp_deny: ["mcp__bad__.*"],
  });
  const file = `${world.repo}/secret/a.txt`;
  const rows: readonly [string, unknown, string][] = [
    ["Bash", { command: "git push" }, "deny"],
    ["Monitor", { command: "git push", description: "watch" }, "deny"],
    ["Write", { file_path: file, content: "" }, "deny"],
    ["Write", { path: file, file_text: "" }, "deny"],
    ["Edit", { file_path: file, old_string: "a", new_string: "b" }, "deny"],
    ["MultiEdit", { file_path: file, edits: [] }, "deny"],
    ["NotebookEdit", { notebook_path: file, new_source: "" }, "deny"],
    ["Read", { file_path: file }, "deny"],
    ["Grep", { pattern: "x", path: `${world.repo}/secret` }, "deny"],
    ["Grep", { pattern: "x", glob: "secret/*" }, "deny"],
    ["Grep", { pattern: "x", glob: "**/secret/a*" }, "deny"],
    ["Glob", { pattern: "secret/**" }, "allow"],
    ["mcp__bad__tool", {}, "deny"],
    ["mcp__sh__run", { command: "git push" }, "deny"],
    ["mcp__sh__run", { command: "git", args: ["push"] }, "deny"],
    ["mcp__fs__write_file", { path: file }, "deny"],
    ["mcp__fs__move_file", { source: "a.txt", destination: file }, "deny"],
    ["mcp__fs__read_file", { uri: `file://${file}` }, "deny"],
    ["NewTool", { command: "git push" }, "deny"],
    ["NewTool", { file_path: file }, "deny"],
    ["Write", { content: "no path" }, "confirm"],
    ["Bash", { command: 5 }, "confirm"],
    ["Bash", {}, "confirm"],
    ["", {}, "confirm"],
    ["Grep", { pattern: "x" }, "allow"],
    ["TodoWrite", { todos: [] }, "allow"],
    ["WebFetch", { url: "https://example.test", prompt: "secret/a.txt" }, "allow"],
    ["mcp__fs__list", { path: `${world.repo}/src` }, "allow"],
  ];
  for (const [tool, input, verdict] of rows) {
    const ended = await world.hook("PreToolUse", world.payload(tool, input));
    assert.equal(verdictOf(ended), verdict, `${tool} ${JSON.stringify(input)} ${ended.stderr}`);
  }
});

Deno.test("a shell line of a skill is judged as a command", async () => {
  using world = new World();
  world.policy(POLICY);
  const payload = world.payload("Bash", { command: "forbidden" }, {
    hook_event_name: "PreSkillShellCommand",
    command_name: "deploy",
  });
  const ended = await world.hook("PreSkillShellCommand", payload);
  assert.equal(verdictOf(ended), "deny");
});
