/**
 * The policy in force: every rule compiled and remembering the file and place it came from.
 */
import type { Pattern } from "./pattern.ts";
import type { Glob } from "./glob.ts";

/** Where a rule stands: `~/.gitvow/policy.json` and `bash_deny[1]`. */
export interface Origin {
  /** The policy file as a person would write it. */
  readonly file: string;
  /** The key and index: `bash_deny[1]`. */
  readonly rule: string;
}

/** When a rule's finding is put to a person; `observe` never is. */
export type When = "immediate" | "commit" | "observe";

/** A regular expression searched in a command's text. */
export interface PatternRule {
  readonly kind: "pattern";
  readonly pattern: Pattern;
  readonly reason: string;
  readonly when: When;
  readonly origin: Origin;
}

/** A rule about one program, matched on the words of an invocation. */
export interface ProgramRule {
  readonly kind: "program";
  /** Base names in lower case, without `.exe`. */
  readonly programs: readonly string[];
  readonly verbs: readonly Pattern[];
  readonly flags: readonly string[];
  readonly args: Pattern | undefined;
  readonly unless: { readonly flags: readonly string[]; readonly args: Pattern | undefined };
  readonly reason: string;
  readonly when: When;
  readonly origin: Origin;
}

export type CommandRule = PatternRule | ProgramRule;

/** Which files are meant: by one pattern, by any of some globs, or by either. */
export interface FileMatch {
  readonly pattern: Pattern | undefined;
  readonly globs: readonly Glob[];
}

/** A rule about a file. */
export interface PathRule {
  readonly match: FileMatch;
  /** What lifts the rule; undefined where nothing does. */
  readonly unless: FileMatch | undefined;
  readonly reason: string;
  readonly when: When;
  readonly origin: Origin;
}

/** A pattern for whole MCP tool names. */
export interface McpRule {
  readonly pattern: Pattern;
  readonly origin: Origin;
}

/** The questions of the provider protocol. */
export const QUESTIONS = ["gate_bearing", "route_gate", "route_callers"] as const;
export type Question = (typeof QUESTIONS)[number];

/** An external program that answers questions of fact. */
export interface ProviderConfig {
  readonly name: string;
  readonly command: string;
  readonly questions: readonly Question[];
  readonly timeoutSeconds: number;
  readonly origin: Origin;
}

/** An external program that judges what nothing else decided. */
export interface ClassifierConfig {
  readonly command: string;
  readonly timeoutSeconds: number;
  readonly origin: Origin;
}

/** What to do about something the text does not tell. */
export type Leniency = "allow" | "observe" | "confirm" | "deny";

/** One policy file, compiled. */
export interface PolicyLayer {
  /** Absolute path of the file. */
  readonly path: string;
  /** The path as a person would write it. */
  readonly file: string;
  /** Whose it is: the user's own, or brought along by a repository. */
  readonly scope: "user" | "repository";
  /** Top level of the repository the file belongs to, absolute; undefined for the user's. */
  readonly repo: string | undefined;
  /** SHA-256 of the file's bytes, lower-case hex. */
  readonly sha256: string;
  readonly bashDeny: readonly CommandRule[];
  readonly bashConfirm: readonly CommandRule[];
  readonly pathDeny: readonly PathRule[];
  readonly pathConfirm: readonly PathRule[];
  readonly readDeny: readonly PathRule[];
  readonly readConfirm: readonly PathRule[];
  readonly mcpDeny: readonly McpRule[];
  readonly mcpAllow: readonly McpRule[];
  readonly providers: readonly ProviderConfig[];
  readonly classifier: ClassifierConfig | undefined;
  /** Undefined where the file does not set it. */
  readonly indirectCommands: Leniency | undefined;
  readonly unreadCode: "confirm" | "deny" | undefined;
}

/** The layers in force for one call: at least one. */
export interface Policy {
  readonly layers: readonly PolicyLayer[];
}
