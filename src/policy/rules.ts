/**
 * Rules made from a policy file's entries. Their patterns and globs are compiled when first looked
 * at, since one hook looks at few of them; `parts` lists them for checking a whole file.
 */
import { compileGlob, type Glob, lazyGlob } from "./glob.ts";
import { compilePattern, type Pattern, type Sense } from "./pattern.ts";
import type {
  FileMatch,
  McpRule,
  Origin,
  PathRule,
  PatternRule,
  ProgramRule,
  When,
} from "./policy.ts";
import type { PolicyFile } from "./schema.ts";

type RawCommandRule = NonNullable<PolicyFile["bash_deny"]>[number];
type RawPatternRule = Extract<RawCommandRule, { pattern: string }>;
type RawProgramRule = Extract<RawCommandRule, { program: string | string[] }>;
type RawPathRule = NonNullable<PolicyFile["path_deny"]>[number];

/** One pattern or glob of a rule: where it stands below the rule, and how to compile it. */
export interface Part {
  readonly path: readonly (string | number)[];
  /** Throws a `Failure` where the text does not compile. */
  readonly compile: () => unknown;
}

/** A rule that can list what there is to compile in it. */
export interface Checkable {
  parts(): Part[];
}

/** One value or a list of them, as a list. */
function list<T>(value: T | readonly T[] | undefined): readonly T[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value as T];
}

/** `source` held to the start of the text and to `tail`, a leading flag group kept in front. */
function anchored(source: string, tail: string): string {
  const flags = /^\(\?[aiLmsux]+\)/.exec(source)?.[0] ?? "";
  const end = flags.includes("x") ? "\n" : "";
  return `${flags}^(?:${source.slice(flags.length)}${end})${tail}`;
}

/** The text that a verb's or an MCP tool's pattern was made of: what `anchored` put round it is gone. */
export function asWritten({ source }: Pattern): string {
  const [, flags = "", text] =
    /^(\(\?[aiLmsux]+\))?\^\(\?:(.*?)\n?\)(?:\$|\(\?: \|\$\))$/s.exec(source) ?? [];
  return text === undefined ? source : flags + text;
}

/** A rule about a command's text. */
export class LazyPatternRule implements PatternRule, Checkable {
  readonly kind = "pattern";
  readonly reason: string;
  readonly when: When;
  readonly origin: Origin;
  readonly #raw: RawPatternRule;
  #pattern: Pattern | undefined;

  constructor(raw: RawPatternRule, origin: Origin) {
    this.#raw = raw;
    this.reason = raw.reason;
    this.when = raw.when ?? "immediate";
    this.origin = origin;
  }

  get pattern(): Pattern {
    return this.#pattern ??= compilePattern(this.#raw.pattern);
  }

  parts(): Part[] {
    return [{ path: ["pattern"], compile: () => this.pattern }];
  }
}

/** What lifts a program rule. */
class LazyLifting {
  readonly flags: readonly string[];
  readonly #source: string | undefined;
  #args: Pattern | undefined;

  constructor(raw: RawProgramRule["unless"]) {
    this.flags = list(raw?.flags);
    this.#source = raw?.args;
  }

  get args(): Pattern | undefined {
    if (this.#source === undefined) return undefined;
    return this.#args ??= compilePattern(this.#source, "excuses");
  }
}

/** A rule about a program's words. */
export class LazyProgramRule implements ProgramRule, Checkable {
  readonly kind = "program";
  readonly programs: readonly string[];
  readonly flags: readonly string[];
  readonly unless: LazyLifting;
  readonly reason: string;
  readonly when: When;
  readonly origin: Origin;
  readonly #raw: RawProgramRule;
  #verbs: readonly Pattern[] | undefined;
  #args: Pattern | undefined;

  constructor(raw: RawProgramRule, origin: Origin) {
    this.#raw = raw;
    this.programs = list(raw.program).map((name) => name.toLowerCase().replace(/\.exe$/, ""));
    this.flags = list(raw.flags);
    this.unless = new LazyLifting(raw.unless);
    this.reason = raw.reason;
    this.when = raw.when ?? "immediate";
    this.origin = origin;
  }

  get verbs(): readonly Pattern[] {
    return this.#verbs ??= list(this.#raw.verbs).map(compileVerb);
  }

  get args(): Pattern | undefined {
    if (this.#raw.args === undefined) return undefined;
    return this.#args ??= compilePattern(this.#raw.args);
  }

  parts(): Part[] {
    const single = typeof this.#raw.verbs === "string";
    return [
      ...list(this.#raw.verbs).map((verb, index) => ({
        path: single ? ["verbs"] : ["verbs", index],
        compile: () => compileVerb(verb),
      })),
      { path: ["args"], compile: () => this.args },
      { path: ["unless", "args"], compile: () => this.unless.args },
    ];
  }
}

/** A verb is matched at its place and ends with a word. */
function compileVerb(source: string): Pattern {
  return compilePattern(anchored(source, "(?: |$)"));
}

/** Which files a rule or its exception means, compiled when first looked at. */
class LazyFileMatch implements FileMatch {
  readonly #pattern: string | undefined;
  readonly #globs: readonly string[];
  readonly #sense: Sense;
  #compiledPattern: Pattern | undefined;
  #compiledGlobs: readonly Glob[] | undefined;

  constructor(pattern: string | undefined, globs: readonly string[], sense: Sense) {
    this.#pattern = pattern;
    this.#globs = globs;
    this.#sense = sense;
  }

  get pattern(): Pattern | undefined {
    if (this.#pattern === undefined) return undefined;
    return this.#compiledPattern ??= compilePattern(this.#pattern, this.#sense);
  }

  get globs(): readonly Glob[] {
    return this.#compiledGlobs ??= this.#globs.map(lazyGlob);
  }

  /** The parts of this match; `single` where the file gives one glob without a list. */
  parts(path: readonly string[], single: boolean): Part[] {
    return [
      ...this.#globs.map((glob, index) => ({
        path: single ? [...path, "glob"] : [...path, "glob", index],
        compile: () => compileGlob(glob),
      })),
      { path: [...path, "pattern"], compile: () => this.pattern },
    ];
  }
}

/** A rule about a file. Where names fold letter case, so do its patterns (globs always do). */
export class LazyPathRule implements PathRule, Checkable {
  readonly reason: string;
  readonly when: When;
  readonly origin: Origin;
  readonly match: LazyFileMatch;
  readonly unless: LazyFileMatch | undefined;
  readonly #raw: RawPathRule;

  constructor(raw: RawPathRule, origin: Origin, folds: boolean) {
    this.#raw = raw;
    this.reason = raw.reason;
    this.when = raw.when ?? "commit";
    this.origin = origin;
    const fold = (source: string | undefined) =>
      folds && source !== undefined ? folded(source) : source;
    this.match = "glob" in raw
      ? new LazyFileMatch(undefined, list(raw.glob), "catches")
      : new LazyFileMatch(fold(raw.pattern), [], "catches");
    const { unless } = raw;
    this.unless = unless &&
      new LazyFileMatch(fold(unless.pattern), list(unless.glob), "excuses");
  }

  parts(): Part[] {
    const { unless } = this.#raw;
    return [
      ...this.match.parts([], "glob" in this.#raw && typeof this.#raw.glob === "string"),
      ...this.unless?.parts(["unless"], typeof unless?.glob === "string") ?? [],
    ];
  }
}

/** The pattern without regard to letter case. */
function folded(source: string): string {
  const flags = /^\(\?([aiLmsux]+)\)/.exec(source);
  if (flags === null) return `(?i)${source}`;
  return flags[1]?.includes("i") ? source : `(?i${flags[1]})${source.slice(flags[0].length)}`;
}

/** A rule about whole MCP tool names; an allow list's names only excuse. */
export class LazyMcpRule implements McpRule, Checkable {
  readonly origin: Origin;
  readonly #name: string;
  readonly #sense: Sense;
  #pattern: Pattern | undefined;

  constructor(name: string, origin: Origin, sense: Sense) {
    this.#name = name;
    this.origin = origin;
    this.#sense = sense;
  }

  get pattern(): Pattern {
    return this.#pattern ??= compilePattern(anchored(this.#name, "$"), this.#sense);
  }

  parts(): Part[] {
    return [{ path: [], compile: () => this.pattern }];
  }
}
