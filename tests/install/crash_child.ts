/** Installs again and again with ever new commands until it is killed. Argument: the home. */

import { applyPlan } from "../../src/install/apply.ts";
import { planInstall } from "../../src/install/plan.ts";
import { denoSystem } from "../../src/system/deno.ts";
import { SPEC } from "./settings_files.ts";

const home = Deno.args[0] ?? "";
const system = { ...denoSystem(), home };
for (let round = 0;; round += 1) {
  const command = `/v${round % 2}/gitvow`;
  applyPlan(system, await planInstall(system, { spec: SPEC, scope: "user", root: home, command }));
  if (round === 0) Deno.stdout.writeSync(new TextEncoder().encode("ready"));
}
