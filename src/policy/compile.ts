/** Turns a parsed policy file into rules that are ready to match, or says everything wrong with it. */
import { Failure } from "../domain/failure.ts";
import schema from "../../schemas/policy.schema.json" with { type: "json" };
import { compileGlob } from "./glob.ts";
import { compilePattern, type Pattern, type Sense } from "./pattern.ts";
import type {
  CommandRule,
  McpRule,
  Origin,
  PathRule,
  PolicyLayer,
  ProviderConfig,
  When,
} from "./policy.ts";
import { QUESTIONS } from "./policy.ts";
import type { PolicyFile } from "./schema.ts";
import { type Schema, type ShapeIssue, shapeIssues, unknownKeys } from "./shape.ts";

/** Where a policy file stands and whose it is. */
export interface LayerSource {
  readonly path: string;
  readonly file: string;
  readonly scope: "user" | "repository";
  readonly repo: string | undefined;
  readonly bytes: Uint8Array;
}

/** The rules of a file, or what is wrong with it. */
export type Compiled =
  | { readonly kind: "layer"; readonly layer: PolicyLayer }
  | { readonly kind: "issues"; readonly issues: readonly ShapeIssue[] };

const SCHEMA = schema as Schema;

type Path = readonly (string | number)[];

/** Collects what goes wrong, so that one look shows a person every mistake in the file. */
class Compiler {
  readonly issues: ShapeIssue[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  origin(key: string, index: number): Origin {
    return { file: this.#file, rule: `${key}[${index}]` };
  }

  /** `make()`, or an issue at `path` and undefined. */
  attempt<T>(path: Path, make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.issues.push({ path, message: error.message });
      return undefined;
    }
  }

  pattern(path: Path, source: string, sense?: Sense): Pattern | undefined {
    return this.attempt(path, () => compilePattern(source, sense));
  }

  commandRules(
    key: "bash_deny" | "bash_confirm",
    rules: PolicyFile["bash_deny"],
  ): CommandRule[] {
    return (rules ?? []).flatMap((rule, index) => {
      const compiled = this.#commandRule([key, index], rule, this.origin(key, index));
      return compiled === undefined ? [] : [compiled];
    });
  }

  #commandRule(
    path: Path,
    rule: NonNullable<PolicyFile["bash_deny"]>[number],
    origin: Origin,
  ): CommandRule | undefined {
    const when: When = rule.when ?? "immediate";
    if ("pattern" in rule) {
      if ("program" in rule) {
        this.issues.push({ path, message: 'must have either "pattern" or "program", not both' });
        return undefined;
      }
      const pattern = this.pattern([...path, "pattern"], rule.pattern);
      return pattern && { kind: "pattern", pattern, reason: rule.reason, when, origin };
    }
    const verbs = list(rule.verbs).map((verb, index) =>
      this.attempt([...path, "verbs", index], () => compilePattern(anchored(verb, "(?: |$)")))
    );
    const args = rule.args === undefined ? undefined : this.pattern([...path, "args"], rule.args);
    const unlessArgs = rule.unless?.args === undefined
      ? undefined
      : this.pattern([...path, "unless", "args"], rule.unless.args, "excuses");
    return {
      kind: "program",
      programs: new Set(list(rule.program).map((name) => name.replace(/\.exe$/i, ""))),
      verbs: verbs.filter((verb) => verb !== undefined),
      flags: list(rule.flags),
      args,
      unless: { flags: list(rule.unless?.flags), args: unlessArgs },
      reason: rule.reason,
      when,
      origin,
    };
  }

  pathRules(
    key: "path_deny" | "path_confirm" | "read_deny" | "read_confirm",
    rules: PolicyFile["path_deny"],
  ): PathRule[] {
    return (rules ?? []).flatMap((rule, index): PathRule[] => {
      const rest = { reason: rule.reason, when: rule.when ?? "commit" } as const;
      const origin = this.origin(key, index);
      if ("glob" in rule) {
        if ("pattern" in rule) {
          this.issues.push({
            path: [key, index],
            message: 'must have either "pattern" or "glob", not both',
          });
          return [];
        }
        const glob = this.attempt([key, index, "glob"], () => compileGlob(rule.glob));
        return glob === undefined ? [] : [{ match: { kind: "glob", glob }, ...rest, origin }];
      }
      const pattern = this.pattern([key, index, "pattern"], rule.pattern);
      return pattern === undefined
        ? []
        : [{ match: { kind: "pattern", pattern }, ...rest, origin }];
    });
  }

  mcpRules(key: "mcp_deny" | "mcp_allow", names: readonly string[] | undefined): McpRule[] {
    return (names ?? []).flatMap((name, index) => {
      const sense = key === "mcp_allow" ? "excuses" : "catches";
      const pattern = this.pattern([key, index], anchored(name, "$"), sense);
      return pattern === undefined ? [] : [{ pattern, origin: this.origin(key, index) }];
    });
  }

  providers(providers: PolicyFile["providers"]): ProviderConfig[] {
    return (providers ?? []).map((provider, index) => {
      if (provider.command.trim() === "") {
        this.issues.push({ path: ["providers", index, "command"], message: "must not be empty" });
      }
      return {
        name: provider.name,
        command: provider.command,
        questions: provider.questions ?? QUESTIONS,
        timeoutSeconds: provider.timeout ?? 10,
        origin: this.origin("providers", index),
      };
    });
  }
}

function list(names: string | readonly string[] | undefined): readonly string[] {
  return names === undefined ? [] : typeof names === "string" ? [names] : names;
}

/** `source` held to the start of the text and to `tail`, a leading flag group kept in front. */
function anchored(source: string, tail: string): string {
  const flags = /^\(\?[aiLmsux]+\)/.exec(source)?.[0] ?? "";
  const end = flags.includes("x") ? "\n" : "";
  return `${flags}^(?:${source.slice(flags.length)}${end})${tail}`;
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 of some bytes, as lower-case hex. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
}

/** Compiles the value of a policy file. */
export function compileLayer(value: unknown, source: LayerSource): Compiled {
  const shape = shapeIssues(value, SCHEMA);
  if (shape.length > 0) return { kind: "issues", issues: shape };
  const file = value as PolicyFile;
  const compiler = new Compiler(source.file);
  const classifier = file.llm_classifier;
  if (classifier?.enabled && (classifier.command ?? "").trim() === "") {
    compiler.issues.push({ path: ["llm_classifier", "command"], message: "must not be empty" });
  }
  const layer: PolicyLayer = {
    path: source.path,
    file: source.file,
    scope: source.scope,
    repo: source.repo,
    sha256: () => sha256(source.bytes),
    bashDeny: compiler.commandRules("bash_deny", file.bash_deny),
    bashConfirm: compiler.commandRules("bash_confirm", file.bash_confirm),
    pathDeny: compiler.pathRules("path_deny", file.path_deny),
    pathConfirm: compiler.pathRules("path_confirm", file.path_confirm),
    readDeny: compiler.pathRules("read_deny", file.read_deny),
    readConfirm: compiler.pathRules("read_confirm", file.read_confirm),
    mcpDeny: compiler.mcpRules("mcp_deny", file.mcp_deny),
    mcpAllow: compiler.mcpRules("mcp_allow", file.mcp_allow),
    providers: compiler.providers(file.providers),
    classifier: classifier?.enabled
      ? {
        command: classifier.command ?? "",
        timeoutSeconds: classifier.timeout ?? 30,
        origin: { file: source.file, rule: "llm_classifier" },
      }
      : undefined,
    indirectCommands: file.indirect_commands,
    unreadCode: file.unread_code,
  };
  return compiler.issues.length > 0
    ? { kind: "issues", issues: compiler.issues }
    : { kind: "layer", layer };
}

/** Keys of a policy value that gitvow does not know: typing mistakes, most often. */
export function policyWarnings(value: unknown): ShapeIssue[] {
  return unknownKeys(value, SCHEMA);
}
