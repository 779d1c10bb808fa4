/**
 * Puts hook entries into a settings text and changes no other byte of it.
 */

import type { JsonObject } from "../domain/call.ts";
import { Failure } from "../domain/failure.ts";
import { appendChildren, type NewChild } from "./append_children.ts";
import { deleteChildren } from "./delete_children.ts";
import { foreignPart } from "./foreign.ts";
import { hasLineEnd, indentAt, layoutOf, printLine, printLines, spanOf } from "./layout.ts";
import {
  dataOf,
  type Element,
  elementsOf,
  isBlank,
  member,
  type Node,
  onlyProperty,
  ownership,
  readRoot,
  wrongType,
} from "./settings.ts";
import type { Entries } from "./spec.ts";
import { applyEdits, follow, type Insertion, type TextEdit } from "./text_edit.ts";

/** A settings text with gitvow's entries, and what was put in, at its offsets in that text. */
export interface Inserted {
  readonly text: string;
  readonly insertions: readonly Insertion[];
}

/**
 * Merges the entries into `hooks`, each at the end of its event's array, or in place of gitvow's
 * own entries there that differ; equal ones stay as they are. A blank text becomes an object, with
 * `versionKey` set to 1 if given. `remembered` are the insertions of an earlier install; they come
 * back moved to where they stand now. Throws a Failure where the text cannot be edited safely.
 */
export function insertEntries(
  text: string,
  entries: Entries,
  versionKey?: string,
  remembered: readonly Insertion[] = [],
): Inserted {
  const wanted = Object.entries(entries).filter(([, list]) => list.length > 0);
  checkRecognisable(wanted);
  if (wanted.length === 0) return { text, insertions: remembered };
  if (isBlank(text)) return createObject(text, wanted, versionKey);
  const cleared = apply(text, remembered, clearingEdits(text, wanted));
  const result = apply(cleared.text, cleared.insertions, addingEdits(cleared.text, wanted));
  if (foreignPart(result.text) !== foreignPart(text) || !holds(result.text, wanted)) {
    throw new Error("Inserting gitvow's hook entries would have changed something else");
  }
  return result;
}

type Wanted = readonly (readonly [string, readonly JsonObject[]])[];

function apply(
  text: string,
  insertions: readonly Insertion[],
  edits: readonly TextEdit[],
): Inserted {
  if (edits.length === 0) return { text, insertions };
  return { text: applyEdits(text, edits), insertions: follow(insertions, edits) };
}

/** Refuses entries that uninstall could not tell from foreign ones. */
function checkRecognisable(wanted: Wanted): void {
  for (const [event, list] of wanted) {
    const elements = elementsOf(readRoot(JSON.stringify({ list })).children?.[0]?.children?.[1]);
    const stranger = elements.findIndex((element) => ownership(element) !== "ours");
    if (stranger < 0) continue;
    throw new Failure(
      `the entry ${JSON.stringify(list[stranger])} for ${JSON.stringify(event)} has a handler ` +
        "that does not run `gitvow hook`, so uninstall could not find it again",
      "Let every handler of the agent's install entries run __GITVOW__ hook",
    );
  }
}

function createObject(text: string, wanted: Wanted, versionKey: string | undefined): Inserted {
  const layout = layoutOf(text, undefined);
  const value = {
    ...(versionKey === undefined ? {} : { [versionKey]: 1 }),
    hooks: Object.fromEntries(wanted),
  };
  const closed = hasLineEnd(text) ? "" : layout.lineEnd;
  const insertion = {
    offset: text.startsWith("\uFEFF") ? 1 : 0,
    text: printLines(value, layout, "") + closed,
  };
  return apply(text, [], [{ ...insertion, length: 0 }]);
}

/** The `hooks` object of the settings, or undefined where there is none. */
function hooksOf(text: string, root: Node): Node | undefined {
  const property = onlyProperty(text, root, "hooks");
  if (property === undefined) return undefined;
  const { value } = member(property);
  if (value.type !== "object") throw wrongType(text, "hooks", "object", value);
  return value;
}

/** The array of an event, or undefined where there is none. */
function arrayOf(text: string, hooks: Node | undefined, event: string): Node | undefined {
  const property = hooks && onlyProperty(text, hooks, event);
  if (property === undefined) return undefined;
  const { value } = member(property);
  if (value.type !== "array") throw wrongType(text, `hooks.${event}`, "array", value);
  return value;
}

/** Takes out gitvow's entries of the events whose old and new ones do not pair up. */
function clearingEdits(text: string, wanted: Wanted): TextEdit[] {
  const hooks = hooksOf(text, readRoot(text));
  return wanted.flatMap(([event, list]) => {
    const array = arrayOf(text, hooks, event);
    if (array === undefined || replacements(text, array, list) !== undefined) return [];
    const elements = elementsOf(array);
    const whole = elements.filter((it) => ownership(it) === "ours").map((it) => it.node);
    const edits = deleteChildren(text, array, new Set(whole));
    for (const element of elements.filter((it) => ownership(it) === "shared")) {
      const ours = new Set(element.handlers.filter((it) => it.ours).map((it) => it.node));
      for (const container of element.arrays) {
        const inside = (container.children ?? []).filter((child) => ours.has(child));
        edits.push(...deleteChildren(text, container, new Set(inside)));
      }
    }
    return edits;
  });
}

function addingEdits(text: string, wanted: Wanted): TextEdit[] {
  const root = readRoot(text);
  const layout = layoutOf(text, root);
  const hooks = hooksOf(text, root);
  const edits: TextEdit[] = [];
  const missing: NewChild[] = [];
  for (const [event, list] of wanted) {
    const array = arrayOf(text, hooks, event);
    if (array === undefined) missing.push({ key: event, value: list });
    else if (!elementsOf(array).some((element) => ownership(element) !== "foreign")) {
      edits.push(...appendChildren(text, array, list.map((value) => ({ value })), layout));
    } else edits.push(...replacements(text, array, list) ?? []);
  }
  if (hooks === undefined) {
    const value = Object.fromEntries(missing.map((child) => [child.key, child.value]));
    return appendChildren(text, root, [{ key: "hooks", value }], layout);
  }
  if (missing.length > 0) edits.push(...appendChildren(text, hooks, missing, layout));
  return edits;
}

/**
 * The edits that turn gitvow's entries in an event's array into the wanted ones, one for one; none
 * where they are equal already. Undefined where the two do not pair up.
 */
function replacements(
  text: string,
  array: Node,
  wanted: readonly JsonObject[],
): TextEdit[] | undefined {
  const present = elementsOf(array).filter((element) => ownership(element) !== "foreign");
  if (present.length === 0) return [];
  if (present.length !== wanted.length) return undefined;
  const edits: TextEdit[] = [];
  for (const [index, element] of present.entries()) {
    const entry = wanted[index] ?? {};
    const ours = ourPart(element);
    if (sorted(ours) === sorted(entry)) continue;
    const handler = element.handlers.find((it) => it.ours);
    if (ownership(element) === "ours") edits.push(replacement(text, element.node, entry));
    else if (handler !== undefined && differOnlyInHandler(ours, entry)) {
      edits.push(replacement(text, handler.node, (entry.hooks as JsonObject[])[0]));
    } else return undefined;
  }
  return edits;
}

function differOnlyInHandler(ours: JsonObject, entry: JsonObject): boolean {
  return Array.isArray(ours.hooks) && ours.hooks.length === 1 &&
    Array.isArray(entry.hooks) && entry.hooks.length === 1 &&
    sorted({ ...ours, hooks: [] }) === sorted({ ...entry, hooks: [] });
}

/** An element as data, with only gitvow's handlers in it. */
function ourPart(element: Element): JsonObject {
  const data = dataOf(element.node) as JsonObject;
  if (element.arrays.length === 0) return data;
  const ours = element.handlers.filter((handler) => handler.ours);
  return { ...data, hooks: ours.map((handler) => dataOf(handler.node)) };
}

function replacement(text: string, node: Node, value: unknown): TextEdit {
  const layout = layoutOf(text, readRoot(text));
  const printed = hasLineEnd(spanOf(text, node))
    ? printLines(value, layout, indentAt(text, node.offset))
    : printLine(value, layout);
  return { offset: node.offset, length: node.length, text: printed };
}

/** JSON with the keys of every object in order, to compare by. */
function sorted(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, item) =>
      typeof item === "object" && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => a < b ? -1 : 1))
        : item,
  );
}

/** True where the text holds exactly the wanted entries for each of their events. */
function holds(text: string, wanted: Wanted): boolean {
  const hooks = hooksOf(text, readRoot(text));
  return wanted.every(([event, list]) => {
    const array = arrayOf(text, hooks, event);
    const present = array === undefined ? [] : elementsOf(array);
    const ours = present.filter((element) => ownership(element) !== "foreign").map(ourPart);
    return sorted(ours) === sorted(list);
  });
}
