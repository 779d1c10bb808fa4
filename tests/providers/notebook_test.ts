/** Notebook edits: the text of the one cell that changes. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../src/domain/call.ts";
import { notebookChange } from "../../src/providers/notebook.ts";

const NOTEBOOK = JSON.stringify({
  cells: [
    { id: "a1", cell_type: "code", source: ["one\n", 'get("/x")'] },
    { cell_type: "markdown", source: "two" },
    { id: "c3", cell_type: "code" },
  ],
});
const FILE = 'one\nget("/x")\ntwo\n';

const ROWS: readonly (readonly [string, string, JsonObject, string, string, string])[] = [
  ["by id", NOTEBOOK, { cell_id: "a1", new_source: "n" }, 'one\nget("/x")', "n", FILE],
  ["by number", NOTEBOOK, { cell_id: "cell-1", new_source: "n" }, "two", "n", FILE],
  ["without source", NOTEBOOK, { cell_id: "c3", new_source: "n" }, "", "n", FILE],
  ["inserted", NOTEBOOK, { cell_id: "a1", edit_mode: "insert", new_source: "n" }, "", "n", FILE],
  [
    "deleted",
    NOTEBOOK,
    { cell_id: "a1", edit_mode: "delete", new_source: "n" },
    'one\nget("/x")',
    "",
    FILE,
  ],
  ["unknown", NOTEBOOK, { cell_id: "zz", new_source: "n" }, "", "n", FILE],
  ["no id given", NOTEBOOK, { new_source: "n" }, "", "n", FILE],
  ["no notebook", "", { cell_id: "a1", new_source: "n" }, "", "n", ""],
  ["no JSON object", "[1]", { cell_id: "a1", new_source: 7 }, "", "", ""],
  ["odd cells", '{"cells":[null,7,{"source":[1,"s"]}]}', { cell_id: "cell-2" }, "s", "", "\n\ns"],
];

Deno.test("a notebook edit changes one cell", async (t) => {
  for (const [name, notebook, input, before, after, file] of ROWS) {
    await t.step(name, () => {
      assert.deepEqual(notebookChange(notebook, input), { change: { before, after }, file });
    });
  }
});
