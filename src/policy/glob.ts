/**
 * Globs of a policy: which paths they match, and which operands of a command may reach them.
 *
 * Letter case never matters, so that `.GIT` cannot get round a rule about `.git`. Matching takes
 * time proportional to the lengths of glob and path multiplied, whatever they hold.
 */
import { Failure } from "../domain/failure.ts";
import { foldName, GlobFault, globParts, type GlobSegment } from "./glob_parts.ts";
import { segmentsMatch, segmentsMeet } from "./glob_match.ts";
import { mayMatch } from "./glob_quick.ts";

/** A compiled glob. */
export interface Glob {
  /** The glob as the policy has it. */
  readonly source: string;
  readonly alternatives: readonly GlobAlternative[];
}

/** One reading of a glob's braces. */
interface GlobAlternative {
  readonly segments: readonly GlobSegment[];
  /** Folded text every matching path ends in; empty where the glob ends in a wildcard. */
  readonly suffix: string;
  /** Folded text every matching path begins with; empty where it may begin anyhow. */
  readonly prefix: string;
}

const SOURCE_LIMIT = 4096;

/** A glob that is compiled when a path comes near it; `alternatives` throws a `Failure` where it cannot be. */
class LazyGlob implements Glob {
  readonly source: string;
  #alternatives: readonly GlobAlternative[] | undefined;

  constructor(source: string) {
    this.source = source;
  }

  get alternatives(): readonly GlobAlternative[] {
    return this.#alternatives ??= alternativesOf(this.source);
  }
}

/** A glob that is checked and compiled when it is first needed. */
export function lazyGlob(source: string): Glob {
  return new LazyGlob(source);
}

/**
 * Compiles a glob: `**`, `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `\` escapes. Without a `/` it is a base
 * name at any depth; with one it stands for the whole path from its start; a last `/` means a
 * directory and all below. Throws `Failure`.
 */
export function compileGlob(source: string): Glob {
  return { source, alternatives: alternativesOf(source) };
}

function alternativesOf(source: string): GlobAlternative[] {
  if (source.trim() === "") {
    throw new Failure(`Cannot use glob ${JSON.stringify(source)}: it is empty`, "Write ** for all");
  }
  if (source.length > SOURCE_LIMIT) {
    throw new Failure(
      `Cannot use glob "${source.slice(0, 40)}…": it has ${source.length} characters`,
      `Split it into rules of at most ${SOURCE_LIMIT} characters`,
    );
  }
  try {
    return globParts(source, true).map(alternative);
  } catch (error) {
    if (!(error instanceof GlobFault)) throw error;
    throw new Failure(
      `Cannot use glob ${JSON.stringify(source.slice(0, 200))}: ${error.message} at character ${
        error.at + 1
      }`,
      "Escape a literal bracket or brace with \\",
    );
  }
}

/** Anchors one reading of a policy glob. */
function alternative(parts: readonly GlobSegment[]): GlobAlternative {
  let segments = [...parts];
  if (segments.length > 1 && plainText(segments[0]) === ".") segments.shift();
  const below = segments.length > 1 && plainText(segments.at(-1)) === "";
  if (below) segments.pop();
  // A lone root keeps its empty first segment: `/` stands for everything below it.
  const anchored = segments.length > 1 || plainText(segments[0]) === "~" ||
    plainText(segments[0]) === "";
  if (!anchored && segments[0]?.kind !== "deep") segments = [{ kind: "deep" }, ...segments];
  if (below) segments.push({ kind: "deep" });
  const first = plainText(segments[0]);
  const last = plainText(segments.at(-1));
  return { segments, prefix: first ?? "", suffix: last ?? "" };
}

/** The text of a segment that holds no wildcard, else undefined. */
function plainText(segment: GlobSegment | undefined): string | undefined {
  if (segment?.kind !== "plain") return undefined;
  let text = "";
  for (const step of segment.steps) {
    if (step.kind !== "unit") return undefined;
    text += step.unit;
  }
  return text;
}

const folds = new WeakMap<readonly string[], readonly string[]>();

/** The spellings folded; remembered by array, because every rule asks for the same ones. */
function foldAll(spellings: readonly string[]): readonly string[] {
  const known = folds.get(spellings);
  if (known !== undefined && known.length === spellings.length) return known;
  const folded = spellings.map((spelling) => {
    const name = foldName(spelling);
    return name.length > 1 && name.endsWith("/") ? name.replace(/(?<!^)\/+$/, "") : name;
  });
  folds.set(spellings, folded);
  return folded;
}

/** True where one of the spellings of a path (`/r/.env`, `.env`, `~/r/.env`) matches. */
export function globMatches(glob: Glob, spellings: readonly string[]): boolean {
  if (!mayMatch(glob.source, spellings)) return false;
  const folded = foldAll(spellings);
  return glob.alternatives.some(({ prefix, suffix, segments }) =>
    folded.some((path) =>
      path.startsWith(prefix) && path.endsWith(suffix) && segmentsMatch(segments, path.split("/"))
    )
  );
}

/**
 * True where some file that an operand with wildcards (`.e*`, `~/.ss?/id_*`) could name matches the
 * glob. With `hidden` false, a leading wildcard of a segment takes no dot, as in a shell without
 * `dotglob`. An operand too large to read may reach everything.
 */
export function globMayReach(glob: Glob, pathGlob: string, hidden = true): boolean {
  if (pathGlob.length > SOURCE_LIMIT) return true;
  try {
    const readings = globParts(pathGlob.replace(/[@?*+!]\([^()]*\)/g, "*"), false);
    return readings.some((reading) => {
      const operand = reading.filter((segment, index) =>
        index === 0 || plainText(segment) !== "" && plainText(segment) !== "."
      );
      const start = plainText(operand[0]);
      const anchored = start === "" || start === "~";
      return glob.alternatives.some(({ segments }) => {
        // An operand that begins with a wildcard is relative: it names nothing from the root.
        const from = plainText(segments[0]);
        if (!anchored && (from === "" || from === "~")) return false;
        return segmentsMeet(segments, operand, hidden);
      });
    });
  } catch (error) {
    if (error instanceof GlobFault) return true;
    throw error;
  }
}

/**
 * True where the glob says from its start which files it means, and some of them lie below `folder`
 * in one of its spellings: deleting the folder then takes them with it. A glob that begins with
 * `**` means files anywhere, so no folder counts as one that holds them.
 */
export function globLiesBelow(glob: Glob, spellings: readonly string[]): boolean {
  const anchored = glob.alternatives.filter(({ segments }) => segments[0]?.kind !== "deep");
  if (anchored.length === 0) return false;
  return spellings.some((spelling) => {
    if (spelling.length > SOURCE_LIMIT) return false;
    // The top itself holds whatever a glob names that does not begin with `/` or `~`.
    if (spelling === ".") return anchored.some(({ segments }) => isRelative(segments[0]));
    const literal = spelling.replace(/\/+$/, "").replace(/[\\*?[\]{}]/g, "\\$&");
    return globParts(`${literal}/**`, false).some((operand) =>
      anchored.some(({ segments }) => segmentsMeet(segments, operand, true))
    );
  });
}

function isRelative(first: GlobSegment | undefined): boolean {
  const text = plainText(first);
  return text !== "" && text !== "~";
}
