/**
 * JSON with comments and trailing commas, and where in the text a value stands.
 *
 * Loaded only when a policy is not plain JSON or has something wrong with it.
 */
import {
  findNodeAtLocation,
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

/** Parses JSONC. Throws a `Failure` that names line and column where it cannot be read. */
export function parseJsonc(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, OPTIONS);
  const first = errors[0];
  if (first === undefined) return value;
  const { line, column } = lineColumn(text, first.offset);
  const what = printParseErrorCode(first.error).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  throw new Failure(`line ${line}, column ${column}: ${what}`);
}

/** `line L, column C` of the value at `path`, or of the nearest container that exists. */
export function placeOf(text: string, path: readonly (string | number)[]): string {
  const root = parseTree(text, [], OPTIONS);
  for (let length = path.length; root !== undefined && length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node === undefined) continue;
    const { line, column } = lineColumn(text, node.offset);
    return `line ${line}, column ${column}`;
  }
  return "line 1, column 1";
}
