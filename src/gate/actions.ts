/**
 * Reads from a hook call what it would do. The only place where the gate looks at a tool's input.
 *
 * Tool names and inputs are those of the Claude Code shape (https://code.claude.com/docs/en/hooks);
 * inputs are also taken by what they hold, since other agents fill the same shape with other keys.
 */
import type { Action, HookCall, JsonObject, TextChange } from "../domain/call.ts";
import { shellWord } from "../domain/words.ts";

const SHELL_TOOLS = new Set(["Bash", "Monitor", "Shell"]);
const WRITE_TOOLS = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);
const READ_TOOLS = new Set(["Read", "NotebookRead", "LS"]);
/** Tools that take neither a command nor a file of this machine. */
const PLAIN_TOOLS = new Set([
  "WebFetch",
  "WebSearch",
  "Agent",
  "Task",
  "TodoWrite",
  "ExitPlanMode",
]);

const PATH_KEYS = ["file_path", "notebook_path", "path", "filePath", "filename", "uri"] as const;
const READ_WORDS = /(?:^|[_-])(?:read|get|list|search|find|view|stat|info|tree|show|fetch)/i;

function text(input: JsonObject, key: string): string | undefined {
  const value = input[key];
  return typeof value === "string" ? value : undefined;
}

/** A `file:` URI as a path; anything else as it is. */
function asPath(value: string): string {
  if (!/^file:\/\//i.test(value)) return value;
  try {
    return decodeURIComponent(new URL(value).pathname);
  } catch {
    return value;
  }
}

/** The first path-like field of an input that holds a non-empty string. */
function pathIn(input: JsonObject): string | undefined {
  for (const key of PATH_KEYS) {
    const value = text(input, key);
    if (value !== undefined && value !== "" && !/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(value)) {
      return asPath(value);
    }
  }
  return undefined;
}

/** Every path of an input that names several. */
function pathsIn(input: JsonObject): string[] {
  const many = input["paths"] ?? input["files"];
  const listed = Array.isArray(many)
    ? many.filter((one): one is string => typeof one === "string" && one !== "").map(asPath)
    : [];
  const moved = ["source", "destination", "source_path", "destination_path", "new_path", "old_path"]
    .map((key) => text(input, key))
    .filter((one): one is string => one !== undefined && /[/\\.]/.test(one))
    .map(asPath);
  const one = pathIn(input);
  return [...(one === undefined ? [] : [one]), ...listed, ...moved];
}

function changesOf(tool: string, input: JsonObject): TextChange[] {
  if (tool === "Write") return [{ before: undefined, after: text(input, "content") ?? "" }];
  if (tool === "NotebookEdit") {
    return [{ before: undefined, after: text(input, "new_source") ?? "" }];
  }
  const edits = Array.isArray(input["edits"]) ? input["edits"] : [input];
  return edits.filter(isObject).map((edit) => ({
    before: text(edit, "old_string") ?? "",
    after: text(edit, "new_string") ?? "",
  }));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A `command` with its `args`, as one command line. */
function commandIn(input: JsonObject): string | undefined {
  const command = input["command"] ?? input["cmd"];
  if (Array.isArray(command) && command.every((word) => typeof word === "string")) {
    return command.map(shellWord).join(" ");
  }
  if (typeof command !== "string") return undefined;
  const args = input["args"];
  if (!Array.isArray(args)) return command;
  return [command, ...args.filter((one) => typeof one === "string").map(shellWord)].join(" ");
}

/**
 * What a search reads: the folder, and what its filter names. A filter that begins with a wildcard
 * (`*.ts`) means files of a kind, so one made-up name stands for them; one that begins with text
 * (`.env*`) may name a secret, and keeps its wildcards.
 */
function searchActions(input: JsonObject, cwd: string): Action[] {
  const base = pathIn(input) ?? cwd;
  const filter = text(input, "glob");
  if (filter === undefined || filter === "") return [{ kind: "read", path: base }];
  const segments = filter.replace(/(?:^|\/)\*\*(?=\/)/g, "").split("/").filter((one) => one !== "");
  const last = segments.pop() ?? "";
  const named = /^[*?[]/.test(last) ? last.replace(/^[*?]+/, "file").replaceAll("*", "") : last;
  const below = [...segments, named].join("/");
  const path = filter.startsWith("/")
    ? `/${below}`
    : filter.startsWith("~")
    ? below
    : `${base}/${below}`;
  return [{ kind: "read", path: base }, { kind: "read", path }];
}

/** What a tool that gitvow does not know by name would do, judged by its input's fields. */
function byFields(tool: string, input: JsonObject): Action[] {
  const command = commandIn(input);
  const actions: Action[] = [];
  if (command !== undefined && command.trim() !== "") {
    actions.push({ kind: "shell", command, dialect: "posix" });
  }
  for (const key of ["sql", "query", "statement", "statements"]) {
    const statements = text(input, key);
    if (statements !== undefined && /\s/.test(statements)) {
      actions.push({ kind: "sql", statements });
    }
  }
  const readsOnly = READ_WORDS.test(tool.replace(/^mcp__.*?__/, ""));
  for (const path of pathsIn(input)) {
    if (!readsOnly) actions.push({ kind: "write", path, changes: [] });
    actions.push({ kind: "read", path });
  }
  return actions;
}

/** The actions of one PreToolUse call, at least one. */
export function actionsOf(call: HookCall): Action[] {
  const { tool_name: tool, tool_input: input, cwd } = call.payload;
  const unclear = (why: string): Action[] => [{ kind: "unclear", tool, why }];
  if (tool === "") return unclear("the call names no tool");
  if (SHELL_TOOLS.has(tool) || tool === "PowerShell") {
    const command = commandIn(input);
    if (command === undefined) {
      // Claude Code's Monitor watches a socket instead of a command when it is given one.
      if (tool === "Monitor" && input["ws"] !== undefined) return [{ kind: "other", tool }];
      return unclear(`${tool} without a command that is text`);
    }
    return [{ kind: "shell", command, dialect: tool === "PowerShell" ? "powershell" : "posix" }];
  }
  if (WRITE_TOOLS.has(tool)) {
    const path = pathIn(input);
    if (path === undefined) return unclear(`${tool} without a path that is text`);
    return [{ kind: "write", path, changes: changesOf(tool, input) }];
  }
  // Glob lists names and reads no file.
  if (tool === "Glob") return [{ kind: "other", tool }];
  if (tool === "Grep") return searchActions(input, cwd);
  if (READ_TOOLS.has(tool)) {
    const path = pathIn(input);
    if (path === undefined && tool !== "LS") return unclear(`${tool} without a path that is text`);
    return [{ kind: "read", path: path ?? cwd }];
  }
  if (tool.startsWith("mcp__")) return [{ kind: "mcp", tool }, ...byFields(tool, input)];
  if (PLAIN_TOOLS.has(tool)) return [{ kind: "other", tool }];
  return [{ kind: "other", tool }, ...byFields(tool, input)];
}

/** One line for the record and for messages: the command, the path, or the tool's name. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case "shell":
      return action.command;
    case "sql":
      return action.statements;
    case "write":
    case "read":
      return action.path;
    case "mcp":
    case "other":
    case "unclear":
      return action.tool;
  }
}
