/**
 * What a shell would remember from one command to the next: variables, functions, aliases, the
 * directory. A variable set differently on two paths keeps every value it may have.
 */
import { basename, dirname } from "../system/paths.ts";
import type { Doc } from "./frame.ts";
import { firstOpen } from "./open_words.ts";
import type { FunctionNode } from "./parse.ts";
import type { Word } from "./reading.ts";

/** A string, `undefined` where only the shell will know, `null` where certainly unset. */
export type Value = string | undefined | null;

/** What a variable may hold: one or more values, or the elements of an array. */
export interface Binding {
  readonly values: readonly Value[];
  readonly list: readonly (string | undefined)[] | undefined;
}

/** A function and the text its body stands in. */
export interface Definition {
  readonly node: FunctionNode;
  readonly doc: Doc;
}

/** What every part of a command line shares, subshells included: the file system's side. */
export interface Shared {
  /** Links made by the command line itself: absolute name to target. */
  readonly links: Map<string, string>;
  /** Files the command line wrote: absolute path to text, undefined where not known. */
  readonly written: Map<string, string | undefined>;
  /** Programs that print into the descriptors of `<(…)` what is not known from the text. */
  readonly feeds: Map<string, readonly (string | undefined)[]>;
  /** `hash -p` names. */
  readonly hashed: Map<string, string>;
  /** Aliases given to git. */
  readonly gitAliases: Map<string, string | undefined>;
  /** Functions that were called. */
  readonly called: Set<FunctionNode>;
  /** Functions that were defined, with the scope they were defined in. */
  readonly defined: Map<FunctionNode, { readonly doc: Doc; readonly scope: Scope }>;
  /** Directories that some command moved to. */
  readonly visited: Set<string>;
}

const MAX_VALUES = 64;
/** Longest value that is remembered, in UTF-16 units. */
const MAX_VALUE = 16 * 1024;

/** The state of one shell process. */
export class Scope {
  readonly vars: Map<string, Binding>;
  readonly functions: Map<string, Definition>;
  readonly aliases: Map<string, string>;
  /** Directories left by `pushd`, newest last. */
  readonly stack: (string | undefined)[];
  cwd: string | undefined;
  /** The directory before the last `cd`. */
  previous: string | undefined;
  /** Set where commands run on another machine or in a container. */
  elsewhere: string | undefined;
  /** `$1…`, undefined where not known. */
  positional: readonly (string | undefined)[] | undefined;
  /** Index from which the numbers of the arguments are not certain. */
  uncertain: number;
  /** Names of functions and aliases being expanded, so that none is expanded inside itself. */
  active: readonly string[];
  readonly home: string;
  readonly shared: Shared;
  /** Counts changes, so that a loop knows whether a second round can differ. */
  version = 0;

  constructor(home: string, cwd: string | undefined, shared: Shared, from?: Scope) {
    this.home = home;
    this.cwd = cwd;
    this.shared = shared;
    this.vars = new Map(from?.vars);
    this.functions = new Map(from?.functions);
    this.aliases = new Map(from?.aliases);
    this.stack = from === undefined ? [] : [...from.stack];
    this.previous = from?.previous;
    this.elsewhere = from?.elsewhere;
    this.positional = from?.positional;
    this.uncertain = from?.uncertain ?? Infinity;
    this.active = from?.active ?? [];
    this.version = from?.version ?? 0;
  }

  fork(): Scope {
    return new Scope(this.home, this.cwd, this.shared, this);
  }

  /** The state on another machine, which knows nothing of ours but the files written for it. */
  remote(by: string): Scope {
    const scope = new Scope(this.home, undefined, this.shared);
    scope.elsewhere = by;
    return scope;
  }

  /** Makes `words` the arguments `$1…`. */
  setArguments(words: readonly Word[]): void {
    this.positional = words.map((word) => word.value);
    this.uncertain = firstOpen(words);
    this.version++;
  }

  assign(name: string, value: Value): void {
    this.assignAll(name, [value]);
  }

  assignAll(name: string, values: readonly Value[]): void {
    const distinct = [
      ...new Set(values.map((value) => {
        return typeof value === "string" && value.length > MAX_VALUE ? undefined : value;
      })),
    ];
    const kept = distinct.length > MAX_VALUES
      ? [...distinct.slice(0, MAX_VALUES), undefined]
      : distinct;
    this.vars.set(name, { values: kept, list: undefined });
    this.version++;
  }

  assignList(name: string, list: readonly (string | undefined)[]): void {
    this.vars.set(name, { values: [list[0] ?? (list.length === 0 ? "" : undefined)], list });
    this.version++;
  }

  /** The values a variable may hold; `null` for one that was never set here, unlike unknown ones. */
  lookup(name: string): readonly Value[] | null {
    const bound = this.vars.get(name);
    if (bound !== undefined) return bound.values;
    switch (name) {
      case "HOME":
        return [this.home];
      case "PWD":
        return this.cwd === undefined ? null : [this.cwd];
      case "OLDPWD":
        return this.previous === undefined ? null : [this.previous];
      case "IFS":
        return [" \t\n"];
      default:
        return null;
    }
  }

  /** Names among those `text` mentions that may hold several values. */
  ambiguous(text: string): string[] {
    const found = new Set<string>();
    for (const match of text.matchAll(/\$\{?[!#]?([A-Za-z_]\w*)/g)) {
      const name = match[1] ?? "";
      if ((this.vars.get(name)?.values.length ?? 0) > 1) found.add(name);
    }
    return [...found];
  }

  /** Adds what may be true instead: the state of a path on which the last commands did not run. */
  join(other: Scope): void {
    for (const name of new Set([...this.vars.keys(), ...other.vars.keys()])) {
      const mine = this.vars.get(name);
      const theirs = other.vars.get(name);
      if (mine === theirs) continue;
      if (mine?.list !== undefined && theirs === undefined) continue;
      const values = [...(mine?.values ?? [undefined]), ...(theirs?.values ?? [undefined])];
      this.assignAll(name, values);
    }
    for (const [name, body] of other.functions) {
      if (!this.functions.has(name)) this.functions.set(name, body);
    }
    for (const [name, text] of other.aliases) {
      if (!this.aliases.has(name)) this.aliases.set(name, text);
    }
    if (this.cwd !== other.cwd) this.cwd = undefined;
  }

  /** Takes over the state of `other` whole. */
  become(other: Scope): void {
    this.vars.clear();
    for (const [name, value] of other.vars) this.vars.set(name, value);
    for (const [name, body] of other.functions) this.functions.set(name, body);
    for (const [name, text] of other.aliases) this.aliases.set(name, text);
    this.cwd = other.cwd;
    this.previous = other.previous;
    this.version = Math.max(this.version, other.version) + 1;
  }

  /** The home of a user named after `~`; other users' homes are taken to lie beside this one. */
  homeOf(user: string): string | undefined {
    if (user === "" || user === basename(this.home)) return this.home;
    if (user === "+") return this.cwd;
    if (user === "-") return this.previous;
    return user === "root" ? "/root" : `${dirname(this.home)}/${user}`;
  }
}
