/** Settings files as people write them, and the world to install into. */

import { denoSystem } from "../../src/system/deno.ts";
import type { InstallSpec } from "../../src/install/spec.ts";
import type { System } from "../../src/system/system.ts";

/** One settings file; `exact` where uninstall gives the same bytes even without the ledger. */
export interface SettingsFile {
  readonly name: string;
  readonly text: string;
  readonly exact: boolean;
}

/** A specification in the nested shape, with two events. */
export const SPEC: InstallSpec = {
  userFile: ".agent/settings.json",
  repoFile: ".agent/settings.json",
  entries: {
    PreToolUse: [{
      matcher: "*",
      hooks: [{ type: "command", command: "__GITVOW__ hook PreToolUse", timeout: 60 }],
    }],
    Stop: [{ hooks: [{ type: "command", command: "__GITVOW__ hook Stop" }] }],
  },
  versionKey: "version",
};

/** The same in the flat shape, two handlers on one event. */
export const FLAT_SPEC: InstallSpec = {
  ...SPEC,
  entries: {
    preToolUse: [
      { command: "__GITVOW__ hook --agent flat preToolUse", failClosed: true },
      { bash: "__GITVOW__ hook --agent flat preToolUse", powershell: "__GITVOW__ hook x" },
    ],
  },
};

/** Runs `body` with a throwaway home (links resolved) and its system; removes it afterwards. */
export async function withHome(body: (home: string, system: System) => unknown): Promise<void> {
  const home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "gitvow-install-" }));
  try {
    await body(home, { ...denoSystem(), home });
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
}

const FOREIGN = `{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "audit.sh" }] }`;

const NESTED = `{
  "model": "opus", // the big one
  "permissions": {
    "allow": ["Bash(ls:*)", "Read(**)"],
    "deny": []
  },
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [
          { "type": "command", "command": "prettier --write" }
        ]
      }
    ],
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "echo gitvow hook" },
          { "type": "command", "command": "notgitvow hook PreToolUse" }
        ]
      }
    ]
  },
  "env": { "A": "1" }
}
`;

const MEGABYTE = `{\n  "permissions": {\n    "allow": [\n${
  Array.from({ length: 20_000 }, (_, i) => `      "Bash(command-number-${i} --with *:*)"`).join(
    ",\n",
  )
}\n    ]\n  }\n}\n`;

/** The table. */
export const SETTINGS_FILES: readonly SettingsFile[] = [
  // Nothing in them yet.
  row("an empty file", "", false),
  row("spaces only", "   ", false),
  row("line ends only", "\n\n", false),
  row("CRLF line ends only", "\r\n \r\n", false),
  row("a byte order mark only", "\uFEFF", false),
  row("an empty object", "{}", true),
  row("an empty object and a line end", "{}\n", true),
  row("an empty object with a space", "{ }", false),
  row("an empty object over two lines", "{\n}", false),
  row("an empty object with white space around", " \n{}\n\n", true),
  row("an empty object behind a byte order mark", "\uFEFF{}\r\n", true),
  row("an object with only a line comment", "{\n  // nothing yet\n}\n", true),
  row("an object with only a block comment", "{ /* nothing yet */ }", false),
  // No hooks.
  row("one line", `{"model":"opus"}`, true),
  row("one line with spaces", `{ "model": "opus", "n": [1, 2] }\n`, true),
  row("one line with a trailing comma", `{"model":"opus",}`, true),
  row("two spaces", `{\n  "model": "opus"\n}\n`, true),
  row("four spaces", `{\n    "model": "opus",\n    "env": {\n        "A": "1"\n    }\n}\n`, true),
  row("tabs", `{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n`, true),
  row("CRLF", `{\r\n  "model": "opus",\r\n  "env": {}\r\n}\r\n`, true),
  row("carriage returns alone", `{\r  "model": "opus"\r}\r`, true),
  row("mixed line ends", `{\r\n  "a": 1,\n  "b": 2\r\n}`, true),
  row("a byte order mark and CRLF", `\uFEFF{\r\n\t"a": 1\r\n}`, true),
  row("no final line end", `{\n  "model": "opus"\n}`, true),
  row("a trailing comma", `{\n  "model": "opus",\n}\n`, true),
  row("no indentation", `{\n"a": 1,\n"b": [\n2\n]\n}\n`, true),
  row("comma first", `{\n  "a": 1\n  , "b": 2\n}\n`, true),
  row("a comment on the last line", `{\n  "model": "opus" // big\n}\n`, true),
  row("a comment behind a trailing comma", `{\n  "model": "opus", // big\n}\n`, true),
  row("a block comment before the brace", `{"model": "opus" /* big */}`, true),
  row(
    "comments everywhere",
    `// head\n{ // open\n  // a\n  "a": /* v */ 1, // end\n  // tail\n} // z\n`,
    true,
  ),
  row("a brace on the last line", `{\n  "a": 1,\n  "b": 2}`, true),
  row("a comment between value and comma", `{\n  "a": 1 /* one */,\n}\n`, true),
  row("unicode", `{\n  "naïve 🦊": "\u2028 \\ud83e\\udd8a é"\n}\n`, true),
  row("numbers that lose precision", `{\n  "n": 12345678901234567890.10,\n  "e": 1E+2\n}\n`, true),
  row("a key named __proto__", `{\n  "__proto__": { "hooks": [] },\n  "a": 1\n}\n`, true),
  row("hooks deep elsewhere", `{\n  "x": { "hooks": { "PreToolUse": "no" } }\n}\n`, true),
  row("a megabyte", MEGABYTE, true),
  // Hooks with nothing in them.
  row("empty hooks", `{\n  "hooks": {}\n}\n`, false),
  row("empty hooks with a space", `{\n  "hooks": { },\n  "a": 1\n}\n`, false),
  row("empty hooks over two lines", `{\n  "hooks": {\n  }\n}\n`, false),
  row("empty hooks on one line", `{"hooks":{}}`, false),
  row("a comment in empty hooks", `{\n  "hooks": {\n    // none\n  }\n}\n`, true),
  row("an empty event", `{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n`, false),
  row("an empty event with a space", `{\n\t"hooks": { "PreToolUse": [ ] }\n}\n`, false),
  row("an empty event on one line", `{"hooks":{"PreToolUse":[],"Stop":[ ]}}`, false),
  row(
    "a comment in an empty event",
    `{\n  "hooks": {\n    "Stop": [\n      // none\n    ]\n  }\n}\n`,
    true,
  ),
  row(
    "a block comment in an empty event",
    `{\n  "hooks": {\n    "Stop": [ /* none */ ]\n  }\n}\n`,
    false,
  ),
  // Foreign hooks.
  row("foreign groups", NESTED, true),
  row(
    "foreign groups with CRLF and tabs",
    NESTED.replaceAll("  ", "\t").replaceAll("\n", "\r\n"),
    true,
  ),
  row(
    "an escaped hooks key",
    NESTED.replace(`"hooks": {\n    "Post`, `"h\\u006foks": {\n    "Post`),
    true,
  ),
  row("an escaped event", NESTED.replace(`"PreToolUse"`, `"Pre\\u0054oolUse"`), true),
  row(
    "groups on one line each",
    `{\n  "hooks": {\n    "PreToolUse": [\n      ${FOREIGN},\n      ${FOREIGN}\n    ]\n  }\n}\n`,
    true,
  ),
  row(
    "brackets that hug",
    `{\n  "hooks": {\n    "Stop": [{\n      "hooks": [{\n        "command": "x"\n      }]\n    }]\n  }\n}\n`,
    true,
  ),
  row(
    "everything minified",
    `{"hooks":{"PreToolUse":[{"hooks":[{"command":"x"}]}],"Z":[]},"a":1}`,
    true,
  ),
  row(
    "trailing commas at every level",
    `{\n  "hooks": {\n    "PreToolUse": [\n      ${FOREIGN},\n    ],\n  },\n}\n`,
    true,
  ),
  row(
    "comments behind groups",
    `{\n  "hooks": {\n    "PreToolUse": [\n      ${FOREIGN} // audit\n      // more to come\n    ] // pre\n  }\n}\n`,
    true,
  ),
  row(
    "a group without handlers",
    `{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] }\n    ]\n  }\n}\n`,
    true,
  ),
  row(
    "odd elements",
    `{\n  "hooks": {\n    "Stop": [\n      null, "gitvow hook", 3\n    ],\n    "version": 1\n  }\n}\n`,
    true,
  ),
  row(
    "foreign events that are no arrays",
    `{\n  "hooks": {\n    "enabled": true,\n    "Other": { "a": [] }\n  }\n}\n`,
    true,
  ),
];

function row(name: string, text: string, exact: boolean): SettingsFile {
  return { name, text, exact };
}
