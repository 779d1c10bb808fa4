/**
 * Every spelling under which a path may be reached, so that a rule written for one of them holds
 * for all: as given, normalised, absolute, relative to its repository, under `~`, and with the
 * links on its way resolved.
 */
import { isRepository } from "../policy/repository.ts";
import {
  basename,
  dirname,
  expandHome,
  isAbsolute,
  normalize,
  relativeTo,
  resolve,
  slashed,
} from "../system/paths.ts";
import type { System } from "../system/system.ts";

/** A path and its spellings. */
export interface Spelled {
  /** Absolute and lexically normal. */
  readonly absolute: string;
  /** Absolute with the links of its deepest existing part resolved. */
  readonly real: string;
  /** Top levels of the repositories that hold it, innermost first. */
  readonly repositories: readonly string[];
  /** Spellings of the path as named, and where links lead elsewhere, of the file it really is. */
  readonly groups: readonly (readonly string[])[];
  /** All spellings, without repetition. */
  readonly all: readonly string[];
}

/** Links followed for one path before it counts as a loop. */
const LINK_LIMIT = 40;

/** Characters of the longest path looked up; no operating system opens one as long. */
const PATH_LIMIT = 16 * 1024;

/** Real paths already looked up: undefined where nothing stands at the path. */
type Known = Map<string, string | undefined>;

/**
 * An absolute path with its links resolved as far as it exists, as the operating system walks it: a
 * `..` leaves the folder that a link leads to, and a link to nothing is followed to where it points.
 */
export function realPathOf(system: System, path: string, known: Known = new Map()): string {
  return walk(system, path, known, { links: LINK_LIMIT }).path;
}

function walk(
  system: System,
  path: string,
  known: Known,
  left: { links: number },
): { readonly path: string; readonly exists: boolean } {
  if (path.length > PATH_LIMIT) return { path: normalize(path), exists: false };
  if (!known.has(path)) known.set(path, system.files.realPath(path));
  const whole = known.get(path);
  if (whole !== undefined) return { path: whole, exists: true };
  const parent = dirname(path);
  if (parent === path) return { path, exists: false };
  const above = walk(system, parent, known, left);
  const at = resolve(above.path, basename(path));
  const target = above.exists && left.links > 0 ? system.files.readLink(at) : undefined;
  if (target === undefined) return { path: at, exists: false };
  left.links--;
  return walk(system, isAbsolute(target) ? target : `${above.path}/${target}`, known, left);
}

/** A relative path that no rule takes for the home: a file named `~` is written `./~`. */
export function relativeForm(path: string): string {
  return path.startsWith("~") ? `./${path}` : path;
}

/** A process's own view of the files: `/proc/self/root`, `/proc/1/task/2/cwd`. */
const PROCESS_VIEW = /^\/+(?:\.\/+)*proc\/+[^/]+\/+(?:\.\/+|task\/+[^/]+\/+)*(root|cwd)(?=\/|$)/;

/**
 * A path with a process's view of the files taken for what it stands for: `root` for `/`, `cwd` for
 * `base`. Which process is meant does not matter: one that is gone by then may be back.
 */
export function throughProcess(path: string, base: string): string {
  let rest = path;
  for (let left = LINK_LIMIT; left > 0; left--) {
    const view = PROCESS_VIEW.exec(rest);
    if (view === null) break;
    const below = rest.slice(view[0].length);
    rest = view[1] === "cwd" ? `${base}${below}` : below === "" ? "/" : below;
  }
  return rest;
}

/** Spells paths for one call; remembers what it looked up. */
export class Speller {
  readonly #system: System;
  readonly #home: string;
  readonly #cwd: string;
  readonly #known = new Map<string, Spelled>();
  readonly #realPaths: Known = new Map();
  readonly #repositories = new Map<string, readonly string[]>();

  constructor(system: System, home: string, cwd: string) {
    this.#system = system;
    this.#home = home;
    this.#cwd = cwd;
  }

  /** The spellings of `path` as written from `base` (the call's directory where left out). */
  spell(path: string, base = this.#cwd): Spelled {
    const key = `${base}\0${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const given = slashed(path, this.#system.os);
    const expanded = throughProcess(expandHome(given, this.#home), base);
    const absolute = throughProcess(resolve(base, expanded), base);
    // A tool may take `..` out by itself; the operating system first follows the link before it.
    const written = isAbsolute(expanded) ? expanded : `${base}/${expanded}`;
    const real = realPathOf(this.#system, written, this.#realPaths);
    const folded = written === absolute
      ? real
      : realPathOf(this.#system, absolute, this.#realPaths);
    const repositories = new Set<string>();
    const named = this.#spellingsOf(absolute, repositories);
    const plain = given.startsWith("~") ? normalize(given) : relativeForm(normalize(given));
    const groups = [[...new Set([given, plain, ...named])]];
    for (const form of new Set([real, folded])) {
      if (form !== absolute) groups.push(this.#spellingsOf(form, repositories));
    }
    const spelled = {
      absolute,
      real,
      repositories: [...repositories],
      groups,
      all: [...new Set(groups.flat())],
    };
    this.#known.set(key, spelled);
    return spelled;
  }

  /** The spellings of one absolute path; notes the repositories that hold it. */
  #spellingsOf(path: string, repositories: Set<string>): string[] {
    const found = [path];
    for (const root of new Set([this.#home, this.#realHome()])) {
      const inHome = relativeTo(root, path);
      if (inHome !== undefined) found.push(inHome === "." ? "~" : `~/${inHome}`);
    }
    const tops = this.#repositoriesOf(path);
    for (const top of tops) {
      repositories.add(top);
      found.push(relativeForm(relativeTo(top, path) ?? path));
    }
    const inCwd = relativeTo(this.#cwd, path);
    if (tops.length === 0 && inCwd !== undefined) found.push(relativeForm(inCwd));
    return found;
  }

  #realHome(): string {
    return realPathOf(this.#system, this.#home, this.#realPaths);
  }

  /** The repositories that hold `path`; a directory with its own `.git` is held by itself. */
  #repositoriesOf(path: string): readonly string[] {
    const passed: string[] = [];
    // Below the longest path that can be opened there is no repository.
    let at = path.length > PATH_LIMIT ? path.slice(0, path.lastIndexOf("/", PATH_LIMIT)) : path;
    let found = this.#repositories.get(at);
    while (found === undefined) {
      passed.push(at);
      if (at === dirname(at)) found = [];
      else {
        at = dirname(at);
        found = this.#repositories.get(at);
      }
    }
    for (const folder of passed.reverse()) {
      if (isRepository(this.#system.files, folder)) found = [folder, ...found];
      this.#repositories.set(folder, found);
    }
    return found;
  }
}
