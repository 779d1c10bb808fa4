/** The code of a Jupyter notebook's cells, since an edit of one is an edit of that cell alone. */
import type { JsonObject, TextChange } from "../domain/call.ts";

/** What a notebook edit changes, and the code of the whole notebook before it. */
export interface NotebookChange {
  readonly change: TextChange;
  readonly file: string;
}

/**
 * Reads a notebook edit (`cell_id`, `edit_mode`, `new_source`) against the notebook's text. A cell
 * or notebook that is not there has no text before the edit.
 */
export function notebookChange(notebook: string, input: JsonObject): NotebookChange {
  const cells = cellsOf(notebook);
  const id = input["cell_id"];
  const mode = input["edit_mode"];
  const source = input["new_source"];
  const index = typeof id === "string"
    ? cells.findIndex((cell, at) => cell.id === id || id === `cell-${at}`)
    : -1;
  return {
    change: {
      before: mode === "insert" ? "" : cells[index]?.source ?? "",
      after: mode === "delete" || typeof source !== "string" ? "" : source,
    },
    file: cells.map((cell) => cell.source).join("\n"),
  };
}

function cellsOf(notebook: string): { id: unknown; source: string }[] {
  let value: unknown;
  try {
    value = JSON.parse(notebook);
  } catch {
    return [];
  }
  const cells = isObject(value) ? value["cells"] : undefined;
  if (!Array.isArray(cells)) return [];
  return cells.map((cell: unknown) => {
    const { id, source }: JsonObject = isObject(cell) ? cell : {};
    const lines: readonly unknown[] = Array.isArray(source) ? source : [source];
    return { id, source: lines.filter((line) => typeof line === "string").join("") };
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
