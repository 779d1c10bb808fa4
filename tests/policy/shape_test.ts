/** The hook's own schema check says the same as zod, of which the schema is generated. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { PolicyFile } from "../../src/policy/schema.ts";
import { type Schema, shapeIssues, unknownKeys } from "../../src/policy/shape.ts";
import { schemaText } from "../../tools/schemas.ts";

const SCHEMA_URL = new URL("../../schemas/policy.schema.json", import.meta.url);
const SCHEMA: Schema = JSON.parse(Deno.readTextFileSync(SCHEMA_URL));
const DEFAULT: unknown = JSON.parse(
  Deno.readTextFileSync(new URL("../../src/policy/default_policy.json", import.meta.url)),
);

/** A policy with every key in every form. */
const FULL = {
  $schema: "x",
  bash_deny: [
    { pattern: "x", reason: "r", when: "observe" },
    { program: "git", verbs: "push", flags: "-f", args: "x", reason: "r", when: "immediate" },
    { program: ["a", "b"], verbs: ["x"], unless: { flags: ["-n"], args: "x" }, reason: "r" },
  ],
  bash_confirm: [],
  path_deny: [{ glob: "x", reason: "r" }, { glob: ["x"], unless: { glob: "y" }, reason: "r" }],
  path_confirm: [{ pattern: "x", reason: "r", unless: { pattern: "y" }, when: "commit" }],
  read_deny: [{ glob: "x", reason: "r" }],
  read_confirm: [],
  mcp_deny: ["mcp__x__y"],
  mcp_allow: [],
  providers: [{ name: "p", command: "c", questions: ["route_gate"], timeout: 1.5 }],
  llm_classifier: { enabled: true, command: "c", timeout: 30 },
  indirect_commands: "observe",
  unread_code: "deny",
};

const JUNK = [
  ...["null", "true", "false", "0", "-1", "0.5", "1e999", "-1e999", '""', '" "', '"deny"', "[]"],
  ...[
    "{}",
    "[null]",
    '[""]',
    "[[]]",
    '{"pattern":"x","reason":"r"}',
    '{"pattern":5,"program":"x"}',
  ],
  ...['{"__proto__":{"pattern":"x","reason":"r"}}', '{"__proto__":null}', '{"constructor":1}'],
  ...['{"glob":5,"pattern":"x","reason":"r"}', '"confirm"', '["route_gate","who"]', '"\\ud800"'],
];

const KEYS = [
  ...Object.keys(FULL),
  ...["pattern", "program", "verbs", "flags", "args", "unless", "reason", "when", "glob", "name"],
  ...[
    "command",
    "questions",
    "timeout",
    "enabled",
    "__proto__",
    "constructor",
    "toString",
    "x",
    "",
  ],
];

/** One change somewhere in a policy. */
interface Mutation {
  readonly at: number;
  readonly how: "replace" | "remove" | "add" | "wrap" | "append";
  readonly key: string;
  readonly junk: unknown;
}

const junk = fc.oneof(
  fc.constantFrom(...JUNK).map((text): unknown => JSON.parse(text)),
  fc.jsonValue({ maxDepth: 3 }),
);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom("replace", "remove", "add", "wrap", "append"),
  key: fc.constantFrom(...KEYS),
  junk,
});

/** Sets an own property, `__proto__` too. */
function put(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** Every place in a value: the container and the key there. */
function placesIn(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== "object" || value === null) return [];
  const container = value as Record<string, unknown>;
  return Object.keys(container).flatMap((key) => [
    [container, key] as [Record<string, unknown>, string],
    ...placesIn(container[key]),
  ]);
}

function mutate(root: { policy: unknown }, { at, how, key, junk }: Mutation): void {
  const places = placesIn(root);
  const [container, name] = places[at % places.length] ?? assert.fail();
  const value = container[name];
  // A copy, so that no value holds itself.
  const fresh = structuredClone(junk);
  if (how === "replace") put(container, name, fresh);
  else if (how === "wrap") put(container, name, [value]);
  else if (how === "append" && Array.isArray(value)) value.push(fresh);
  else if (how === "add" && isObject(value)) put(value, key, fresh);
  else if (how === "remove" && container !== root) {
    if (Array.isArray(container)) container.splice(Number(name), 1);
    else delete container[name];
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function agree(value: unknown): void {
  const parsed = PolicyFile.safeParse(value);
  const issues = shapeIssues(value, SCHEMA);
  assert.equal(issues.length === 0, parsed.success, `${JSON.stringify(issues)}\n${parsed.error}`);
}

Deno.test("the schema file is the one the definition gives", () => {
  assert.equal(Deno.readTextFileSync(SCHEMA_URL), schemaText(PolicyFile));
});

Deno.test("the default policy and a policy with every key have no issues", () => {
  for (const policy of [DEFAULT, FULL, {}]) {
    assert.deepEqual(shapeIssues(policy, SCHEMA), []);
    assert.deepEqual(unknownKeys(policy, SCHEMA), []);
  }
});

Deno.test("a mutated policy has issues exactly where zod refuses it", () => {
  const seed = fc.constantFrom<unknown>(FULL, FULL, FULL, DEFAULT, {});
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(seed, mutations, (policy, changes) => {
      const root = { policy: structuredClone(policy) };
      for (const change of changes) mutate(root, change);
      agree(root.policy);
    }),
    { numRuns: 4000 },
  );
});

Deno.test("any JSON value at all has issues exactly where zod refuses it", () => {
  fc.assert(fc.property(junk, agree), { numRuns: 2000 });
  for (const text of JUNK) agree(JSON.parse(text));
  for (const key of KEYS) {
    for (const text of JUNK) {
      const value: unknown = JSON.parse(`{${JSON.stringify(key)}:${text}}`);
      agree(value);
      agree({ bash_deny: [{ program: "x", reason: "r" }, value] });
      agree({ providers: [{ name: "p", command: "c", timeout: JSON.parse(text) }] });
      agree({ path_deny: [value], providers: [value], llm_classifier: value });
    }
  }
});

const ISSUES: readonly (readonly [unknown, string, string])[] = [
  [[], "", "must be an object, not an array"],
  [null, "", "must be an object, not null"],
  [{ bash_deny: {} }, "bash_deny", "must be an array, not an object"],
  [{ bash_deny: [5] }, "bash_deny/0", "must be an object, not 5"],
  [{ bash_deny: [{}] }, "bash_deny/0", 'must have "pattern"'],
  [{ bash_deny: [{ program: "x" }] }, "bash_deny/0", 'must have "reason"'],
  [{ bash_deny: [{ program: [], reason: "r" }] }, "bash_deny/0/program", "must not be empty"],
  [
    { bash_deny: [{ program: 5, reason: "r" }] },
    "bash_deny/0/program",
    "must be a string or an array, not 5",
  ],
  [{ bash_deny: [{ pattern: "", reason: "r" }] }, "bash_deny/0/pattern", "must not be empty"],
  [
    { path_deny: [{ glob: "x", reason: "r", when: "never" }] },
    "path_deny/0/when",
    'must be one of "immediate", "commit", "observe", not "never"',
  ],
  [{ mcp_allow: ["x", true] }, "mcp_allow/1", "must be a string, not true"],
  [
    { providers: [{ name: "p", command: "c", timeout: 0 }] },
    "providers/0/timeout",
    "must be greater than 0, not 0",
  ],
  [
    { llm_classifier: { enabled: "yes" } },
    "llm_classifier/enabled",
    'must be true or false, not "yes"',
  ],
];

Deno.test("an issue says where it is and what is wrong, for the alternative that was meant", () => {
  for (const [value, path, message] of ISSUES) {
    const first = shapeIssues(value, SCHEMA)[0];
    assert.deepEqual([first?.path.join("/"), first?.message], [path, message]);
  }
});

Deno.test("unknown keys are found at every depth, each with its path", () => {
  const policy = {
    bash_denny: [],
    bash_deny: [{ program: "x", reason: "r", flag: "-f", unless: { flag: "-n" } }],
    path_deny: [{ glob: "x", reason: "r", unless: { globs: [] } }],
    providers: [{ name: "p", command: "c", cwd: "." }],
    llm_classifier: { enabled: false, model: "x" },
  };
  assert.deepEqual(shapeIssues(policy, SCHEMA), []);
  assert.deepEqual(unknownKeys(policy, SCHEMA).map((issue) => issue.path.join("/")), [
    "bash_denny",
    "bash_deny/0/flag",
    "bash_deny/0/unless/flag",
    "path_deny/0/unless/globs",
    "providers/0/cwd",
    "llm_classifier/model",
  ]);
});
