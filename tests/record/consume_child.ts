/** A process of the approval tests: waits for the moment `AT`, then consumes; prints 1 where nothing remains. */
import { consume, type Judged } from "../../src/record/approvals.ts";
import { denoSystem } from "../../src/system/deno.ts";

const [home = "", at = "0", judged = "{}"] = Deno.args;
await new Promise((done) => setTimeout(done, Number(at) - Date.now()));
const { remaining } = await consume({ ...denoSystem(), home }, JSON.parse(judged) as Judged);
await Deno.stdout.write(new TextEncoder().encode(remaining.length === 0 ? "1" : "0"));
