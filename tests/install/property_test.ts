/** Round trips on generated settings: random shapes, white space, comments, trailing commas. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { insertEntries, removeEntries } from "../../src/install/edit.ts";

const EVENTS = ["Pre", "Stop", "Other"];
const WANTED = {
  Pre: [{ matcher: "*", hooks: [{ type: "command", command: "gitvow hook Pre", timeout: 60 }] }],
  Stop: [{ command: "'/a b/gitvow' hook Stop" }, { bash: "gitvow hook Stop" }],
};

const lineEnd = fc.constantFrom("\n", "\r\n", "\n\n");
const blank = fc.constantFrom("", "", "", " ", "  ", "\t");
const comment = fc.oneof(
  fc.constantFrom("/**/", "/* , ] } */", '/* "hooks": [ */', "/* a\n b */"),
  fc.tuple(fc.constantFrom("// x", "//", '// "hooks": {, ', "// }]"), lineEnd).map((it) =>
    it.join("")
  ),
);
/** What may stand between two tokens. */
const trivia = fc.oneof(
  { weight: 6, arbitrary: blank },
  { weight: 4, arbitrary: fc.tuple(blank, lineEnd, blank).map((it) => it.join("")) },
  { weight: 1, arbitrary: fc.tuple(blank, comment, blank).map((it) => it.join("")) },
);
const scalar = fc.oneof(
  fc.constantFrom(
    "null",
    "true",
    "-0",
    "1e400",
    "12345678901234567890",
    '"echo gitvow hook"',
    '"\\u007b"',
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }).map((it) => JSON.stringify(it)),
);

function container(open: string, close: string, child: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(
    fc.array(fc.tuple(trivia, child, trivia), { maxLength: 3 }),
    trivia,
    fc.boolean(),
  ).map(([children, end, trailing]) => {
    const inner = children.map((it) => it.join("")).join(",");
    return open + inner + (trailing && children.length > 0 ? "," : "") + end + close;
  });
}

function property(key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(trivia, trivia, value).map(([a, b, it]) =>
    `${JSON.stringify(key)}${a}:${b}${it}`
  );
}

/** An object with a subset of the given properties, each at most once, in any order. */
function objectOf(properties: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(
    fc.shuffledSubarray([...properties.keys()]),
    fc.tuple(...properties.map((it) => fc.tuple(trivia, it, trivia))),
    trivia,
    fc.boolean(),
  ).map(([order, all, end, trailing]) => {
    const inner = order.map((index) => all[index]?.join("")).join(",");
    return `{${inner}${trailing && order.length > 0 ? "," : ""}${end}}`;
  });
}

const value: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalar,
    container("[", "]", tie("any")),
    objectOf([property("a", tie("any")), property("hooks", tie("any"))]),
  ),
})).any;
const handler = objectOf([property("command", scalar), property("timeout", scalar)]);
const group = objectOf([
  property("matcher", scalar),
  property("hooks", container("[", "]", handler)),
]);
const events = EVENTS.map((event) =>
  property(event, container("[", "]", fc.oneof(group, handler, scalar)))
);
const settings = fc.tuple(
  fc.constantFrom("", "\uFEFF"),
  trivia,
  objectOf([property("a", value), property("b", value), property("hooks", objectOf(events))]),
  trivia,
).map((it) => it.join(""));

/** Settings as data, as far as these tests look into them. */
type Data = { hooks?: Record<string, unknown[]> };

function read(text: string): Data {
  const errors: unknown[] = [];
  const data = parse(text.replace("\uFEFF", " "), errors as never[], { allowTrailingComma: true });
  assert.deepEqual(errors, [], text);
  return data;
}

/** The data without empty event arrays and empty hooks. */
function pruned(text: string): unknown {
  const data = read(text);
  for (const [event, list] of Object.entries<unknown>(data.hooks ?? {})) {
    if (Array.isArray(list) && list.length === 0) delete data.hooks?.[event];
  }
  if (data.hooks !== undefined && Object.keys(data.hooks).length === 0) delete data.hooks;
  return data;
}

function comments(text: string): string[] {
  const found = text.match(/\/\*[\s\S]*?\*\/|\/\/[^\r\n]*/g) ?? [];
  return found.map((it) => it.trimEnd());
}

Deno.test("inserting adds our entries at the end, keeps the rest, and is undone exactly", () => {
  fc.assert(
    fc.property(settings, (text) => {
      const before = read(text);
      const installed = insertEntries(text, WANTED);
      const after = read(installed.text);
      for (const [event, list] of Object.entries(WANTED)) {
        assert.deepEqual(after.hooks?.[event], [...(before.hooks?.[event] ?? []), ...list]);
        delete after.hooks?.[event];
        delete before.hooks?.[event];
      }
      assert.deepEqual({ hooks: {}, ...after }, { hooks: {}, ...before });
      assert.deepEqual(comments(installed.text), comments(text));
      assert.equal(insertEntries(installed.text, WANTED).text, installed.text);
      assert.equal(removeEntries(installed.text, installed.insertions).text, text);
    }),
    { numRuns: 1500 },
  );
});

Deno.test("removing by structure alone keeps every foreign value and comment", () => {
  fc.assert(
    fc.property(settings, (text) => {
      const { text: without } = removeEntries(insertEntries(text, WANTED).text);
      assert.deepEqual(pruned(without), pruned(text));
      assert.deepEqual(comments(without), comments(text));
      const holdsEvents = Object.keys(WANTED).every((event) => read(text).hooks?.[event]?.length);
      if (holdsEvents) assert.equal(without, text);
    }),
    { numRuns: 1500 },
  );
});

Deno.test("a changed command is replaced, and the insertions move along", () => {
  const changed = JSON.parse(JSON.stringify(WANTED).replaceAll("hook ", "hook --agent x "));
  fc.assert(
    fc.property(
      settings,
      fc.constantFrom(changed, { Other: WANTED.Stop, ...WANTED }),
      (text, next) => {
        const first = insertEntries(text, WANTED);
        const second = insertEntries(first.text, next, undefined, first.insertions);
        assert.equal(removeEntries(second.text, second.insertions).text, text);
      },
    ),
    { numRuns: 700 },
  );
});

Deno.test("text put anywhere into an installed file never costs foreign data", () => {
  const noise = fc.constantFrom(
    " ",
    "\n",
    "// n\n",
    "/* n */",
    ",",
    "1,",
    "{},",
    '"x": 1,',
    "]",
    '"',
  );
  fc.assert(
    fc.property(settings, fc.nat(), noise, (text, at, added) => {
      const { text: installed, insertions } = insertEntries(text, WANTED);
      const offset = at % (installed.length + 1);
      const edited = installed.slice(0, offset) + added + installed.slice(offset);
      let removed: string;
      try {
        removed = removeEntries(edited, insertions).text;
      } catch (error) {
        assert.equal((error as Error).name, "Failure");
        return;
      }
      assert.deepEqual(pruned(removeEntries(removed).text), pruned(removeEntries(edited).text));
    }),
    { numRuns: 1500 },
  );
});
