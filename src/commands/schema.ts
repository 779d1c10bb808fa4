/** `gitvow schema`: the JSON Schema of policy files, for editors. */
import policySchema from "../../schemas/policy.schema.json" with { type: "json" };
import type { Command } from "./command.ts";

/** Prints the schema. */
export const schema: Command<Record<never, never>> = (world) => {
  world.terminal.out(JSON.stringify(policySchema, null, 2));
  return 0;
};
