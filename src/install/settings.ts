/**
 * A settings text read with offsets: where its hook arrays, groups and handlers stand, and which
 * handlers are gitvow's. Reading never changes a byte.
 */

import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { Failure } from "../domain/failure.ts";
import { isGitvowCommand } from "./command.ts";

export type { Node } from "jsonc-parser";

/** The members of a handler that hold a command. */
const COMMAND_MEMBERS = ["command", "bash", "powershell"];

const MEND = "Mend the file by hand, then try again";

/** A handler, alone in the event's array (`group` undefined) or in a group's `hooks`. */
export interface Handler {
  readonly node: Node;
  readonly ours: boolean;
}

/** One element of an event's array with its handlers; a foreign shape has none. */
export interface Element {
  readonly node: Node;
  readonly handlers: readonly Handler[];
  /** The arrays that hold the handlers; empty for a flat handler. */
  readonly arrays: readonly Node[];
}

/** True for a text that holds nothing but white space and perhaps a byte order mark. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/**
 * The root object of a JSON text with comments and trailing commas. Throws a Failure with line and
 * column where the text cannot be parsed or its root is not an object.
 */
export function readRoot(text: string): Node {
  // A byte order mark is white space of one unit, so that offsets stay those of the file.
  const plain = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text;
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(plain, errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) throw new Failure("it is nested too deeply to be read", MEND);
    throw error;
  }
  const error = errors[0];
  if (error !== undefined) {
    const name = printParseErrorCode(error.error).replace(/(?!^)[A-Z]/g, (c) => ` ${c}`);
    throw new Failure(
      `it is not valid JSON: ${name.toLowerCase()} at ${position(text, error.offset)}`,
      MEND,
    );
  }
  if (root === undefined || root.type !== "object") {
    const what = root === undefined ? "nothing" : `a value of type ${root.type}`;
    throw new Failure(
      `its top level must be an object, but is ${what} at ${position(text, root?.offset ?? 0)}`,
      MEND,
    );
  }
  return root;
}

/** `line L, column C` of an offset, both counted from 1; a byte order mark has no column. */
export function position(text: string, offset: number): string {
  const before = text.slice(text.startsWith("\uFEFF") ? 1 : 0, offset).split(/\r\n|\r|\n/);
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** The offset behind a node. */
export function endOf(node: Node): number {
  return node.offset + node.length;
}

/** A member's key and value, for a property node of a parsed object. */
export function member(property: Node): { key: string; keyNode: Node; value: Node } {
  const [keyNode, value] = property.children ?? [];
  if (keyNode === undefined || value === undefined) {
    throw new Error(`Property without a value at offset ${property.offset}`);
  }
  return { key: String(keyNode.value), keyNode, value };
}

/** The properties of an object node with that key, in order; none where it is no object. */
export function propertiesNamed(object: Node, key: string): Node[] {
  if (object.type !== "object") return [];
  return (object.children ?? []).filter((property) => member(property).key === key);
}

/**
 * The only property with that key, or undefined. Throws a Failure where there are several, since
 * readers disagree about which one counts.
 */
export function onlyProperty(text: string, object: Node, key: string): Node | undefined {
  const [first, second] = propertiesNamed(object, key);
  if (second !== undefined) {
    throw new Failure(
      `it has ${JSON.stringify(key)} more than once, again at ${position(text, second.offset)}`,
      "Merge them into one, then try again",
    );
  }
  return first;
}

/** A refusal about a value of the wrong type, with where it stands. */
export function wrongType(text: string, name: string, wanted: string, value: Node): Failure {
  return new Failure(
    `${JSON.stringify(name)} must be an ${wanted}, but is a value of type ${value.type} at ${
      position(text, value.offset)
    }`,
    MEND,
  );
}

/** The elements of an event's array, each with the handlers in it. */
export function elementsOf(array: Node | undefined): Element[] {
  if (array?.type !== "array") return [];
  return (array.children ?? []).map((node) => {
    const arrays = propertiesNamed(node, "hooks")
      .map((property) => member(property).value)
      .filter((value) => value.type === "array");
    if (arrays.length === 0) return { node, handlers: [handlerOf(node)], arrays };
    return { node, handlers: arrays.flatMap((it) => it.children ?? []).map(handlerOf), arrays };
  });
}

/** Every event of a settings text with its property and elements; foreign shapes are left out. */
export function eventsOf(root: Node): { property: Node; elements: Element[]; hooks: Node }[] {
  return propertiesNamed(root, "hooks").flatMap((hooks) => {
    const { value } = member(hooks);
    if (value.type !== "object") return [];
    return (value.children ?? []).map((property) => ({
      property,
      elements: elementsOf(member(property).value),
      hooks,
    }));
  });
}

/** Which of an element's handlers are gitvow's. */
export function ownership(element: Element): "ours" | "shared" | "foreign" {
  const count = element.handlers.filter((handler) => handler.ours).length;
  if (count === 0) return "foreign";
  return count === element.handlers.length ? "ours" : "shared";
}

function handlerOf(node: Node): Handler {
  const ours = COMMAND_MEMBERS.some((key) =>
    propertiesNamed(node, key).some((property) => {
      const { value } = member(property);
      return value.type === "string" && isGitvowCommand(String(value.value));
    })
  );
  return { node, ours };
}

/** A comment between values. */
export interface Comment {
  readonly offset: number;
  readonly end: number;
  /** True for `// …`, which the end of its line closes. */
  readonly line: boolean;
}

/** What stands between two offsets where no value does: comments, and the comma if there is one. */
export function gap(
  text: string,
  from: number,
  to: number,
): { comments: Comment[]; comma: number | undefined } {
  const comments: Comment[] = [];
  let comma: number | undefined;
  // Between values stand white space, comments and at most one comma, so no string can mislead.
  for (const token of text.slice(from, to).matchAll(/,|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g)) {
    const offset = from + token.index;
    if (token[0] === ",") comma ??= offset;
    else comments.push({ offset, end: offset + token[0].length, line: token[0][1] === "/" });
  }
  return { comments, comma };
}

/** The value of a node as plain data, keys such as `__proto__` included. */
export function dataOf(node: Node): unknown {
  switch (node.type) {
    case "object":
      return Object.fromEntries(
        (node.children ?? []).map(member).map(({ key, value }) => [key, dataOf(value)]),
      );
    case "array":
      return (node.children ?? []).map(dataOf);
    default:
      return node.value;
  }
}
