/**
 * Writes a regular expression tree as JavaScript source for V8's linear engine where possible.
 *
 * That engine takes counted repetitions only up to 16, nested ones multiplied; larger ones are
 * written out as several smaller ones as long as the pattern stays small.
 */
import type { RegexNode } from "./regex_tree.ts";

/** V8's bound on the product of nested counts. */
const FACTOR_LIMIT = 16;

/** States past which repetitions are no longer written out: the linear engine would be slow. */
const SIZE_LIMIT = 1000;

/** JavaScript source without flags, and about how many states an engine needs for it. */
export interface PrintedRegex {
  readonly source: string;
  readonly size: number;
}

interface Piece {
  readonly source: string;
  /** The product of nested counts inside. */
  readonly factor: number;
}

/**
 * The source that finds the tree anywhere in a text, or with `whole` only as the whole text. A
 * match may take in one line feed that ends the text where the pattern ends in `$`.
 */
export function printRegex(node: RegexNode, whole: boolean): PrintedRegex {
  const size = sizeOf(node);
  const printer = new Printer(size <= SIZE_LIMIT, whole ? "$" : "\\n?$");
  const { source } = printer.print(node, true);
  return { source: whole ? `^(?:${source})$` : source === "" ? "(?:)" : source, size };
}

/** About how many states the tree needs with every repetition written out. */
function sizeOf(node: RegexNode): number {
  switch (node.kind) {
    case "unit":
    case "edge":
    case "end":
      return 1;
    case "sequence":
      return node.items.reduce((sum, item) => sum + sizeOf(item), 1);
    case "choice":
      return node.branches.reduce((sum, branch) => sum + sizeOf(branch), 1);
    case "look":
      return 1 + sizeOf(node.item);
    case "repeat":
      return 1 + sizeOf(node.item) * (node.max === Infinity ? node.min + 1 : node.max);
  }
}

class Printer {
  readonly #writeOut: boolean;
  readonly #lastEnd: string;

  constructor(writeOut: boolean, lastEnd: string) {
    this.#writeOut = writeOut;
    this.#lastEnd = lastEnd;
  }

  /** Prints one node; `last` says that nothing of the pattern follows it. */
  print(node: RegexNode, last: boolean): Piece {
    switch (node.kind) {
      case "unit":
      case "edge":
        return { source: node.source, factor: 1 };
      case "end":
        return { source: last ? this.#lastEnd : "(?m:$)", factor: 1 };
      case "sequence": {
        const final = last ? node.items.at(-1) : undefined;
        let source = "";
        let factor = 1;
        for (const item of node.items) {
          if (item.kind === "unit") source += item.source;
          else {
            const piece = this.print(item, item === final);
            source += item.kind === "choice" ? `(?:${piece.source})` : piece.source;
            factor = Math.max(factor, piece.factor);
          }
        }
        return { source, factor };
      }
      case "choice":
        return joined(node.branches.map((branch) => this.print(branch, last)));
      case "look": {
        const inner = this.print(node.item, node.opening === "(?=" || node.opening === "(?!");
        return { source: `${node.opening}${inner.source})`, factor: inner.factor };
      }
      case "repeat":
        return this.#repeat(node);
    }
  }

  #repeat(node: RegexNode & { kind: "repeat" }): Piece {
    const { item, min, max } = node;
    const inner = this.print(item, false);
    const once = item.kind === "unit" ? inner.source : `(?:${inner.source})`;
    const lazy = node.lazy ? "?" : "";
    const most = max === Infinity ? min + 1 : max;
    const simple = most <= 1 && min === 0 || max === Infinity && min <= 1;
    if (simple || !this.#writeOut || inner.factor * most <= FACTOR_LIMIT) {
      const factor = simple ? inner.factor : inner.factor * most;
      return { source: once + count(min, max) + (min === max ? "" : lazy), factor };
    }
    const chunk = Math.max(1, Math.floor(FACTOR_LIMIT / inner.factor));
    let source = "";
    for (let left = min; left > 0; left -= chunk) {
      const taken = Math.min(left, chunk);
      source += once + count(taken, taken);
    }
    const optional = max === Infinity ? 0 : max - min;
    const rest = max === Infinity
      ? `${once}*${lazy}`
      : `(?:${once}`.repeat(optional) + `)?${lazy}`.repeat(optional);
    return { source: `(?:${source}${rest})`, factor: inner.factor * Math.min(chunk, min || 1) };
  }
}

function joined(pieces: readonly Piece[]): Piece {
  return {
    source: pieces.map((piece) => piece.source).join("|"),
    factor: pieces.reduce((factor, piece) => Math.max(factor, piece.factor), 1),
  };
}

function count(min: number, max: number): string {
  if (min === 0 && max === 1) return "?";
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === max) return min === 1 ? "" : `{${min}}`;
  return `{${min},${max}}`;
}
