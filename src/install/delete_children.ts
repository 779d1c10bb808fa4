/**
 * Cuts values out of an array or object of a settings text with the comma and white space that
 * belong to them, so that appending and deleting again gives the same bytes.
 */

import { hasLineEnd, isFirstOnLine } from "./layout.ts";
import { type Comment, endOf, gap, type Node } from "./settings.ts";
import type { TextEdit } from "./text_edit.ts";

/** The deletions that take the `doomed` children out of `container`. */
export function deleteChildren(
  text: string,
  container: Node,
  doomed: ReadonlySet<Node>,
): TextEdit[] {
  const children = container.children ?? [];
  const edits: TextEdit[] = [];
  let done = container.offset + 1;
  let kept: Node | undefined;
  // True where a line comment is the last thing before the child that stays.
  let closed = false;
  children.forEach((child, index) => {
    const previous = children[index - 1];
    const between = gap(text, previous ? endOf(previous) : done, child.offset);
    const note = between.comments.at(-1);
    if (note !== undefined) closed = note.line && !(between.comma && between.comma > note.offset);
    if (!doomed.has(child)) {
      kept = child;
      closed = false;
      return;
    }
    const next = children[index + 1]?.offset ?? endOf(container) - 1;
    const { comments, comma } = gap(text, endOf(child), next);
    const ranges = comma === undefined
      ? lastRanges(text, child, comments, closed)
      : rangesWithComma(text, child, comma, comments, {
        first: kept === undefined,
        mayJoin: index === children.length - 1 && !closed,
      });
    for (const [from, to] of ranges) {
      const start = Math.max(from, done);
      edits.push({ offset: start, length: to - start, text: "" });
      done = Math.max(done, to);
    }
  });
  const last = children.at(-1);
  if (kept !== undefined && last !== undefined && doomed.has(last)) {
    // With the last child and no trailing comma gone, the comma before it has nothing to separate.
    const trailing = gap(text, endOf(last), endOf(container) - 1).comma !== undefined;
    const after = children[children.indexOf(kept) + 1];
    const comma = after && gap(text, endOf(kept), after.offset).comma;
    if (!trailing && comma !== undefined) edits.push({ offset: comma, length: 1, text: "" });
  }
  return edits;
}

/** True where comments stand in a container beside its children, or between its key and it. */
export function hasOwnComments(text: string, container: Node): boolean {
  const key = container.parent?.type === "property" ? container.parent.children?.[0] : undefined;
  if (key && gap(text, endOf(key), container.offset).comments.length > 0) return true;
  let from = container.offset + 1;
  for (const child of container.children ?? []) {
    if (gap(text, from, child.offset).comments.length > 0) return true;
    from = endOf(child);
  }
  return gap(text, from, endOf(container) - 1).comments.length > 0;
}

/** `mayJoin` where the bracket that follows may move up to the line before. */
function rangesWithComma(
  text: string,
  child: Node,
  comma: number,
  comments: readonly Comment[],
  { first, mayJoin }: { first: boolean; mayJoin: boolean },
): [number, number][] {
  const end = endOf(child);
  const after = comma + 1;
  // A comment before the comma stays, so the two are cut apart.
  const split = comments.some((comment) => comment.offset < comma);
  const whole = (from: number, to: number): [number, number][] =>
    split ? [[from, end], [comma, to]] : [[from, to]];
  const rest = /^[ \t]*/.exec(text.slice(after))?.[0].length ?? 0;
  if (isFirstOnLine(text, child.offset)) {
    const commented = comments.some((comment) => comment.offset === after + rest);
    const alone = hasLineEnd(text.charAt(after + rest)) || (mayJoin && !commented);
    return alone && !split
      ? whole(lineBreakBefore(text, child.offset), after)
      : whole(child.offset, after + rest);
  }
  if (!first) return whole(blanksBefore(text, child.offset), after);
  const space = /^[ \t\r\n]*/.exec(text.slice(after))?.[0].length ?? 0;
  return whole(child.offset, after + space);
}

function lastRanges(
  text: string,
  child: Node,
  after: readonly Comment[],
  closed: boolean,
): [number, number][] {
  const end = endOf(child);
  if (!isFirstOnLine(text, child.offset)) return [[blanksBefore(text, child.offset), end]];
  const noted = after.some((comment) => !hasLineEnd(text.slice(end, comment.offset)));
  // The bracket must not slide onto a line that a comment closes.
  const swallowed = closed && !/^[ \t]*[\r\n]/.test(text.slice(end));
  return [[noted || swallowed ? child.offset : lineBreakBefore(text, child.offset), end]];
}

/** Where the blanks directly before `offset` begin. */
function blanksBefore(text: string, offset: number): number {
  let at = offset;
  while (/[ \t]/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Where the line end before the blanks before `offset` begins; 0 where there is none. */
function lineBreakBefore(text: string, offset: number): number {
  const at = blanksBefore(text, offset);
  if (text.slice(at - 2, at) === "\r\n") return at - 2;
  return hasLineEnd(text.charAt(at - 1)) ? at - 1 : at;
}
