/** Reads the texts on standard input without ever loading the parser package. */
import { ParserMissing } from "../../src/shell/parse.ts";
import { readShell } from "../../src/shell/read.ts";

const context = { cwd: "/home/dev/shop", home: "/home/dev" };
const sources: string[] = await new Response(Deno.stdin.readable).json();
const readings = sources.map((source) => readShell(source, context));
let refused = "";
try {
  readShell("echo $HOME", context);
} catch (thrown) {
  refused = thrown instanceof ParserMissing ? "ParserMissing" : String(thrown);
}
console.log(JSON.stringify({ readings, refused }));
