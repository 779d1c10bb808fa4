/**
 * Takes gitvow's hook entries out of a settings text: by what was remembered where that still
 * fits, else by structure.
 */

import { deleteChildren, hasOwnComments } from "./delete_children.ts";
import { foreignPart } from "./foreign.ts";
import {
  endOf,
  eventsOf,
  isBlank,
  member,
  type Node,
  ownership,
  propertiesNamed,
  readRoot,
} from "./settings.ts";
import { applyEdits, type Insertion, locate, takeBack, type TextEdit } from "./text_edit.ts";

/** A settings text without gitvow's entries, and how many handlers were taken out. */
export interface Removal {
  readonly text: string;
  readonly removed: number;
}

/**
 * Removes exactly gitvow's handlers and the containers that only they filled. With the insertions
 * that install made, an otherwise unchanged text comes back as it was, byte for byte. Throws a
 * Failure for a text that cannot be parsed.
 */
export function removeEntries(text: string, remembered: readonly Insertion[] = []): Removal {
  const removed = countOurs(text);
  if (removed === 0) return { text, removed };
  let result = withoutRemembered(text, remembered) ?? text;
  if (countOurs(result) > 0) result = applyEdits(result, structuralEdits(result));
  if (countOurs(result) > 0 || (!isBlank(result) && foreignPart(result) !== foreignPart(text))) {
    throw new Error("Removing gitvow's hook entries would have changed something else");
  }
  return { text: result, removed };
}

/** True for settings with nothing in them, or nothing but the version key that install set. */
export function isVacant(text: string, versionKey: string | undefined): boolean {
  if (isBlank(text)) return true;
  const root = readRoot(text);
  if (hasOwnComments(text, root) || !isBlank(text.slice(endOf(root)))) return false;
  return (root.children ?? []).every((property) => {
    const { key, value } = member(property);
    return key === versionKey && value.value === 1;
  });
}

/** How many of gitvow's handlers a text holds. */
export function countOurs(text: string): number {
  if (isBlank(text)) return 0;
  return eventsOf(readRoot(text))
    .flatMap(({ elements }) => elements.flatMap((element) => element.handlers))
    .filter((handler) => handler.ours).length;
}

/** The text without the insertions still found in it, where that leaves everything else alone. */
function withoutRemembered(text: string, remembered: readonly Insertion[]): string | undefined {
  const located = locate(text, remembered);
  if (located.length === 0) return undefined;
  const candidate = takeBack(text, located);
  if (isBlank(candidate)) return candidate;
  try {
    return foreignPart(candidate) === foreignPart(text) ? candidate : undefined;
  } catch {
    return undefined; // No longer JSON without them: something was added beside an insertion.
  }
}

function structuralEdits(text: string): TextEdit[] {
  const root = readRoot(text);
  const doomed = new Map<Node, Set<Node>>();
  const doom = (container: Node, child: Node) => {
    const set = doomed.get(container) ?? new Set();
    doomed.set(container, set.add(child));
  };
  for (const { property, elements, hooks } of eventsOf(root)) {
    const array = member(property).value;
    for (const element of elements) {
      if (ownership(element) === "ours") doom(array, element.node);
      for (const handler of ownership(element) === "shared" ? element.handlers : []) {
        if (handler.ours && handler.node.parent !== undefined) {
          doom(handler.node.parent, handler.node);
        }
      }
    }
    if (isEmptied(text, array, doomed)) {
      doomed.delete(array);
      doom(member(hooks).value, property);
    }
  }
  for (const property of propertiesNamed(root, "hooks")) {
    const { value } = member(property);
    if (!isEmptied(text, value, doomed)) continue;
    doomed.delete(value);
    doom(root, property);
  }
  if (isEmptied(text, root, doomed)) {
    return [{ offset: root.offset + 1, length: root.length - 2, text: "" }];
  }
  return [...doomed].flatMap(([container, children]) => deleteChildren(text, container, children));
}

/** True where every child of a container goes and nobody's comment is left in it. */
function isEmptied(
  text: string,
  container: Node,
  doomed: ReadonlyMap<Node, ReadonlySet<Node>>,
): boolean {
  const going = doomed.get(container)?.size ?? 0;
  return going > 0 && going === container.children?.length && !hasOwnComments(text, container);
}
