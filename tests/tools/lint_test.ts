/** The repository's lint rules: each one firing, and each one silent. */
import assert from "node:assert/strict";
import plugin from "../../tools/lint.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

type Row = readonly [
  file: string,
  source: string,
  expected: readonly (readonly [string, RegExp])[],
];

const ROWS: readonly Row[] = [
  ["src/domain/a.ts", 'import "./b.ts";', []],
  ["src/domain/a.ts", 'import "../system/paths.ts";', [[
    "layers",
    /domain may import nothing else/,
  ]]],
  ["src/shell/a.ts", 'import "../system/paths.ts";', []],
  ["src/shell/a.ts", 'import "../system/system.ts";', [["layers", /not system\/system\.ts/]]],
  ["src/policy/a.ts", 'import type { X } from "../gate/b.ts";', [["layers", /not gate\/b\.ts/]]],
  ["src/policy/a.ts", 'import s from "../../schemas/p.json" with { type: "json" };', []],
  ["src/policy/a.ts", 'import { VERSION } from "../version.ts";', []],
  ["src/version.ts", 'import config from "../deno.json" with { type: "json" };', []],
  ["src/policy/a.ts", 'import "../../tools/build.ts";', [["layers", /nothing from tools\/build/]]],
  ["src/gate/a.ts", 'export * from "../agents/b.ts";', [["layers", /not agents\/b\.ts/]]],
  ["src/gate/a.ts", 'export { x } from "../record/b.ts";', [["layers", /not record\/b\.ts/]]],
  ["src/gate/a.ts", 'const x = await import("../cli/b.ts");', [["layers", /not cli\/b\.ts/]]],
  ["src/gate/a.ts", 'type X = import("../cli/b.ts").X;', [["layers", /not cli\/b\.ts/]]],
  ["src/gate/a.ts", 'import "../policy/b.ts"; import "../shell/c.ts";', []],
  ["src/agents/a.ts", 'import "../policy/b.ts";', [["layers", /pass it in/]]],
  ["src/commands/sub/a.ts", 'import "../../gate/b.ts"; import "../c.ts";', []],
  ["src/commands/a.ts", 'import "../cli/b.ts";', [["layers", /not cli\/b\.ts/]]],
  ["src/cli/a.ts", 'import "../commands/b.ts"; import "../domain/c.ts";', []],
  ["src/new/a.ts", 'import "./b.ts";', [["layers", /add it to LAYERS/]]],
  ["main.ts", 'import "./src/cli/cli.ts"; Deno.exit(0);', []],
  ["tests/a_test.ts", 'import "../src/gate/b.ts"; Deno.test("x", () => {});', []],

  ["src/system/a.ts", "Deno.exit(0);", []],
  ["tools/a.ts", "Deno.exit(0);", []],
  ["src/gate/a.ts", "Deno.exit(0);", [["runtime-at-the-edge", /take a System/]]],
  ["src/gate/a.ts", "const { env } = Deno;", [["runtime-at-the-edge", /take a System/]]],
  ["src/gate/a.ts", 'const x = "Deno.exit"; const y = { Deno: 1 }; y.Deno;', []],
  ["bench/a.ts", "Deno.exit(0);", []],

  ["src/gate/a.ts", 'import "node:path";', [["no-node-imports", /node:path slows every hook/]]],
  ["src/gate/a.ts", 'await import("node:fs");', [["no-node-imports", /node:fs/]]],
  ["tests/a_test.ts", 'import "node:assert";', []],

  ["src/shell/unbash.ts", 'export { parse } from "unbash";', []],
  ["src/shell/read.ts", 'import { parse } from "unbash";', [["package-doors", /call parse\.ts/]]],
  ["src/gate/a.ts", 'console.log("x");', [["runtime-at-the-edge", /opens the gate/]]],
  ["tools/a.ts", 'console.log("x");', []],
  ["src/gate/a.ts", 'import "npm:unbash@6.0.4";', [["package-doors", /call parse\.ts/]]],
  ["src/policy/schema.ts", 'import { z } from "zod";', []],
  ["src/agents/schema.ts", 'import { z } from "zod";', []],
  ["src/policy/load.ts", 'import { z } from "zod";', [["package-doors", /schema\.ts/]]],
  ["src/policy/load.ts", 'import * as z from "zod/mini";', []],
  ["tools/schemas.ts", 'import { z } from "zod";', []],
];

for (const [file, source, expected] of ROWS) {
  const rules = expected.map(([rule]) => rule).join(", ") || "nothing";
  Deno.test(`lint says ${rules} about ${source} in ${file}`, () => {
    const found = Deno.lint.runPlugin(plugin, `${ROOT}${file}`, source);
    assert.deepEqual(found.map(({ id }) => id), expected.map(([rule]) => `gitvow/${rule}`));
    expected.forEach(([, message], index) => assert.match(found[index]?.message ?? "", message));
  });
}

Deno.test("lint leaves files outside the repository alone", () => {
  const found = Deno.lint.runPlugin(plugin, "/elsewhere/src/gate/a.ts", "Deno.exit(0);");
  assert.deepEqual(found, []);
});
