/**
 * How a settings file is laid out, and new values printed the same way: line ends, indentation,
 * one-line containers, spaces around colons, commas and braces.
 */

import { endOf, member, type Node } from "./settings.ts";

/** The habits of one file. */
export interface Layout {
  readonly lineEnd: string;
  /** One level of indentation. */
  readonly unit: string;
  readonly colon: string;
  /** What separates values on one line. */
  readonly comma: string;
  /** What stands inside the braces of a one-line object. */
  readonly padding: string;
  /** True where the whole document is on one line and has members. */
  readonly oneLine: boolean;
}

/** The habits of a text with that root; `root` undefined for a text still without one. */
export function layoutOf(text: string, root: Node | undefined): Layout {
  const first = root?.children?.[0];
  const oneLine = root !== undefined && first !== undefined && !hasLineEnd(spanOf(text, root));
  const colon = first === undefined ? ": " : colonIn(text, first);
  return {
    lineEnd: lineEndOf(text),
    unit: first === undefined ? "  " : unitOf(text, root?.offset ?? 0, first),
    colon,
    comma: colon.endsWith(":") ? "," : ", ",
    padding: root === undefined ? "" : paddingIn(text, root) ?? "",
    oneLine,
  };
}

/** The white space that the line around `offset` begins with. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** True where nothing but white space stands before `offset` on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^\uFEFF?[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

/** True for a text that holds the end of a line. */
export function hasLineEnd(text: string): boolean {
  return /[\r\n]/.test(text);
}

/** The text a node spans. */
export function spanOf(text: string, node: Node): string {
  return text.slice(node.offset, endOf(node));
}

/** JSON on several lines; the first line is not indented, the others by at least `indent`. */
export function printLines(value: unknown, layout: Layout, indent: string): string {
  const inner = indent + layout.unit;
  const [open, items, close] = parts(value, layout, (item) => printLines(item, layout, inner));
  if (items.length === 0) return open + close;
  const start = layout.lineEnd + inner;
  return `${open}${start}${items.join(`,${start}`)}${layout.lineEnd}${indent}${close}`;
}

/** JSON on one line. */
export function printLine(value: unknown, layout: Layout): string {
  const [open, items, close] = parts(value, layout, (item) => printLine(item, layout));
  const padding = open === "{" && items.length > 0 ? layout.padding : "";
  return `${open}${padding}${items.join(layout.comma)}${padding}${close}`;
}

function parts(
  value: unknown,
  layout: Layout,
  print: (item: unknown) => string,
): [string, string[], string] {
  if (Array.isArray(value)) return ["[", value.map(print), "]"];
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, item]) =>
      JSON.stringify(key) + layout.colon + print(item)
    );
    return ["{", members, "}"];
  }
  return [JSON.stringify(value), [], ""];
}

/** The line end most used in the text; a line feed where it has none. */
function lineEndOf(text: string): string {
  const counts = new Map<string, number>();
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "\n";
}

function unitOf(text: string, root: number, first: Node): string {
  if (!isFirstOnLine(text, first.offset)) return "  ";
  const outer = indentAt(text, root);
  const inner = indentAt(text, first.offset);
  if (inner.length > outer.length && inner.startsWith(outer)) return inner.slice(outer.length);
  return inner.includes("\t") ? "\t" : "  ";
}

function colonIn(text: string, property: Node): string {
  const { keyNode, value } = member(property);
  const between = text.slice(endOf(keyNode), value.offset);
  return /^[ \t]*:[ \t]*$/.test(between) ? between : ": ";
}

/** The blank after `{` in the first one-line object with members. */
function paddingIn(text: string, node: Node): string | undefined {
  const first = node.children?.[0];
  if (first === undefined) return undefined;
  if (node.type === "object" && !hasLineEnd(spanOf(text, node))) {
    return /^[ \t]*/.exec(text.slice(node.offset + 1, first.offset))?.[0] ?? "";
  }
  for (const child of node.children ?? []) {
    const found = paddingIn(text, child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}
