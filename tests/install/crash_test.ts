/** Installs that are killed at random moments: the settings are old or new, and uninstall works. */

import assert from "node:assert/strict";
import { applyPlan } from "../../src/install/apply.ts";
import { planInstall, planUninstall } from "../../src/install/plan.ts";
import { SPEC, withHome } from "./settings_files.ts";

const ORIGINAL = `{\n  "model": "x", // keep\n  "hooks": { },\n  "list": [${
  "1, ".repeat(20_000)
}2]\n}\n`;

async function killOne(home: string, afterMs: number): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", new URL("crash_child.ts", import.meta.url).href, home],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await new Promise((done) => setTimeout(done, afterMs));
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
}

Deno.test("kill -9 during install leaves old or new bytes and an uninstall that works", () =>
  withHome(async (home, system) => {
    const place = { spec: SPEC, scope: "user", root: home } as const;
    const path = `${home}/${SPEC.userFile}`;
    Deno.mkdirSync(`${home}/.agent`);
    Deno.writeTextFileSync(path, ORIGINAL);
    const complete = new Set<string>();
    for (const command of ["/v0/gitvow", "/v1/gitvow"]) {
      complete.add((await planInstall(system, { ...place, command })).after ?? "");
    }
    assert.equal(complete.size, 2);
    for (let round = 0; round < 12; round += 1) {
      await killOne(home, Math.random() * 60);
      const found = Deno.readTextFileSync(path);
      assert.ok(complete.has(found), `torn: ${found.slice(0, 200)}`);
      applyPlan(system, await planUninstall(system, place));
      assert.equal(Deno.readTextFileSync(path), ORIGINAL);
    }
  }));
