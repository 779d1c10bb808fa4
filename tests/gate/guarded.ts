/** The home that the tests of the guard share, and a whole list of commands judged in it. */
import assert from "node:assert/strict";
import { Bench, told } from "./bench.ts";

/** A home with gitvow in it twice: installed, and the program that is running. */
export function guarded(): Bench {
  const bench = new Bench({});
  for (const file of ["opt/program.js", "opt/runtime", ".gitvow/bin/gitvow", "opt/parts/a.js"]) {
    bench.write(file, "x");
  }
  bench.executables = ["program.js", "gitvow", "parts", "cache", "runtime"]
    .map((name) => `${bench.home}/opt/${name}`);
  bench.write("tree/deno.json", { name: "@gitvow/gitvow" });
  bench.write("tree/main.ts", "x");
  bench.write("other/deno.json", { name: "@example/shop" });
  bench.write("other/main.ts", "x");
  bench.write(".claude/settings.json", "{}");
  bench.write("shop/.claude/settings.json", "{}");
  bench.link(`${bench.home}/.gitvow/bin/gitvow`, "shop/docs/g");
  bench.link(`${bench.home}/.claude`, "shop/docs/c");
  return bench;
}

/** Every command of a list must come to `outcome`; `H` stands for the home. */
export async function all(outcome: string, commands: string): Promise<void> {
  using bench = guarded();
  for (const line of commands.trim().split("\n")) {
    const command = line.trim().replace(/\bH(?=\/)/g, bench.home);
    const decision = await bench.bash(command);
    assert.equal(decision.outcome, outcome, `${command}\n${told(decision)}`);
  }
}
