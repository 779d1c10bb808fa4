/** What a tool call would do, read from its input under whatever name the agent gives it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Action, JsonObject } from "../../src/domain/call.ts";
import { actionsOf, describeAction } from "../../src/gate/actions.ts";
import { readCommand } from "../../src/shell/read.ts";

function actions(tool: string, input: JsonObject): Action[] {
  return actionsOf({
    event: "PreToolUse",
    payload: {
      session_id: "",
      transcript_path: "",
      cwd: "/r",
      hook_event_name: "PreToolUse",
      tool_name: tool,
      tool_input: input,
    },
  });
}

/** `kind what` of every action. */
function told(tool: string, input: JsonObject): string[] {
  return actions(tool, input).map((action) => `${action.kind} ${describeAction(action)}`);
}

const ROWS: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ["Bash", { command: "ls" }, ["shell ls"]],
  ["Bash", { command: "ls", file_path: "/etc/x" }, ["shell ls"]],
  ["Bash", { command: ["rm", "-rf", "a b"] }, ["shell rm -rf 'a b'"]],
  ["Bash", { command: "" }, ["shell "]],
  ["Bash", { command: null }, ["unclear Bash"]],
  ["Bash", {}, ["unclear Bash"]],
  ["Shell", { cmd: "ls" }, ["shell ls"]],
  ["PowerShell", { command: "Get-Item x" }, ["shell Get-Item x"]],
  ["Monitor", { command: "tail -f x" }, ["shell tail -f x"]],
  ["Monitor", { ws: "ws://x" }, ["other Monitor"]],
  ["Monitor", {}, ["unclear Monitor"]],
  ["Write", { file_path: "a", content: "x" }, ["write a"]],
  ["Edit", { file_path: "a" }, ["write a"]],
  ["Bash", { command: "ls", cmd: "pwd" }, ["shell ls", "shell pwd"]],
  ["Bash", { command: null, Command: "pwd" }, ["shell pwd"]],
  ["Edit", { file_path: "file:///r/a%20b" }, ["write /r/a b", "write file:///r/a%20b"]],
  ["Edit", { file_path: "FILE:/r/a%2fb" }, ["write /r/a/b", "write FILE:/r/a%2fb"]],
  ["Edit", { file_path: "a", path: "b" }, ["write a", "write b"]],
  ["NotebookEdit", { file_path: "a", notebook_path: "b" }, ["write a", "write b"]],
  ["MultiEdit", { file_path: "a", edits: [{ filePath: "b" }] }, ["write a", "write b"]],
  ["Write", { file_path: "a\n" }, ["write a\n", "write a"]],
  ["Write", { file_path: " a\u0001b " }, ["write  a\u0001b ", "write ab"]],
  ["Write", { file_path: "a\0b" }, ["write a\0b", "write ab", "write a"]],
  ["Read", { path: "a", file_path: "b" }, ["read a", "read b"]],
  ["Grep", { pattern: "x", path: "a", file_path: "b" }, ["read a", "read b"]],
  ["NotebookEdit", { notebook_path: "n.ipynb" }, ["write n.ipynb"]],
  ["Write", { content: "x" }, ["unclear Write"]],
  ["Write", { file_path: "" }, ["unclear Write"]],
  ["Write", { file_path: ["a"] }, ["unclear Write"]],
  ["Read", { file_path: "a" }, ["read a"]],
  ["Read", {}, ["unclear Read"]],
  ["LS", {}, ["read /r"]],
  ["Grep", { pattern: "x" }, ["read /r"]],
  ["Grep", { pattern: "x", path: "d", glob: "*.pem" }, ["read d", "read d/file.pem"]],
  ["Grep", { pattern: "x", glob: "**/*.{ts,tsx}" }, ["read /r", "read /r/file.{ts,tsx}"]],
  ["Grep", { pattern: "x", glob: "src/**/.env*" }, ["read /r", "read /r/src/.env*"]],
  ["Grep", { pattern: "x", glob: "/etc/*" }, ["read /r", "read /etc/file"]],
  ["Grep", { pattern: "x", glob: "~/.ssh/id_*" }, ["read /r", "read ~/.ssh/id_*"]],
  ["Glob", { pattern: "**/*.pem" }, ["other Glob"]],
  ["mcp__x__y", {}, ["mcp mcp__x__y"]],
  ["mcp__x__run", { command: "ls", args: ["-l", "a b"] }, ["mcp mcp__x__run", "shell ls -l 'a b'"]],
  ["mcp__x__read_file", { path: "a" }, ["mcp mcp__x__read_file", "read a"]],
  ["mcp__x__put", { path: "a" }, ["mcp mcp__x__put", "write a", "read a"]],
  ["mcp__x__move", { source: "a.txt", destination: "b.txt" }, [
    "mcp mcp__x__move",
    "write a.txt",
    "read a.txt",
    "write b.txt",
    "read b.txt",
  ]],
  ["mcp__x__put", { paths: ["a", 5, "", "b"] }, [
    "mcp mcp__x__put",
    "write a",
    "read a",
    "write b",
    "read b",
  ]],
  ["mcp__x__put", { uri: "https://example.test/a" }, ["mcp mcp__x__put"]],
  ["mcp__x__get_set", { path: "a" }, ["mcp mcp__x__get_set", "write a", "read a"]],
  ["mcp__x__readAndReplace", { Path: "a" }, ["mcp mcp__x__readAndReplace", "write a", "read a"]],
  ["mcp__x__reader", { path: "a" }, ["mcp mcp__x__reader", "write a", "read a"]],
  ["mcp__x__readFile", { "File-Path": "a" }, ["mcp mcp__x__readFile", "read a"]],
  ["mcp__x__get_offset", { path: "a" }, ["mcp mcp__x__get_offset", "read a"]],
  ["mcp__x__run", { options: { commandLine: "ls" } }, ["mcp mcp__x__run", "shell ls"]],
  ["mcp__x__run", { COMMAND: "ls" }, ["mcp mcp__x__run", "shell ls"]],
  ["mcp__x__run", { argv: ["rm", "a b"] }, ["mcp mcp__x__run", "shell rm 'a b'"]],
  ["mcp__x__run", { program: "rm", args: ["-r", "a"] }, ["mcp mcp__x__run", "shell rm -r a"]],
  ["mcp__x__run", { steps: [{ program: "rm", args: "-r a" }] }, [
    "mcp mcp__x__run",
    "shell rm -r a",
  ]],
  ["mcp__x__run", { commands: ["ls -l", "rm a"] }, [
    "mcp mcp__x__run",
    "shell 'ls -l' 'rm a'",
    "shell ls -l",
    "shell rm a",
  ]],
  ["mcp__x__run", { script: "build" }, ["mcp mcp__x__run"]],
  ["mcp__x__run", { script: "rm -r a" }, ["mcp mcp__x__run", "shell rm -r a"]],
  ["mcp__x__run", { shell: "/bin/zsh" }, ["mcp mcp__x__run"]],
  ["mcp__x__run", { code: "rm -r a" }, ["mcp mcp__x__run", "shell rm -r a"]],
  ["mcp__x__run", { code: "import os", language: "python" }, [
    "mcp mcp__x__run",
    "shell python3 -c 'import os'",
  ]],
  ["mcp__x__run", { code: "f( 1 )" }, [
    "mcp mcp__x__run",
    "shell python3 -c 'f( 1 )'",
    "shell node -e 'f( 1 )'",
  ]],
  ["mcp__x__put", { target: "prod" }, ["mcp mcp__x__put"]],
  ["mcp__x__put", { target: "./prod" }, ["mcp mcp__x__put", "write ./prod", "read ./prod"]],
  ["mcp__x__send", { to: "kim@example.test" }, ["mcp mcp__x__send"]],
  ["mcp__x__put", { files: { "a/b": "x" } }, ["mcp mcp__x__put", "write a/b", "read a/b"]],
  ["mcp__x__put", { files: [{ path: "a" }] }, ["mcp mcp__x__put", "write a", "read a"]],
  ["mcp__x__put", { files: "a" }, ["mcp mcp__x__put", "write a", "read a"]],
  ["mcp__x__ask", { queries: ["drop table a"] }, ["mcp mcp__x__ask", "sql drop table a"]],
  ["mcp__x__list_issues", { query: "deleted" }, ["mcp mcp__x__list_issues"]],
  ["mcp__x__put", { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }, [
    "mcp mcp__x__put",
    "unclear mcp__x__put",
  ]],
  ["mcp__x__read_many", { paths: Array.from({ length: 201 }, (_, i) => `${i}`) }, [
    "mcp mcp__x__read_many",
    ...Array.from({ length: 200 }, (_, i) => `read ${i}`),
    "unclear mcp__x__read_many",
  ]],
  ["apply_patch", { input: "*** Begin Patch\n*** Update File: a b\n+x\n*** End Patch" }, [
    "other apply_patch",
    "write a b",
  ]],
  ["apply_patch", { diff: "--- a/x\n+++ b/y\n" }, ["other apply_patch", "write x", "write y"]],
  ["Novel", { note: "see .claude/settings.json" }, ["other Novel", "unclear Novel"]],
  ["mcp__x__comment", { body: "see .claude/settings.json" }, ["mcp mcp__x__comment"]],
  ["Config", { setting: "disableAllHooks", value: true }, ["other Config", "unclear Config"]],
  ["Config", { hooks: {} }, ["other Config", "unclear Config"]],
  ["Config", { setting: "theme", value: "dark" }, ["other Config"]],
  ["AskUserQuestion", { questions: ["Change .claude/settings.json?"] }, ["other AskUserQuestion"]],
  ["Task", { prompt: "x", path: "a" }, ["other Task"]],
  ["Novel", { path: "a" }, ["other Novel", "write a", "read a"]],
  ["Novel", { command: "ls" }, ["other Novel", "shell ls"]],
  ["Novel", { command: " " }, ["other Novel"]],
  ["", { command: "ls" }, ["unclear "]],
];

Deno.test("every tool's input is read for what it would do", () => {
  for (const [tool, input, expected] of ROWS) {
    assert.deepEqual(told(tool, input), expected, `${tool} ${JSON.stringify(input)}`);
  }
});

Deno.test("a path longer than any system opens is asked about besides", () => {
  const long = "a/".repeat(4097);
  for (const tool of ["Write", "Read", "Novel"]) {
    const kinds = actions(tool, { path: long }).map(({ kind }) => kind);
    assert.equal(kinds.at(-1), "unclear", tool);
    assert.ok(kinds.includes(tool === "Write" ? "write" : "read"), tool);
    assert.ok(actions(tool, { path: long.slice(4) }).every(({ kind }) => kind !== "unclear"), tool);
  }
});

Deno.test("edits carry their texts", () => {
  const changes = (tool: string, input: JsonObject) => {
    const [action] = actions(tool, { file_path: "a", ...input });
    return action?.kind === "write" ? action.changes : undefined;
  };
  assert.deepEqual(changes("Write", { content: "x" }), [{ before: undefined, after: "x" }]);
  assert.deepEqual(changes("NotebookEdit", { new_source: "x" }), [
    { before: undefined, after: "x" },
  ]);
  assert.deepEqual(changes("Edit", { old_string: "a", new_string: "b" }), [
    { before: "a", after: "b" },
  ]);
  assert.deepEqual(changes("Edit", { old_string: 1 }), [{ before: "", after: "" }]);
  const edits = [{ old_string: "a", new_string: "b" }, null, "x", { new_string: "c" }];
  assert.deepEqual(changes("MultiEdit", { edits }), [
    { before: "a", after: "b" },
    { before: "", after: "c" },
  ]);
});

Deno.test("whatever a tool is called and given, there is an action and nothing throws", () => {
  const tool = fc.oneof(fc.string(), fc.constantFrom(...ROWS.map(([name]) => name)));
  const key = fc.constantFrom(
    ...["command", "args", "file_path", "path", "paths", "files", "edits", "glob", "uri", "source"],
    ...["commands", "program", "code", "language", "script", "sql", "queries", "to", "hooks"],
  );
  const input = fc.dictionary(key, fc.jsonValue());
  fc.assert(fc.property(tool, input, (name, given) => {
    assert.ok(actions(name, given as JsonObject).length > 0);
  }));
});

Deno.test("a command given as words is read back as exactly these words", async () => {
  const word = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) =>
    !/[\0\r\n]/.test(text)
  );
  await fc.assert(fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (args) => {
    const [action] = actions("Bash", { command: ["prog", ...args] });
    const command = describeAction(action ?? assert.fail());
    const { invocations } = await readCommand(command, { cwd: "/r", home: "/h" });
    assert.deepEqual(invocations[0]?.args.map((one) => one.value), args, command);
  }));
});
