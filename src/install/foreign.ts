/**
 * What in a settings text is not gitvow's, as one string to compare: no edit may change it.
 */

import { spanOf } from "./layout.ts";
import { eventsOf, isBlank, member, type Node, ownership, readRoot } from "./settings.ts";

/**
 * Everything in the text but gitvow's handlers, in order, numbers and strings as written. Empty
 * event arrays and an empty `hooks` do not count, and neither do white space and comments.
 */
export function foreignPart(text: string): string {
  if (isBlank(text)) return "{}";
  const root = readRoot(text);
  const skipped = new Set<Node>();
  const remaining = new Map<Node, number>();
  for (const { property, elements, hooks } of eventsOf(root)) {
    let left = 0;
    for (const element of elements) {
      if (ownership(element) === "ours") skipped.add(element.node);
      else {
        left += 1;
        for (const handler of element.handlers) if (handler.ours) skipped.add(handler.node);
      }
    }
    const empty = left === 0 && member(property).value.type === "array";
    if (empty) skipped.add(property);
    remaining.set(hooks, (remaining.get(hooks) ?? 0) + (empty ? 0 : 1));
  }
  for (const property of root.children ?? []) {
    const { key, value } = member(property);
    const vacant = key === "hooks" && value.type === "object" && !remaining.get(property);
    if (vacant) skipped.add(property);
  }
  return written(text, root, skipped);
}

function written(text: string, node: Node, skipped: ReadonlySet<Node>): string {
  const children = (node.children ?? []).filter((child) => !skipped.has(child));
  switch (node.type) {
    case "object":
      return `{${children.map((child) => written(text, child, skipped)).join()}}`;
    case "array":
      return `[${children.map((child) => written(text, child, skipped)).join()}]`;
    case "property":
      return children.map((child) => written(text, child, skipped)).join(":");
    default:
      return spanOf(text, node);
  }
}
