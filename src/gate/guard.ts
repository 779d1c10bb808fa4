/**
 * gitvow's own guard: what an agent may not change about the gate itself. Not configurable.
 *
 * Changing gitvow's files or an agent's hook configuration is asked about; running the commands
 * that grant, trust or remove is denied, since only a person may.
 */
import type { HookCall } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import { compileGlob, type Glob } from "../policy/glob.ts";
import type { Invocation } from "../shell/reading.ts";
import { relativeTo, resolve } from "../system/paths.ts";
import { argumentsOf } from "./arguments.ts";
import type { GateContext } from "./context.ts";
import { matched } from "./findings.ts";
import { reaches, subjectOf, type Touched, touchedFiles } from "./paths.ts";

/** Commands of gitvow that only a person may run. */
const PERSONAL = new Set(["approve", "trust", "uninstall", "install"]);

/** What the guard protects, by what it is. */
const GUARDED: readonly { readonly what: string; readonly globs: readonly string[] }[] = [
  {
    what: "gitvow's own policy and records",
    globs: ["~/.gitvow/**", ".gitvow/**", "**/.gitvow/**"],
  },
  {
    what: "gitvow's executable",
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

/** The globs, compiled when first needed: most calls touch no file. */
let compiled: readonly { readonly what: string; readonly globs: readonly Glob[] }[] | undefined;

function guarded() {
  compiled ??= GUARDED.map(({ what, globs }) => ({ what, globs: globs.map(compileGlob) }));
  return compiled;
}

/** What gitvow itself has to say about a call. */
export function guardStage(_call: HookCall, context: GateContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { reading } of context.commands) {
    for (const invocation of reading.invocations) {
      const found = judgeCommand(invocation, context);
      if (found !== undefined) findings.push(found);
    }
  }
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

/** Denies `gitvow approve` and its like, under whatever name or launcher gitvow is started. */
function judgeCommand(invocation: Invocation, context: GateContext): Finding | undefined {
  const words = [invocation.program, ...invocation.args];
  const at = words.findIndex((word, index) =>
    index === 0 && invocation.name === "gitvow" ||
    isExecutable(word.value, invocation, context)
  );
  if (at < 0) return undefined;
  const rest: Invocation = { ...invocation, name: "gitvow", args: words.slice(at + 1) };
  const verb = argumentsOf(rest).verbPlaces.map((place) => place[0]?.text)
    .find((text) => text !== undefined && PERSONAL.has(text));
  if (verb === undefined) return undefined;
  return {
    outcome: "deny",
    subject: `run gitvow ${verb}`,
    reason: `only a person may run gitvow ${verb}, at their own terminal`,
    evidence: [matched(invocation.source)],
    source: "gitvow's own guard",
  };
}

function isExecutable(
  value: string | undefined,
  invocation: Invocation,
  context: GateContext,
): boolean {
  if (value === undefined || !/gitvow/i.test(value)) return false;
  const base = invocation.place.kind === "here" ? invocation.place.cwd : undefined;
  const path = resolve(base ?? context.cwd, value);
  return /\/gitvow(?:\.exe|\.js)?$/.test(path) || context.executables.includes(path);
}

function whatIsGuarded(file: Touched, context: GateContext): string | undefined {
  const { absolute, real } = file.spelled;
  const isGate = context.executables.some((path) =>
    path === absolute || path === real ||
    (file.recursive && (relativeTo(absolute, path) ?? relativeTo(real, path)) !== undefined)
  );
  // A copy of gitvow under another name would slip past the rule about its commands.
  if (isGate && (file.verb !== "read" || file.by !== undefined)) return "gitvow's executable";
  if (file.verb === "read") return undefined;
  for (const { what, globs } of guarded()) {
    if (globs.some((glob) => reaches(file, glob))) return what;
  }
  return undefined;
}
