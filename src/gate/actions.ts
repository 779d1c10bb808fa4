/**
 * Reads from a hook call what it would do. The only place where the gate looks at a tool's input.
 *
 * Tool names and inputs are those of the Claude Code shape (https://code.claude.com/docs/en/hooks);
 * inputs are also taken by what they hold, since other agents fill the same shape with other keys.
 */
import type { Action, HookCall, JsonObject, TextChange } from "../domain/call.ts";
import { shellWord } from "../domain/words.ts";
import { guardedWords } from "./guarded.ts";
import { commandsIn, fieldsOf, type InputFields, isCommandKey, isPathKey } from "./input_fields.ts";

const SHELL_TOOLS = new Set(["Bash", "Monitor", "Shell"]);
const WRITE_TOOLS = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);
const READ_TOOLS = new Set(["Read", "NotebookRead", "LS"]);
/** Tools that take neither a command nor a file of this machine. */
const PLAIN_TOOLS = new Set(
  ("WebFetch WebSearch Agent Task TodoWrite ExitPlanMode EnterPlanMode AskUserQuestion TaskCreate " +
    "TaskUpdate TaskGet TaskList TaskOutput TaskStop KillShell BashOutput Skill SlashCommand " +
    "ToolSearch SendMessage ListMcpResourcesTool ReadMcpResourceTool").split(" "),
);

/** Words in a tool's name that say it changes nothing, and those that say it does. */
const READ_WORDS = new Set(
  "read get list search find view stat info tree show fetch grep glob lookup describe".split(" "),
);
const WRITE_WORDS = new Set(
  ("write edit delete remove move rename replace create update put save upload copy patch set add " +
    "append insert modify overwrite apply truncate download").split(" "),
);

/** UTF-16 units of the longest path that is judged; no operating system opens one as long. */
const PATH_LIMIT = 8 * 1024;

function text(input: JsonObject, key: string): string | undefined {
  const value = input[key];
  return typeof value === "string" ? value : undefined;
}

/**
 * What a tool may take for the path it was given: a `file:` URI decoded, blanks and control
 * characters around and inside it dropped, everything from a null character cut off, and itself.
 */
function readingsOf(value: string): string[] {
  let path = value;
  if (/^\s*file:/i.test(value)) {
    try {
      path = decodeURIComponent(new URL(value).pathname);
    } catch {
      path = value.replace(/^\s*file:\/*/i, "/");
    }
  }
  const plain = [...path].filter((char) => char >= " " && char !== "\x7f").join("").trim();
  const cut = path.split("\0", 1)[0] ?? "";
  return [...new Set([path, plain, cut, value])].filter((one) => one !== "");
}

/** The paths in an input's own fields, in the order of the input. */
function pathsIn(input: JsonObject): string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(input)) {
    if (!isPathKey(key)) continue;
    // A list under a name for one path is no path, and which of it is meant cannot be known.
    for (const one of Array.isArray(value) && /s$/i.test(key) ? value : [value]) {
      if (typeof one !== "string" || one === "") continue;
      if (/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(one)) continue;
      found.push(...readingsOf(one));
    }
  }
  return [...new Set(found)];
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

/**
 * What a search reads: the folder, and what its filter names. A filter that begins with a wildcard
 * (`*.ts`) means files of a kind, so one made-up name stands for them; one that begins with text
 * (`.env*`) may name a secret, and keeps its wildcards.
 */
function searchActions(input: JsonObject, base: string): Action[] {
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

/** The words of a tool's own name: `mcp__x__readFile` has `read` and `file`. */
function wordsOf(tool: string): string[] {
  return tool.replace(/^mcp__.*?__/, "").replace(/([a-z0-9])(?=[A-Z])/g, "$1_").toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** What a tool that gitvow does not know by name would do, judged by its input's fields. */
function byFields(tool: string, input: JsonObject): Action[] {
  const fields = fieldsOf(input);
  const actions: Action[] = [];
  for (const command of fields.commands) {
    actions.push({ kind: "shell", command, dialect: "posix" });
  }
  for (const code of fields.code) {
    for (const command of runsOf(code)) actions.push({ kind: "shell", command, dialect: "posix" });
  }
  for (const statements of fields.statements) actions.push({ kind: "sql", statements });
  const words = wordsOf(tool);
  const readsOnly = words.some((word) => READ_WORDS.has(word)) &&
    !words.some((word) => WRITE_WORDS.has(word));
  for (const path of new Set(fields.paths.flatMap(readingsOf))) {
    if (!readsOnly) actions.push({ kind: "write", path, changes: [] });
    actions.push({ kind: "read", path });
  }
  for (const path of patched(fields)) actions.push({ kind: "write", path, changes: [] });
  const why = fields.bound ?? speaksOfHooks(tool, words, fields);
  if (why !== undefined) actions.push({ kind: "unclear", tool, why });
  return actions;
}

/** The command lines that would run a text of code; where its language is not said, the likely ones. */
function runsOf({ text, language }: InputFields["code"][number]): string[] {
  const word = shellWord(text);
  if (language !== undefined) {
    if (/^(?:ba|z|k|da)?sh|shell/i.test(language)) return [text];
    if (/^py|ipython|jupyter/i.test(language)) return [`python3 -c ${word}`];
    if (/^(?:js|ts|node|deno|bun|java-?script|type-?script)/i.test(language)) {
      return [`node -e ${word}`];
    }
    if (/^(?:ruby|rb|perl|pl)$/i.test(language)) {
      return [`${/^r/i.test(language) ? "ruby" : "perl"} -e ${word}`];
    }
  }
  const isCode =
    /=>|\w\(.{0,200}\)|[{;]$|^[ \t]*(?:import|from|def|function|const|let|var|await)\s/m;
  return isCode.test(text) ? [`python3 -c ${word}`, `node -e ${word}`] : [text];
}

/** Lines of a patch that name a file it changes. */
const PATCH_LINE =
  /^(?:\*\*\* (?:Add File|Update File|Delete File|Move to): |(?:\+\+\+|---) (?:[ab]\/)?|rename (?:from|to) )([^\t\r\n]+)/gm;

/** Files that the patches in an input change. */
function patched({ texts }: InputFields): string[] {
  const found = texts.flatMap((one) =>
    /^(?:\*\*\* |\+\+\+ |--- |rename )/m.test(one)
      ? [...one.matchAll(PATCH_LINE)].map((line) => (line[1] ?? "").trim())
      : []
  );
  return [...new Set(found)].filter((path) => path !== "" && path !== "/dev/null");
}

/** Why an input is taken to be about hooks or gitvow's files, which no field of it names as a path. */
function speaksOfHooks(
  tool: string,
  words: readonly string[],
  { texts }: InputFields,
): string | undefined {
  const short = texts.filter((one) => one.length <= 200);
  const named = short.find((one) => /^(?:disable|allow)\w*hooks?\w*$/i.test(one));
  if (named !== undefined) return `it names ${named}, a setting of the agent's hooks`;
  if (words.some((word) => /^(?:config|configure|settings?)$/.test(word))) {
    const about = short.find((one) => /^[\w.$[\]-]*\bhooks\b[\w.$[\]-]*$/i.test(one));
    if (about !== undefined) return `it names ${about}, a setting of the agent's hooks`;
  }
  if (tool.startsWith("mcp__")) return undefined;
  const guarded = texts.flatMap(guardedWords)
    .find((word) => /\.gitvow|hooks|settings[\w.-]*\.json|config\.(?:toml|json)/i.test(word));
  return guarded === undefined ? undefined : `its text names ${guarded}`;
}

/** The commands of a shell tool: of every field that holds one. */
function shellActions(tool: string, input: JsonObject): Action[] {
  const dialect = tool === "PowerShell" ? "powershell" : "posix";
  const found = Object.entries(input).filter(([key]) => isCommandKey(key)).flatMap(([, value]) =>
    value === ""
      ? [""]
      : typeof value === "string" && value.trim() === ""
      ? [value]
      : commandsIn(value, input["args"])
  );
  return [...new Set(found)].map((command) => ({ kind: "shell", command, dialect }));
}

/** The actions of one PreToolUse call, at least one. */
export function actionsOf(call: HookCall): Action[] {
  const tool = call.payload.tool_name;
  const actions = allOf(call);
  const long = actions.find((action) => "path" in action && action.path.length > PATH_LIMIT);
  if (long === undefined) return actions;
  const why = `it names a path longer than ${PATH_LIMIT} characters`;
  return [...actions, { kind: "unclear", tool, why }];
}

function allOf(call: HookCall): Action[] {
  const { tool_name: tool, tool_input: input, cwd } = call.payload;
  const unclear = (why: string): Action[] => [{ kind: "unclear", tool, why }];
  if (tool === "") return unclear("the call names no tool");
  if (SHELL_TOOLS.has(tool) || tool === "PowerShell") {
    const commands = shellActions(tool, input);
    if (commands.length > 0) return commands;
    // Claude Code's Monitor watches a socket instead of a command when it is given one.
    if (tool === "Monitor" && input["ws"] !== undefined) return [{ kind: "other", tool }];
    return unclear(`${tool} without a command that is text`);
  }
  const paths = pathsIn(input);
  if (WRITE_TOOLS.has(tool)) {
    if (paths.length === 0) return unclear(`${tool} without a path that is text`);
    const edits = Array.isArray(input["edits"]) ? input["edits"].filter(isObject) : [];
    const all = new Set([...paths, ...edits.flatMap(pathsIn)]);
    const changes = changesOf(tool, input);
    return [...all].map((path) => ({ kind: "write", path, changes }));
  }
  // Glob lists names and reads no file.
  if (tool === "Glob") return [{ kind: "other", tool }];
  if (tool === "Grep") {
    return (paths.length > 0 ? paths : [cwd]).flatMap((base) => searchActions(input, base));
  }
  if (READ_TOOLS.has(tool)) {
    if (paths.length === 0 && tool !== "LS") return unclear(`${tool} without a path that is text`);
    return (paths.length > 0 ? paths : [cwd]).map((path) => ({ kind: "read", path }));
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
