/**
 * PowerShell's aliases and the cmdlets that touch files. Data only.
 */

/** Aliases (and other shells' names that PowerShell understands) to lower-case command names. */
export const POWERSHELL_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "remove-item": "ri rd del erase rm rmdir",
    "get-content": "gc cat type",
    "set-content": "sc",
    "add-content": "ac",
    "clear-content": "clc",
    "clear-item": "cli",
    "copy-item": "copy cp cpi",
    "move-item": "move mv mi",
    "rename-item": "ren rni",
    "new-item": "ni",
    "set-item": "si",
    "get-childitem": "ls dir gci",
    "set-location": "cd chdir sl",
    "invoke-expression": "iex",
    "invoke-webrequest": "iwr curl wget",
    "invoke-restmethod": "irm",
    "invoke-command": "icm",
    "invoke-item": "ii",
    "start-process": "saps start",
    "stop-process": "kill spps",
    "foreach-object": "% foreach",
    "where-object": "? where",
    "write-output": "echo write",
    "out-file": "of",
    "remove-itemproperty": "rp",
    "tee-object": "tee",
    "get-location": "pwd gl",
    "select-string": "sls",
  }).flatMap(([name, aliases]) =>
    aliases.split(" ").map((alias): [string, string] => [alias, name])
  ),
);

/** What a cmdlet does to the files it names. */
export interface Cmdlet {
  readonly how: "read" | "write" | "delete";
  /** A second operand is written. */
  readonly moves?: true;
  /** Only the first operand is a file. */
  readonly only?: true;
}

/** Cmdlets that touch files, by lower-case name. */
export const CMDLETS: ReadonlyMap<string, Cmdlet> = new Map<string, Cmdlet>([
  ["remove-item", { how: "delete" }],
  ["clear-content", { how: "write" }],
  ["clear-item", { how: "write" }],
  ["set-content", { how: "write", only: true }],
  ["add-content", { how: "write", only: true }],
  ["out-file", { how: "write", only: true }],
  ["tee-object", { how: "write", only: true }],
  ["new-item", { how: "write", only: true }],
  ["set-item", { how: "write", only: true }],
  ["rename-item", { how: "delete", moves: true }],
  ["move-item", { how: "delete", moves: true }],
  ["copy-item", { how: "read", moves: true }],
  ["get-content", { how: "read" }],
  ["select-string", { how: "read" }],
]);
