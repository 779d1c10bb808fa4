/**
 * Edits on a text: applying them, taking insertions back, and keeping track of earlier insertions
 * while the text changes around them. Offsets count UTF-16 units.
 */

/** Text that was put in; `offset` is where it stands in the text that holds it. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** `length` units at `offset` of the text as it is now become `text`. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** The text with all edits made; their ranges must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of inOrder(edits)) {
    parts.push(text.slice(at, edit.offset), edit.text);
    at = edit.offset + edit.length;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** The text without the insertions, each of which must stand where it says. */
export function takeBack(text: string, insertions: readonly Insertion[]): string {
  return applyEdits(
    text,
    insertions.map(({ offset, text: inserted }) => ({ offset, length: inserted.length, text: "" })),
  );
}

/**
 * Where earlier insertions, and the ones among `edits`, stand once `edits` are made. An earlier
 * insertion whose borders an edit crosses is forgotten.
 */
export function follow(
  insertions: readonly Insertion[],
  edits: readonly TextEdit[],
): Insertion[] {
  const ordered = inOrder(edits);
  const after: Insertion[] = [];
  const swallowed = new Set<TextEdit>();
  for (const insertion of insertions) {
    const end = insertion.offset + insertion.text.length;
    const inside = ordered.filter((edit) => isInside(edit, insertion.offset, end));
    for (const edit of inside) swallowed.add(edit);
    if (ordered.some((edit) => !inside.includes(edit) && crosses(edit, insertion.offset, end))) {
      continue;
    }
    const text = applyEdits(
      insertion.text,
      inside.map((edit) => ({ ...edit, offset: edit.offset - insertion.offset })),
    );
    const before = ordered.filter((edit) => !inside.includes(edit));
    after.push({ offset: moved(insertion.offset, before), text });
  }
  ordered.forEach((edit, index) => {
    if (edit.length > 0 || edit.text === "" || swallowed.has(edit)) return;
    after.push({ offset: moved(edit.offset, ordered.slice(0, index)), text: edit.text });
  });
  return after.filter(({ text }) => text !== "").sort((a, b) => a.offset - b.offset);
}

/**
 * Where remembered insertions stand in a text that may have changed since: at their offsets where
 * all still do, else wherever their text is found exactly once, or beside one that was found.
 */
export function locate(text: string, insertions: readonly Insertion[]): Insertion[] {
  if (insertions.every((insertion) => standsAt(text, insertion, 0))) return [...insertions];
  const shifts = insertions.map((insertion) => {
    // A lone comma found somewhere says nothing; only text with words in it is looked for.
    const first = /\w/.test(insertion.text) ? text.indexOf(insertion.text) : -1;
    const unique = first >= 0 && text.indexOf(insertion.text, first + 1) < 0;
    return unique ? first - insertion.offset : undefined;
  });
  const located: Insertion[] = [];
  let end = 0;
  insertions.forEach((insertion, index) => {
    const candidates = [shifts[index], shifts[index + 1], shifts[index - 1]];
    const shift = candidates.find((it) => it !== undefined && standsAt(text, insertion, it));
    if (shift === undefined || insertion.offset + shift < end) return;
    located.push({ offset: insertion.offset + shift, text: insertion.text });
    end = insertion.offset + shift + insertion.text.length;
  });
  return located;
}

function standsAt(text: string, insertion: Insertion, shift: number): boolean {
  const offset = insertion.offset + shift;
  return offset >= 0 && text.startsWith(insertion.text, offset);
}

function isInside(edit: TextEdit, start: number, end: number): boolean {
  const editEnd = edit.offset + edit.length;
  return edit.length === 0
    ? edit.offset > start && edit.offset < end
    : edit.offset >= start && editEnd <= end;
}

function crosses(edit: TextEdit, start: number, end: number): boolean {
  return edit.length > 0 && edit.offset < end && edit.offset + edit.length > start;
}

function moved(offset: number, edits: readonly TextEdit[]): number {
  return edits.reduce(
    (at, edit) => edit.offset + edit.length <= offset ? at + edit.text.length - edit.length : at,
    offset,
  );
}

function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  return [...edits].sort((a, b) => a.offset - b.offset || a.length - b.length);
}
