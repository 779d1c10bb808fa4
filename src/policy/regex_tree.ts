/**
 * A regular expression as a tree: what `regex_reader.ts` reads and `regex_print.ts` writes.
 *
 * Flags, letter case and the meaning of escapes are settled by the reader, so that the tree needs
 * no flags and captures nothing.
 */

/** One piece of a regular expression. */
export type RegexNode =
  /** One UTF-16 unit, as JavaScript source. */
  | { readonly kind: "unit"; readonly source: string }
  /** A place between units, as JavaScript source: `^`, `\b`. */
  | { readonly kind: "edge"; readonly source: string }
  /** Python's `$` outside multi-line mode: the end, or before a line feed that ends the text. */
  | { readonly kind: "end" }
  | { readonly kind: "sequence"; readonly items: readonly RegexNode[] }
  | { readonly kind: "choice"; readonly branches: readonly RegexNode[] }
  | {
    readonly kind: "repeat";
    readonly item: RegexNode;
    readonly min: number;
    readonly max: number;
    readonly lazy: boolean;
  }
  | { readonly kind: "look"; readonly opening: LookOpening; readonly item: RegexNode };

export type LookOpening = "(?=" | "(?!" | "(?<=" | "(?<!";

/** The modes that hold at one place of a pattern. */
export interface RegexMode {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  /** Python's `a` flag: `\w`, `\d` and `\s` stay with JavaScript's meaning. */
  readonly ascii: boolean;
  /**
   * Where the two dialects differ, match what both do (true) or what either does (false). Negative
   * lookarounds turn it round.
   */
  readonly narrow: boolean;
}
