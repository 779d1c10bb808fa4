/**
 * gitvow's own guard: what an agent may not change about the gate itself. Not configurable.
 *
 * Changing gitvow's files or an agent's hook configuration is asked about; running the commands
 * that grant, trust or remove is denied, since only a person may (`own_commands.ts`).
 */
import type { HookCall } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import { compileGlob, type Glob, globMatches, globMayReach } from "../policy/glob.ts";
import { dirname, relativeTo } from "../system/paths.ts";
import type { GateContext } from "./context.ts";
import { matched } from "./findings.ts";
import { isOwnFile, judgeOwnCommands } from "./own_commands.ts";
import { reaches, subjectOf, type Touched, touchedFiles } from "./paths.ts";

const EXECUTABLE = "gitvow's executable";

/** What the guard protects, by what it is. */
const GUARDED: readonly { readonly what: string; readonly globs: readonly string[] }[] = [
  {
    what: "gitvow's own policy and records",
    globs: ["~/.gitvow/**", ".gitvow/**", "**/.gitvow/**"],
  },
  {
    what: EXECUTABLE,
    globs: ["**/bin/gitvow", "**/bin/gitvow.exe", "**/bin/gitvow-agent-*"],
  },
  {
    what: "an agent's hook configuration",
    globs: [
      "**/.claude/settings*.json",
      "**/.claude/hooks/**",
      "**/.codex/hooks.json",
      "**/.codex/config.toml",
      "**/.gemini/settings.json",
      "**/.cursor/hooks.json",
      "**/.cursor/cli.json",
      "**/.copilot/hooks/**",
      "**/.copilot/config.json",
      "**/.github/hooks/**",
      "**/.factory/settings*.json",
      "**/.factory/hooks.json",
      "/etc/claude-code/**",
      "/etc/codex/**",
    ],
  },
];

/** Folders, below a home or a repository, in which guarded files stand. */
const FOLDERS = [".gitvow", ".claude", ".codex", ".gemini", ".cursor", ".copilot", ".factory"];
const DEEPER = [".claude/hooks", ".copilot/hooks", ".github/hooks"];

/** Programs that change everything below a folder they are given, or take it away with them. */
const SWEEP: ReadonlySet<string> = new Set(["chmod", "chown", "chgrp", "chattr", "setfacl"]);

/** Programs that copy whole folders. */
const COPY_TREES: ReadonlySet<string> = new Set(["cp", "rsync", "scp", "tar", "zip", "mv", "ln"]);

/** The globs, compiled when first needed: most calls touch no file. */
let compiled: readonly { readonly what: string; readonly globs: readonly Glob[] }[] | undefined;

function guarded() {
  compiled ??= GUARDED.map(({ what, globs }) => ({ what, globs: globs.map(compileGlob) }));
  return compiled;
}

/** What gitvow itself has to say about a call. */
export function guardStage(_call: HookCall, context: GateContext): Promise<Finding[]> {
  const findings = context.commands.flatMap(({ reading }) => judgeOwnCommands(reading, context));
  for (const file of touchedFiles(context, context.speller)) {
    const what = whatIsGuarded(file, context);
    if (what === undefined) continue;
    findings.push({
      outcome: "confirm",
      subject: subjectOf(file),
      reason: `it is ${what}`,
      evidence: [matched(file.path)],
      source: "gitvow's own guard",
    });
  }
  return Promise.resolve(findings);
}

function whatIsGuarded(file: Touched, context: GateContext): string | undefined {
  const sweeps = takesAllBelow(file);
  if (reachesProgram(file, sweeps, context)) return EXECUTABLE;
  if (file.verb === "read") return undefined;
  for (const { what, globs } of guarded()) {
    if (globs.some((glob) => reaches(file, glob))) return what;
  }
  return sweeps ? guardedBelow(file, context) : undefined;
}

/** True where the file goes with everything below it: `rm -r`, `mv`, `chmod -R`. */
function takesAllBelow(file: Touched): boolean {
  if (file.verb === "delete") return file.recursive || file.by === "mv";
  return file.verb === "write" && file.recursive && SWEEP.has(file.by ?? "");
}

/**
 * True where gitvow's program is written, or read by a command: a copy of it under another name
 * would slip past the rule about its commands.
 */
function reachesProgram(file: Touched, sweeps: boolean, context: GateContext): boolean {
  const places = placesOf(file);
  if (file.verb === "read" && file.by === undefined) return false;
  if (places.some((path) => isOwnFile(path, context))) return true;
  const copied = file.verb === "read" && file.recursive && COPY_TREES.has(file.by ?? "");
  if (!sweeps && !copied) return false;
  const own = [...context.executables, `${context.home}/.gitvow/bin`];
  return own.some((path) => places.some((place) => relativeTo(place, path) !== undefined));
}

function placesOf({ spelled }: Touched): readonly string[] {
  return [spelled.absolute, spelled.real];
}

/** What guarded thing stands on disk below a folder that is moved or deleted whole. */
function guardedBelow(file: Touched, context: GateContext): string | undefined {
  for (const folder of foldersBelow(file, context)) {
    for (const name of context.system.files.list(folder)) {
      const found = guarded().find(({ globs }) =>
        globs.some((glob) => globMatches(glob, [`${folder}/${name}`]))
      );
      if (found !== undefined) return found.what;
    }
  }
  return undefined;
}

/** Folders with guarded files that stand at or below the file, or that its wildcards may name. */
function foldersBelow(file: Touched, context: GateContext): string[] {
  const tops = [
    context.home,
    ...context.policy.layers.map((layer) => dirname(dirname(layer.path))),
  ];
  if (context.repo !== undefined) tops.push(context.repo);
  const places = placesOf(file).map((place) => file.glob ? dirname(place) : place);
  const all = [...new Set([...tops, ...places, ...places.map(dirname)])].flatMap((top) =>
    [...FOLDERS, ...DEEPER].map((folder) => top === "/" ? `/${folder}` : `${top}/${folder}`)
  );
  return all.filter((folder) => file.glob ? named(file, folder) : below(places, folder));
}

function below(places: readonly string[], folder: string): boolean {
  return places.some((place) => relativeTo(place, folder) !== undefined);
}

/** True where an operand with wildcards may name the folder or one above it. */
function named(file: Touched, folder: string): boolean {
  for (let at = folder; at !== "/"; at = dirname(at)) {
    const glob = compileGlob(at.replace(/[\\*?[\]{}]/g, "\\$&"));
    if (file.spelled.all.some((one) => globMayReach(glob, one, false))) return true;
  }
  return false;
}
