/** Edits on settings texts that the round trip does not reach: layouts, refusals, shared groups. */

import assert from "node:assert/strict";
import { insertEntries, isGitvowCommand, removeEntries } from "../../src/install/edit.ts";
import { Failure } from "../../src/domain/failure.ts";
import { removeEntries as remove } from "../../src/install/remove.ts";

const ONE = { Pre: [{ command: "gitvow hook Pre" }] };

const LAYOUTS: [string, string, string][] = [
  [
    "an empty object",
    "{}",
    `{\n  "hooks": {\n    "Pre": [\n      {\n        "command": "gitvow hook Pre"\n      }\n    ]\n  }\n}`,
  ],
  ["one minified line", `{"a":1}`, `{"a":1,"hooks":{"Pre":[{"command":"gitvow hook Pre"}]}}`],
  [
    "one line with spaces",
    `{ "a": 1 }`,
    `{ "a": 1, "hooks": { "Pre": [{ "command": "gitvow hook Pre" }] } }`,
  ],
  [
    "an array with a padded gap",
    `{"a":1, "hooks":{"Pre":[ ]}}`,
    `{"a":1, "hooks":{"Pre":[ {"command":"gitvow hook Pre"} ]}}`,
  ],
  [
    "tabs",
    `{\n\t"hooks": {\n\t\t"Pre": [ ]\n\t}\n}`,
    `{\n\t"hooks": {\n\t\t"Pre": [ \n\t\t\t{\n\t\t\t\t"command": "gitvow hook Pre"\n\t\t\t}\n\t\t]\n\t}\n}`,
  ],
  [
    "a comment on the last element",
    `{\n  "hooks": {\n    "Pre": [\n      { "command": "x" } // keep\n    ]\n  }\n}`,
    `{\n  "hooks": {\n    "Pre": [\n      { "command": "x" }, // keep\n      { "command": "gitvow hook Pre" }\n    ]\n  }\n}`,
  ],
  [
    "a trailing comma",
    `{"hooks": {"Pre": [{"command": "x"},]}}`,
    `{"hooks": {"Pre": [{"command": "x"}, {"command": "gitvow hook Pre"},]}}`,
  ],
];

for (const [name, before, after] of LAYOUTS) {
  Deno.test(`inserting keeps the layout of ${name}`, () => {
    assert.equal(insertEntries(before, ONE).text, after);
  });
}

Deno.test("every insertion stands in the text where it says", () => {
  const before = `{\n  "hooks": {\n    "Pre": [{ "command": "x" } /* c */],\n    "Z": []\n  }\n}`;
  const { text, insertions } = insertEntries(before, {
    ...ONE,
    Z: ONE.Pre,
    New: ONE.Pre,
  });
  assert.ok(insertions.length > 2);
  for (const { offset, text: inserted } of insertions) {
    assert.equal(text.slice(offset, offset + inserted.length), inserted);
  }
});

const REFUSED: [string, string, RegExp][] = [
  ["a missing comma", `{\n  "a": 1\n  "b": 2\n}`, /comma expected at line 3, column 3/],
  ["text that is no JSON", "hello", /invalid symbol at line 1, column 1/],
  ["an open brace", `{\r\n  "a": 1\r\n`, /close brace expected at line 3, column 1/],
  ["an open comment", `{}\n/* `, /unexpected end of comment at line 2, column 1/],
  ["text after the object", `{}\n{}`, /end of file expected at line 2, column 1/],
  ["only a comment", `// nothing\n`, /value expected at line/],
  ["an error behind a byte order mark", `\uFEFF{x}`, /invalid symbol at line 1, column 2/],
  [
    "an array as the root",
    ` [1]`,
    /top level must be an object, but is a value of type array at line 1, column 2/,
  ],
  ["a string as the root", `"hooks"`, /top level must be an object/],
  [
    "hooks null",
    `{\n  "hooks": null\n}`,
    /"hooks" must be an object, but is a value of type null at line 2, column 12/,
  ],
  ["hooks an array", `{"hooks": []}`, /"hooks" must be an object, .* array at line 1, column 11/],
  ["hooks a string", `{"hooks": "x"}`, /"hooks" must be an object, .* string/],
  [
    "an event that is an object",
    `{"hooks": {"Pre": {}}}`,
    /"hooks.Pre" must be an array, .* object at line 1, column 19/,
  ],
  ["an event that is null", `{"hooks": {"Pre": null}}`, /"hooks.Pre" must be an array/],
  [
    "hooks twice",
    `{\n  "hooks": {},\n  "hooks": {}\n}`,
    /"hooks" more than once, again at line 3, column 3/,
  ],
  ["hooks twice, once escaped", `{"hooks": {}, "h\\u006foks": {}}`, /"hooks" more than once/],
  [
    "an event twice",
    `{"hooks": {"Pre": [],\n"Pre": []}}`,
    /"Pre" more than once, again at line 2, column 1/,
  ],
  [
    "nesting without end",
    `{"a":${"[".repeat(200_000)}`,
    /nested too deeply|close bracket expected/,
  ],
];

for (const [name, text, message] of REFUSED) {
  Deno.test(`inserting refuses ${name}`, () => {
    assert.throws(() => insertEntries(text, ONE), (error) => {
      assert.ok(error instanceof Failure, String(error));
      assert.match(error.message, message);
      assert.notEqual(error.remedy, "");
      return true;
    });
  });
}

Deno.test("removing refuses a text that cannot be parsed", () => {
  assert.throws(() => removeEntries(`{"a" 1}`), /colon expected at line 1, column 6/);
});

Deno.test("inserting refuses entries that uninstall could not find again", () => {
  for (
    const entry of [{ command: "other hook" }, { hooks: [] }, { hooks: [{ command: "x" }] }, {}]
  ) {
    assert.throws(() => insertEntries("{}", { Pre: [entry] }), /uninstall could not find it again/);
  }
});

const SHARED = `{
  "hooks": {
    "Pre": [
      {
        "matcher": "*",
        "hooks": [
          { "command": "first" }, // 1
          { "command": "gitvow hook Pre", "timeout": 60 },
          { "command": "last" }
        ]
      },
      { "bash": "gitvow hook Pre", "powershell": "gitvow.exe hook Pre" }
    ],
    "Stop": [{ "hooks": [{ "command": "gitvow hook Stop" }, { "command": "bye" }] }],
    "End": [{ "hooks": [{ "command": "a" }, { "command": "'/x y/gitvow' hook End" }] }],
    "Only": [
      { "matcher": "Bash", "hooks": [{ "command": "gitvow hook Only" }] }
    ]
  }
}
`;

Deno.test("removing takes ours out of shared groups and leaves foreign handlers as they are", () => {
  const { text, removed } = removeEntries(SHARED);
  assert.equal(removed, 5);
  assert.equal(
    text,
    `{
  "hooks": {
    "Pre": [
      {
        "matcher": "*",
        "hooks": [
          { "command": "first" }, // 1
          { "command": "last" }
        ]
      }
    ],
    "Stop": [{ "hooks": [{ "command": "bye" }] }],
    "End": [{ "hooks": [{ "command": "a" }] }]
  }
}
`,
  );
  assert.deepEqual(removeEntries(text), { text, removed: 0 });
});

const REMOVED: [string, string, string][] = [
  [
    "the first of a line",
    `{"hooks":{"P":[{"command":"gitvow hook"}, {"command":"x"}]}}`,
    `{"hooks":{"P":[{"command":"x"}]}}`,
  ],
  [
    "two in front",
    `{"hooks":{"P":[{"command":"gitvow hook"}, {"command":"gitvow hook"}, 1]}}`,
    `{"hooks":{"P":[1]}}`,
  ],
  [
    "two behind",
    `{"hooks":{"P":[1, {"command":"gitvow hook"}, {"command":"gitvow hook"}]}}`,
    `{"hooks":{"P":[1]}}`,
  ],
  [
    "both ends",
    `{"hooks":{"P":[{"command":"gitvow hook"}, 1, {"command":"gitvow hook"}]}}`,
    `{"hooks":{"P":[1]}}`,
  ],
  [
    "the only one, with a comment beside",
    `{"hooks":{"P":[ /* mine */ {"command":"gitvow hook"}]}}`,
    `{"hooks":{"P":[ /* mine */]}}`,
  ],
  [
    "one before a comment",
    `{\n"hooks":{"P":[\n  {"command":"gitvow hook"}, // why\n  1\n]}}`,
    `{\n"hooks":{"P":[\n  // why\n  1\n]}}`,
  ],
  [
    "one before a closing bracket behind a line comment",
    `{"hooks":{"P":[\n1, // one\n{"command":"gitvow hook"}]}}`,
    `{"hooks":{"P":[\n1 // one\n]}}`,
  ],
  [
    "one whose comma comes late",
    `{"hooks":{"P":[{"command":"gitvow hook"} /* c */ , 1]}}`,
    `{"hooks":{"P":[ /* c */ 1]}}`,
  ],
  [
    "a group with its matcher",
    `{"hooks":{"P":[{"matcher":"*","hooks":[{"command":"gitvow hook"}]}]},"a":1}`,
    `{"a":1}`,
  ],
  [
    "one in front on its own lines",
    `{"hooks":{"P":[{"command":"gitvow hook"},\n  {"command":"gitvow hook"},\n  1]}}`,
    `{"hooks":{"P":[\n  1]}}`,
  ],
  [
    "ours in duplicate hooks",
    `{"hooks":{"P":[{"command":"gitvow hook"}]},"hooks":{"P":[1]}}`,
    `{"hooks":{"P":[1]}}`,
  ],
];

for (const [name, before, after] of REMOVED) {
  Deno.test(`removing by structure: ${name}`, () => assert.equal(remove(before).text, after));
}

Deno.test("an edit elsewhere in the file still lets remembered insertions go exactly", () => {
  const before = `{\n  "hooks": { },\n  "z": [ ]\n}\n`;
  const { text, insertions } = insertEntries(before, ONE);
  const edit = (it: string) => `// mine\n${it.replace(`"z": [ ]`, `"z": [1, 2]`)}`;
  assert.equal(removeEntries(edit(text), insertions).text, edit(before));
});

Deno.test("a foreign handler added behind ours survives", () => {
  const { text, insertions } = insertEntries(`{"hooks": {"Pre": []}}`, ONE);
  const edited = text.replace("]", `, {"command": "x"}]`);
  assert.equal(removeEntries(edited, insertions).text, `{"hooks": {"Pre": [{"command": "x"}]}}`);
});

Deno.test("ours moved into a foreign group counts as installed, and is replaced in place", () => {
  const group = (command: string) =>
    `{"hooks": {"Pre": [{"matcher": "*", "hooks": [{"command": "x"}, {"command": "${command}"}]}]}}`;
  const wanted = (command: string) => ({ Pre: [{ matcher: "*", hooks: [{ command }] }] });
  const text = group("gitvow hook");
  assert.equal(insertEntries(text, wanted("gitvow hook")).text, text);
  assert.equal(insertEntries(text, wanted("/x/gitvow hook")).text, group("/x/gitvow hook"));
});

Deno.test("entries that do not pair up are taken out and appended", () => {
  const text = `{"hooks": {"Pre": [{"command": "gitvow hook a"}, {"command": "x"}]}}`;
  const wanted = { Pre: [{ command: "gitvow hook b" }, { command: "gitvow hook c" }] };
  const after =
    `{"hooks": {"Pre": [{"command": "x"}, {"command": "gitvow hook b"}, {"command": "gitvow hook c"}]}}`;
  assert.equal(insertEntries(text, wanted).text, after);
  assert.equal(isGitvowCommand("gitvow hook b"), true);
});

Deno.test("no entries change nothing", () => {
  assert.deepEqual(insertEntries("", { Pre: [] }, "version"), { text: "", insertions: [] });
});

Deno.test("the version key is set only where the object is new", () => {
  assert.match(insertEntries(" ", ONE, "version").text, /^\{\n {2}"version": 1,\n {2}"hooks"/);
  assert.doesNotMatch(insertEntries("{}", ONE, "version").text, /version/);
});
