/** Turns a parsed policy file into rules that are ready to match, or says everything wrong with it. */
import schema from "../../schemas/policy.schema.json" with { type: "json" };
import { Failure } from "../domain/failure.ts";
import { idleParts } from "./idle.ts";
import type { Origin, PolicyLayer, ProviderConfig } from "./policy.ts";
import { QUESTIONS } from "./policy.ts";
import {
  type Checkable,
  LazyMcpRule,
  LazyPathRule,
  LazyPatternRule,
  LazyProgramRule,
} from "./rules.ts";
import type { PolicyFile } from "./schema.ts";
import { type Schema, type ShapeIssue, shapeIssues, unknownKeys } from "./shape.ts";

/** Where a policy file stands and whose it is. */
export interface LayerSource {
  readonly path: string;
  /** The path as a person would write it. */
  readonly file: string;
  readonly scope: "user" | "repository";
  readonly repo: string | undefined;
  /** SHA-256 of the file's bytes, lower-case hex. */
  readonly sha256: string;
  /** True where the file system folds letter case. */
  readonly folds: boolean;
}

const SCHEMA = schema as Schema;

const COMMAND_KEYS = ["bash_deny", "bash_confirm"] as const;
const PATH_KEYS = ["path_deny", "path_confirm", "read_deny", "read_confirm"] as const;
const MCP_KEYS = ["mcp_deny", "mcp_allow"] as const;

type Path = readonly (string | number)[];

/** The rules of one list, made but not compiled. */
function commandRules(
  key: (typeof COMMAND_KEYS)[number],
  file: PolicyFile,
  source: LayerSource,
): (LazyPatternRule | LazyProgramRule)[] {
  return (file[key] ?? []).map((rule, index) =>
    "pattern" in rule
      ? new LazyPatternRule(rule, origin(key, index, source))
      : new LazyProgramRule(rule, origin(key, index, source))
  );
}

function pathRules(
  key: (typeof PATH_KEYS)[number],
  file: PolicyFile,
  source: LayerSource,
): LazyPathRule[] {
  return (file[key] ?? []).map((rule, index) =>
    new LazyPathRule(rule, origin(key, index, source), source.folds)
  );
}

function mcpRules(
  key: (typeof MCP_KEYS)[number],
  file: PolicyFile,
  source: LayerSource,
): LazyMcpRule[] {
  const sense = key === "mcp_allow" ? "excuses" : "catches";
  return (file[key] ?? []).map((name, index) =>
    new LazyMcpRule(name, origin(key, index, source), sense)
  );
}

function origin(key: string, index: number, source: LayerSource): Origin {
  return { file: source.file, rule: `${key}[${index}]` };
}

/**
 * Everything wrong with a policy file's value: its shape, and every pattern and glob in it. A file
 * without issues loads with `layerOf`.
 */
export function policyIssues(value: unknown, source: LayerSource): ShapeIssue[] {
  const shape = shapeIssues(value, SCHEMA);
  const shaped = without(value, shape);
  // The schema looks at one way alone, so the other may hold anything and is not compiled.
  const twofold = twofoldRules(shaped);
  const file = without(shaped, twofold);
  const issues: ShapeIssue[] = [...shape, ...twofold];
  const lists: (readonly [string, readonly Checkable[]])[] = [
    ...COMMAND_KEYS.map((key) => [key, commandRules(key, file, source)] as const),
    ...PATH_KEYS.map((key) => [key, pathRules(key, file, source)] as const),
    ...MCP_KEYS.map((key) => [key, mcpRules(key, file, source)] as const),
  ];
  for (const [key, rules] of lists) {
    for (const [index, rule] of rules.entries()) {
      for (const part of rule.parts()) {
        const message = whyNot(part.compile);
        if (message !== undefined) issues.push({ path: [key, index, ...part.path], message });
      }
    }
  }
  return [...issues, ...emptyCommands(file)];
}

/** The keys of a policy's value that have none of the issues. */
function without(value: unknown, issues: readonly ShapeIssue[]): PolicyFile {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const wrong = new Set(issues.map((issue) => issue.path[0]));
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !wrong.has(key)),
  ) as PolicyFile;
}

function whyNot(compile: () => unknown): string | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Rules that match in two ways at once, so that nobody can tell which is meant. */
function twofoldRules(file: PolicyFile): ShapeIssue[] {
  const both = (path: Path, rule: object, other: string): ShapeIssue[] =>
    "pattern" in rule && other in rule
      ? [{ path, message: `must have either "pattern" or "${other}", not both` }]
      : [];
  return [
    ...COMMAND_KEYS.flatMap((key) =>
      (file[key] ?? []).flatMap((rule, index) => both([key, index], rule, "program"))
    ),
    ...PATH_KEYS.flatMap((key) =>
      (file[key] ?? []).flatMap((rule, index) => both([key, index], rule, "glob"))
    ),
  ];
}

function emptyCommands(file: PolicyFile): ShapeIssue[] {
  const message = "must not be empty";
  const providers = (file.providers ?? []).flatMap((provider, index) =>
    provider.command.trim() === "" ? [{ path: ["providers", index, "command"], message }] : []
  );
  const classifier = file.llm_classifier;
  const missing = classifier?.enabled === true && (classifier.command ?? "").trim() === "";
  return missing ? [...providers, { path: ["llm_classifier", "command"], message }] : providers;
}

/** The layer of a policy file that has no issues; its patterns are compiled when first used. */
export function layerOf(value: unknown, source: LayerSource): PolicyLayer {
  const file = value as PolicyFile;
  const classifier = file.llm_classifier;
  return {
    path: source.path,
    file: source.file,
    scope: source.scope,
    repo: source.repo,
    sha256: source.sha256,
    bashDeny: commandRules("bash_deny", file, source),
    bashConfirm: commandRules("bash_confirm", file, source),
    pathDeny: pathRules("path_deny", file, source),
    pathConfirm: pathRules("path_confirm", file, source),
    readDeny: pathRules("read_deny", file, source),
    readConfirm: pathRules("read_confirm", file, source),
    mcpDeny: mcpRules("mcp_deny", file, source),
    mcpAllow: mcpRules("mcp_allow", file, source),
    providers: (file.providers ?? []).map((provider, index): ProviderConfig => ({
      name: provider.name,
      command: provider.command,
      questions: provider.questions ?? QUESTIONS,
      timeoutSeconds: provider.timeout ?? 10,
      origin: { file: source.file, rule: `providers[${index}]` },
    })),
    classifier: classifier?.enabled === true
      ? {
        command: classifier.command ?? "",
        timeoutSeconds: classifier.timeout ?? 30,
        origin: { file: source.file, rule: "llm_classifier" },
      }
      : undefined,
    indirectCommands: file.indirect_commands,
    unreadCode: file.unread_code,
  };
}

/** What is no error but likely a slip: keys gitvow does not know, and rules that never match. */
export function policyWarnings(value: unknown): ShapeIssue[] {
  const file = without(value, shapeIssues(value, SCHEMA));
  const twofold = new Set(twofoldRules(file).map(({ path }) => path.join("/")));
  const unknown = unknownKeys(value, SCHEMA)
    .filter(({ path }) => !twofold.has(path.slice(0, 2).join("/")));
  return [...unknown, ...idleParts(file, { commands: COMMAND_KEYS, paths: PATH_KEYS })];
}
