/**
 * What a command line would do, as data: the result of `readShell` in `read.ts`.
 *
 * Nothing here is a verdict. Spans index the outermost source text in UTF-16 units, so that
 * `check --explain` can point at the words; text found inside another text (the script of
 * `bash -c`) carries the span of the word that held it.
 */

/** A half-open range `[start, end)` of UTF-16 units in the outermost source text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One word of a command. */
export interface Word {
  /** The word as a rule sees it: its value where known, else its source with quotes removed (`$DIR/x`). */
  readonly text: string;
  /** What the shell would make of it, or undefined where only the shell will know. */
  readonly value: string | undefined;
  /** True where the word holds an unquoted `*`, `?` or `[` that the shell expands to file names. */
  readonly glob: boolean;
  readonly span: Span;
}

/** One redirection of a command. */
export interface Redirection {
  readonly operator: string;
  readonly target: Word;
}

/** What a command reads on standard input, as far as the text tells. */
export type Input =
  /** Nothing piped or redirected into it. */
  | { readonly kind: "none" }
  /** Text that stands in the command line: a here-document, a here-string, `echo … |`. */
  | { readonly kind: "text"; readonly text: string }
  /**
   * The output of other programs, piped in or read through `<(…)`; `from` names them in order,
   * `undefined` for one not known. `found` has the paths, as globs, where `find` lists them.
   */
  | {
    readonly kind: "pipe";
    readonly from: readonly (string | undefined)[];
    readonly found?: readonly Word[];
  }
  /** A file. */
  | { readonly kind: "file"; readonly path: Word };

/** Where a command runs: a directory on this machine, or somewhere its paths mean nothing here. */
export type Place =
  /** The directory, absolute, or undefined where a `cd` went somewhere only the shell will know. */
  | { readonly kind: "here"; readonly cwd: string | undefined }
  /** Another machine or a container: `ssh host`, `docker exec`, `kubectl exec`. */
  | { readonly kind: "elsewhere"; readonly by: string };

/** One program that the command line would run. */
export interface Invocation {
  /** Base name, `.exe` dropped, or undefined where only the shell will know. */
  readonly name: string | undefined;
  /** The program word as written, for messages. */
  readonly program: Word;
  readonly args: readonly Word[];
  /** `NAME=value` in front of the command or given by `env`; undefined values are not known. */
  readonly assignments: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly redirections: readonly Redirection[];
  readonly input: Input;
  readonly place: Place;
  /** How it was reached, outermost first: `sudo`, `bash -c`, `$(…)`, `function tidy`. Empty for plain ones. */
  readonly via: readonly string[];
  readonly span: Span;
  /** The command as written, for messages: at most 300 characters. */
  readonly source: string;
}

/** One file that a command touches. */
export interface FileUse {
  readonly how: "read" | "write" | "delete";
  /** True where everything below the path goes with it (`rm -r`, `chmod -R`). */
  readonly recursive: boolean;
  /** Absolute where the directory is known, else as written; `undefined` value: only the shell knows. */
  readonly path: Word;
  /** `path` made absolute and lexically normal (a glob stays a glob); undefined where not known or elsewhere. */
  readonly resolved: string | undefined;
  /** The program that does it, or the redirection operator. */
  readonly by: string;
  readonly span: Span;
}

/** Something the reader could not follow, and what kind of thing it is. */
export interface Doubt {
  readonly kind:
    /** The text is not readable as a whole: a parse error, a construct the parser is known to misread. */
    | "unreadable"
    /** A bound was reached: too long, too deep, too many commands. */
    | "bound"
    /** Text of unknown content is given to an interpreter: `eval "$X"`, `curl … | sh`. */
    | "unread code"
    /** A program that cannot be known or followed: `"$BIN" x`, `source f`, `bash script.sh`. */
    | "indirect"
    /** An interactive shell or interpreter that later input will drive unseen. */
    | "interactive"
    /** Text that deceives the person who approves: zero-width or look-alike characters, glued words. */
    | "deceptive"
    /** A function that starts itself without end. */
    | "runaway";
  /** What it is, for a person: `curl piped into sh`, `program known only at run time: "$BIN"`. */
  readonly what: string;
  readonly span: Span;
}

/** Everything a command line would do, as far as its text tells. */
export interface Reading {
  readonly invocations: readonly Invocation[];
  readonly files: readonly FileUse[];
  readonly doubts: readonly Doubt[];
  /**
   * Words of a text that could not be parsed, for judging by words alone; undefined where the text
   * was parsed.
   */
  readonly bareWords: readonly string[] | undefined;
}

/** What the reader must know of the world to make paths absolute. All pure: nothing is looked up. */
export interface ReadContext {
  /** Directory the command starts in, absolute. */
  readonly cwd: string;
  /** The user's home, absolute. */
  readonly home: string;
}
