/** A pattern rule written for a program's name holds however the program is named. */
import assert from "node:assert/strict";
import { Bench } from "./bench.ts";

const ROWS: readonly (readonly [string, "allow" | "deny"])[] = [
  ["kubectl get x", "deny"],
  ["/usr/bin/kubectl get x", "deny"],
  ["./bin/kubectl get x", "deny"],
  ["~/bin/kubectl get x", "deny"],
  ["kubectl.exe get x", "deny"],
  ['"$BIN/kubectl" get x', "deny"],
  ["$(which kubectl) get x", "deny"],
  ["$(command -v kubectl) get x", "deny"],
  ["sudo /usr/bin/kubectl get x", "deny"],
  ["cd y && /usr/bin/kubectl get x", "deny"],
  ["/usr/bin/kubectl-get x", "allow"],
  ["/usr/bin/kubectl describe x", "allow"],
  ["echo kubectl get x", "allow"],
];

for (const [command, outcome] of ROWS) {
  Deno.test(`an anchored pattern against ${command}`, async () => {
    using bench = new Bench();
    bench.write("shop/.gitvow/policy.json", {
      bash_deny: [{ pattern: "^kubectl get\\b", reason: "not here" }],
    });
    assert.equal((await bench.bash(command)).outcome, outcome);
  });
}
