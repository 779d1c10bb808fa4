/** Writes `schemas/*.schema.json` from the zod definitions; `--check` only says what is stale. */
import { z } from "zod";
import { PolicyFile } from "../src/policy/schema.ts";

const SCHEMAS = { "policy.schema.json": PolicyFile };

/** The JSON Schema text of one definition: inputs as a person writes them, unknown keys allowed. */
export function schemaText(schema: z.ZodType): string {
  return JSON.stringify(z.toJSONSchema(schema, { io: "input" }), null, 2) + "\n";
}

if (import.meta.main) {
  const folder = new URL("../schemas/", import.meta.url);
  let stale = 0;
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const url = new URL(name, folder);
    const text = schemaText(schema);
    if (Deno.args.includes("--check")) {
      if (Deno.readTextFileSync(url) === text) continue;
      stale++;
      console.error(`schemas/${name} is stale: run \`deno task schemas\``);
    } else {
      Deno.writeTextFileSync(url, text);
      console.log(`wrote schemas/${name}`);
    }
  }
  Deno.exit(stale === 0 ? 0 : 1);
}
