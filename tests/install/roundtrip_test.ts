/** Install, install again, uninstall: on every settings file of the table, through real files. */

import assert from "node:assert/strict";
import { parse } from "jsonc-parser";
import { applyPlan } from "../../src/install/apply.ts";
import { planInstall, planUninstall } from "../../src/install/plan.ts";
import { fillEntries, type InstallSpec } from "../../src/install/spec.ts";
import type { System } from "../../src/system/system.ts";
import { FLAT_SPEC, SETTINGS_FILES, SPEC, withHome } from "./settings_files.ts";

const COMMAND = "'/opt/a b/gitvow'";

async function install(system: System, spec: InstallSpec, root: string, command = COMMAND) {
  const plan = await planInstall(system, { spec, scope: "user", root, command });
  applyPlan(system, plan);
  return plan;
}

async function uninstall(system: System, spec: InstallSpec, root: string) {
  const plan = await planUninstall(system, { spec, scope: "user", root });
  applyPlan(system, plan);
  return plan;
}

/** The settings as data; gitvow's wanted entries taken out and empty hook containers left out. */
function foreignData(text: string, wanted: InstallSpec["entries"]): unknown {
  const data = parse(text.replace(/^\uFEFF/, "") || "{}", [], { allowTrailingComma: true }) ?? {};
  const ours = new Set(Object.values(wanted).flat().map((entry) => JSON.stringify(entry)));
  for (const [event, list] of Object.entries(data.hooks ?? {})) {
    if (!Array.isArray(list)) continue;
    data.hooks[event] = list.filter((entry) => !ours.has(JSON.stringify(entry)));
    if (data.hooks[event].length === 0) delete data.hooks[event];
  }
  if (data.hooks && Object.keys(data.hooks).length === 0) delete data.hooks;
  delete data.version;
  return data;
}

for (const spec of [SPEC, FLAT_SPEC]) {
  const shape = spec === SPEC ? "nested" : "flat";
  for (const { name, text, exact } of SETTINGS_FILES) {
    Deno.test(`${shape} entries go into ${name} and out again`, () =>
      withHome(async (home, system) => {
        const path = `${home}/${spec.userFile}`;
        Deno.mkdirSync(`${home}/.agent`);
        Deno.writeTextFileSync(path, text);
        Deno.chmodSync(path, 0o640);
        const wanted = fillEntries(spec.entries, COMMAND);

        await install(system, spec, home);
        const installed = Deno.readTextFileSync(path);
        const data = parse(installed.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
        for (const [event, list] of Object.entries(wanted)) {
          assert.deepEqual(data.hooks[event].slice(-list.length), list);
        }
        assert.deepEqual(foreignData(installed, wanted), foreignData(text, wanted));
        assert.equal(installed.startsWith("\uFEFF"), text.startsWith("\uFEFF"));
        if (text.includes("\r\n") && !/[^\r]\n/.test(text)) {
          assert.doesNotMatch(installed, /[^\r]\n/);
        }
        if (isStrict(text)) JSON.parse(installed.replace(/^\uFEFF/, ""));
        assert.equal(Deno.statSync(path).mode! & 0o777, 0o640);

        const again = await install(system, spec, home);
        assert.equal(again.changed, false);
        assert.equal(again.diff(), "");
        assert.equal(Deno.readTextFileSync(path), installed);

        await uninstall(system, spec, home);
        assert.equal(Deno.readTextFileSync(path), text);

        await install(system, spec, home);
        Deno.removeSync(`${home}/.gitvow/installs.json`);
        await uninstall(system, spec, home);
        const structural = Deno.readTextFileSync(path);
        if (exact) assert.equal(structural, text);
        else assert.deepEqual(foreignData(structural, wanted), foreignData(text, wanted));
      }));
  }
}

function isStrict(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return false;
  }
}

Deno.test("a changed command replaces ours in place and still uninstalls exactly", async (t) => {
  for (const { name, text } of SETTINGS_FILES) {
    await t.step(name, () =>
      withHome(async (home, system) => {
        const path = `${home}/${SPEC.userFile}`;
        Deno.mkdirSync(`${home}/.agent`);
        Deno.writeTextFileSync(path, text);
        await install(system, SPEC, home, "/old/gitvow");
        const old = Deno.readTextFileSync(path);
        await install(system, SPEC, home, "/new/gitvow");
        const now = Deno.readTextFileSync(path);
        assert.equal(now, old.replaceAll("/old/gitvow", "/new/gitvow"));
        await uninstall(system, SPEC, home);
        assert.equal(Deno.readTextFileSync(path), text);
      }));
  }
});
