/** A process of the append tests: `append_child.ts PATH NAME COUNT [endless]` appends lines to PATH. */
import { appendLine } from "../../src/system/append.ts";

const [path = "", name = "", count = "1", endless] = Deno.args;
for (let i = 0; endless !== undefined || i < Number(count); i++) {
  appendLine(path, JSON.stringify({ name, i, fill: "x".repeat((i * 37) % 900) }), 0o600);
}
