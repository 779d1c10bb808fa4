/**
 * One text for each JSON value, whatever order its keys came in, so that equal inputs hash alike.
 */

/** What is still to be written: a value, or text that is ready. */
type Piece = { readonly value: unknown } | { readonly text: string };

/**
 * `value` as JSON with sorted keys and no spaces. Members that JSON does not have (undefined,
 * functions) are left out of objects and are `null` elsewhere. Depth is bounded by memory alone:
 * nothing recurses.
 */
export function canonicalJson(value: unknown): string {
  const parts: string[] = [];
  const open: Piece[] = [{ value }];
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    if ("text" in piece) parts.push(piece.text);
    else if (Array.isArray(piece.value)) openArray(piece.value, open);
    else if (typeof piece.value === "object" && piece.value !== null) openObject(piece.value, open);
    else parts.push(JSON.stringify(isJson(piece.value) ? piece.value : null));
  }
  return parts.join("");
}

function openArray(values: readonly unknown[], open: Piece[]): void {
  open.push({ text: "]" });
  for (let i = values.length - 1; i >= 0; i--) {
    open.push({ value: values[i] });
    if (i > 0) open.push({ text: "," });
  }
  open.push({ text: "[" });
}

function openObject(object: object, open: Piece[]): void {
  const members = Object.entries(object).filter(([, value]) => isJson(value));
  members.sort(([a], [b]) => a < b ? -1 : 1);
  open.push({ text: "}" });
  for (let i = members.length - 1; i >= 0; i--) {
    const [key, value] = members[i] ?? ["", null];
    open.push({ value }, { text: `${i > 0 ? "," : ""}${JSON.stringify(key)}:` });
  }
  open.push({ text: "{" });
}

function isJson(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol" &&
    typeof value !== "bigint";
}
