/** How clients read answers, as the samples have it: what is not their own form is broken. */
import assert from "node:assert/strict";
import { samplesOf } from "../../src/commands/selftest/samples.ts";

function claudeDocument(permission: string, reason = "no", event = "PreToolUse"): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision: permission,
      permissionDecisionReason: reason,
    },
  });
}

const DENY = claudeDocument("deny");

const CLAUDE: readonly (readonly [number, string, string, string])[] = [
  [0, "", "", "allow"],
  [0, "", "a warning", "allow"],
  [0, claudeDocument("ask"), "", "ask"],
  [2, DENY, "no", "deny"],
  [2, "", "no", "deny by the exit code alone"],
  [2, "", "", "broken"],
  [2, DENY, "", "broken"],
  [0, DENY, "no", "broken"],
  [2, claudeDocument("ask"), "no", "broken"],
  [0, claudeDocument("allow"), "", "broken"],
  [0, claudeDocument("ask", ""), "", "broken"],
  [0, claudeDocument("ask", "x", "Stop"), "", "broken"],
  [0, `hello\n${claudeDocument("ask")}`, "", "broken"],
  [2, DENY + DENY, "no", "broken"],
  [0, "[]", "", "broken"],
  [0, " ", "", "broken"],
  [1, "", "no", "broken"],
  [1, DENY, "no", "broken"],
  [-1, "", "killed by SIGKILL", "broken"],
];

for (const [code, stdout, stderr, wanted] of CLAUDE) {
  const answer = JSON.stringify([code, stdout, stderr]);
  Deno.test(`Claude Code reads ${answer} as ${wanted}`, () => {
    const reading = samplesOf("claude")?.read("PreToolUse", { code, stdout, stderr });
    const bare = reading?.bare === true ? " by the exit code alone" : "";
    assert.equal(`${reading?.outcome}${bare}`, wanted);
    if (reading?.outcome !== "allow") assert.notEqual(reading?.reason, "");
  });
}
