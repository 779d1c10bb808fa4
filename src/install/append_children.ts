/**
 * Puts new values at the end of an array or object of a settings text, laid out as their siblings
 * are, by insertions alone.
 */

import {
  hasLineEnd,
  indentAt,
  isFirstOnLine,
  type Layout,
  printLine,
  printLines,
  spanOf,
} from "./layout.ts";
import { type Comment, endOf, gap, type Node } from "./settings.ts";
import type { TextEdit } from "./text_edit.ts";

/** A value to append; `key` names it where the container is an object. */
export interface NewChild {
  readonly key?: string;
  readonly value: unknown;
}

/** The insertions that append `items` (at least one) to `container`. */
export function appendChildren(
  text: string,
  container: Node,
  items: readonly NewChild[],
  layout: Layout,
): TextEdit[] {
  const last = container.children?.at(-1);
  return last === undefined
    ? fillEmpty(text, container, items, layout)
    : appendAfter(text, container, last, items, layout);
}

function appendAfter(
  text: string,
  container: Node,
  last: Node,
  items: readonly NewChild[],
  layout: Layout,
): TextEdit[] {
  const { comments, comma } = gap(text, endOf(last), endOf(container) - 1);
  const trailing = commentsOnLine(text, (comma ?? endOf(last) - 1) + 1, comments);
  const anchor = trailing.at(-1)?.end ?? (comma === undefined ? endOf(last) : comma + 1);
  const { separator, print } = styleAfter(text, container, last, layout, trailing);
  if (comma !== undefined) {
    return [insertion(anchor, items.map((item) => `${separator}${print(item)},`).join(""))];
  }
  const added = separator + items.map(print).join(`,${separator}`);
  return anchor === endOf(last)
    ? [insertion(anchor, `,${added}`)]
    : [insertion(endOf(last), ","), insertion(anchor, added)];
}

/** How the next child follows the last one: what stands between them and how it is printed. */
function styleAfter(
  text: string,
  container: Node,
  last: Node,
  layout: Layout,
  trailing: readonly Comment[],
): { separator: string; print: (item: NewChild) => string } {
  const previous = container.children?.at(-2);
  const before = text.slice(
    previous === undefined ? container.offset + 1 : endOf(previous),
    last.offset,
  );
  if (hasLineEnd(before) || trailing.some((comment) => comment.line)) {
    const indent = isFirstOnLine(text, last.offset)
      ? indentAt(text, last.offset)
      : indentAt(text, ownerOf(container).offset) + layout.unit;
    const flat = last.type === "object" && (last.children?.length ?? 0) > 0 &&
      !hasLineEnd(spanOf(text, last));
    return {
      separator: layout.lineEnd + indent,
      print: (item) =>
        keyText(item, layout) +
        (flat ? printLine(item.value, layout) : printLines(item.value, layout, indent)),
    };
  }
  const blank = /,([ \t]*)$/.exec(before)?.[1] ?? layout.comma.slice(1);
  const oneLine = !hasLineEnd(spanOf(text, container));
  const indent = indentAt(text, endOf(last) - 1);
  return {
    separator: blank,
    print: (item) =>
      keyText(item, layout) +
      (oneLine ? printLine(item.value, layout) : printLines(item.value, layout, indent)),
  };
}

function fillEmpty(
  text: string,
  container: Node,
  items: readonly NewChild[],
  layout: Layout,
): TextEdit[] {
  const close = endOf(container) - 1;
  const { comments } = gap(text, container.offset + 1, close);
  const start = comments.at(-1)?.end ?? container.offset + 1;
  const blank = text.slice(start, close);
  if (layout.oneLine) {
    const added = items.map((item) => keyText(item, layout) + printLine(item.value, layout))
      .join(layout.comma);
    const padding = container.type === "object" ? layout.padding : "";
    const lead = blank || (comments.length > 0 ? " " : padding);
    return [insertion(start, lead + added + (blank === "" ? padding : ""))];
  }
  const base = indentAt(text, ownerOf(container).offset);
  const indent = base + layout.unit;
  const added = layout.lineEnd + indent +
    items.map((item) => keyText(item, layout) + printLines(item.value, layout, indent))
      .join(`,${layout.lineEnd}${indent}`);
  if (hasLineEnd(blank)) return [insertion(start, added)];
  // Blanks already there serve as the end of the closing bracket's indentation where they can.
  return base.endsWith(blank)
    ? [insertion(start, added + layout.lineEnd + base.slice(0, base.length - blank.length))]
    : [insertion(close, added + layout.lineEnd + base)];
}

function keyText(item: NewChild, layout: Layout): string {
  return item.key === undefined ? "" : JSON.stringify(item.key) + layout.colon;
}

/** The node whose line tells how far a container is indented: its property, or itself. */
function ownerOf(container: Node): Node {
  return container.parent?.type === "property" ? container.parent : container;
}

/** The comments that follow `from` before its line ends. */
function commentsOnLine(text: string, from: number, comments: readonly Comment[]): Comment[] {
  const found: Comment[] = [];
  let at = from;
  for (const comment of comments) {
    if (comment.offset < from) continue;
    if (hasLineEnd(text.slice(at, comment.offset))) break;
    found.push(comment);
    at = comment.end;
  }
  return found;
}

function insertion(offset: number, text: string): TextEdit {
  return { offset, length: 0, text };
}
