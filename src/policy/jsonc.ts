/**
 * JSON with comments and trailing commas, and where in the text a value stands.
 *
 * Loaded only when a policy is not plain JSON or has something wrong with it.
 */
import {
  findNodeAtLocation,
  getNodePath,
  type Node,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { Failure } from "../domain/failure.ts";

const OPTIONS = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: false };

/** Line and column, both counted from 1, of an offset in UTF-16 units. */
export function lineColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}

/** A text that is no JSONC: `place` is the line and column, `what` the reason. */
export class JsoncFault extends Failure {
  constructor(readonly place: string, readonly what: string) {
    super(`${place}: ${what}`);
  }
}

/** Parses JSONC. Throws a `JsoncFault` that names line and column where it cannot be read. */
export function parseJsonc(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, OPTIONS);
  const first = errors[0];
  if (first === undefined) return value;
  const what = printParseErrorCode(first.error).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  throw new JsoncFault(placeAt(text, first.offset), what);
}

/** `line L, column C` of the value at `path`, or of the nearest container that exists. */
export function placeOf(text: string, path: readonly (string | number)[]): string {
  const root = parseTree(text, [], OPTIONS);
  for (let length = path.length; root !== undefined && length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node === undefined) continue;
    return placeAt(text, node.offset);
  }
  return "line 1, column 1";
}

function placeAt(text: string, offset: number): string {
  const { line, column } = lineColumn(text, offset);
  return `line ${line}, column ${column}`;
}

/** A member that an object already has: the later one counts, and what the earlier one said is lost. */
export interface RepeatedKey {
  readonly path: readonly (string | number)[];
  /** `line L, column C` of the later one. */
  readonly place: string;
}

/** Every member that is given again in one object of `text`. */
export function repeatedKeys(text: string): RepeatedKey[] {
  const found: RepeatedKey[] = [];
  const visit = (node: Node) => {
    const seen = new Set<unknown>();
    for (const child of node.children ?? []) {
      const key = node.type === "object" ? child.children?.[0] : undefined;
      if (key !== undefined) {
        if (seen.has(key.value)) {
          found.push({ path: getNodePath(key), place: placeAt(text, key.offset) });
        }
        seen.add(key.value);
      }
      visit(child);
    }
  };
  const root = parseTree(text, [], OPTIONS);
  if (root !== undefined) visit(root);
  return found;
}
