/**
 * The policy file's schema: the single definition of its shape.
 *
 * `schemas/policy.schema.json` is generated from it (`deno task schemas`), and the hook validates
 * with that generated file (`shape.ts`), so that it need not load zod.
 */
import { z } from "zod";
import { QUESTIONS } from "./policy.ts";

const text = z.string().min(1);

const reason = text.describe("Why this matters, shown to the person and the agent.");

const when = z.enum(["immediate", "commit", "observe"]).describe(
  "When a person is asked: at once, at the commit (until then at once), or never.",
);

const pattern = text.describe("A JavaScript or Python regular expression.");

const patternRule = z.object({ pattern, reason, when: when.optional() });

const names = z.union([text, z.array(text).min(1)]);

const programRule = z.object({
  program: names.describe("The program's base name, or a list of them."),
  verbs: names.optional().describe(
    "Regular expressions for the words from the verb on, global options stepped over.",
  ),
  flags: names.optional().describe("Flags of which any one must be given: -f, --force."),
  args: pattern.optional().describe("A regular expression for any one positional word."),
  unless: z.object({
    flags: names.optional(),
    args: pattern.optional(),
  }).optional().describe("Flags or words that make the rule not apply."),
  reason,
  when: when.optional(),
});

const commandRules = z.array(z.union([patternRule, programRule]));

const lifted = z.object({ glob: names.optional(), pattern: pattern.optional() }).optional()
  .describe("Files that the rule does not hold for.");

const pathRules = z.array(
  z.union([
    z.object({ pattern, unless: lifted, reason, when: when.optional() }),
    z.object({
      glob: names.describe("A glob, or a list of them of which one must match."),
      unless: lifted,
      reason,
      when: when.optional(),
    }),
  ]),
);

const seconds = z.number().positive().describe("Seconds; the hook's own deadline holds as well.");

/** A policy file, as written by a person. Unknown keys are ignored (and warned about by `policy check`). */
export const PolicyFile = z.object({
  $schema: z.string().optional(),
  bash_deny: commandRules.optional(),
  bash_confirm: commandRules.optional(),
  path_deny: pathRules.optional(),
  path_confirm: pathRules.optional(),
  read_deny: pathRules.optional(),
  read_confirm: pathRules.optional(),
  mcp_deny: z.array(text).optional(),
  mcp_allow: z.array(text).optional(),
  providers: z.array(z.object({
    name: text,
    command: text,
    questions: z.array(z.enum(QUESTIONS)).optional(),
    timeout: seconds.optional(),
  })).optional(),
  llm_classifier: z.object({
    enabled: z.boolean(),
    command: text.optional(),
    timeout: seconds.optional(),
  }).optional(),
  indirect_commands: z.enum(["allow", "observe", "confirm", "deny"]).optional(),
  unread_code: z.enum(["confirm", "deny"]).optional(),
}).meta({ title: "gitvow policy" });

export type PolicyFile = z.infer<typeof PolicyFile>;
