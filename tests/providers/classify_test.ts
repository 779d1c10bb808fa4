/** Classifying with real programs: each kind of first line, and everything that is none. */
import assert from "node:assert/strict";
import { type Classification, classify } from "../../src/providers/classify.ts";
import { denoSystem } from "../../src/system/deno.ts";

const SOURCE = "llm_classifier in ~/.gitvow/policy.json";

async function ask(body: string, more: { seconds?: number; dir?: string } = {}) {
  const dir = more.dir ?? Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.writeTextFileSync(`${dir}/c`, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    return await classify({
      classifier: {
        command: "./c --flag",
        timeoutSeconds: more.seconds ?? 10,
        origin: { file: "~/.gitvow/policy.json", rule: "llm_classifier" },
      },
      refusal: undefined,
      tool_name: "Bash",
      tool_input: { command: "ls", timeout: 7 },
      subject: "run ls",
      repo: dir,
      cwd: "/",
      system: denoSystem(),
      deadline: Date.now() + 20_000,
    });
  } finally {
    if (more.dir === undefined) Deno.removeSync(dir, { recursive: true });
  }
}

const VERDICTS: readonly (readonly [string, "deny" | "confirm" | undefined, string])[] = [
  ["ALLOW\\n", undefined, ""],
  ["ALLOW", undefined, ""],
  ["ALLOW\\r\\n", undefined, ""],
  ["ALLOW\\nDENY too late\\n", undefined, ""],
  ["CONFIRM touches production\\n", "confirm", "touches production"],
  ["DENY wipes the disk\\nALLOW\\n", "deny", "wipes the disk"],
  ["DENY  \\t spaces \\n", "deny", "spaces"],
  ["DENY\\n", "deny", "the classifier gave no reason"],
  ["CONFIRM\\n", "confirm", "the classifier gave no reason"],
  ["DENY a\\033[2Jb\\n", "deny", "a\\x1b[2Jb"],
];

Deno.test("the first line of a classifier's output is its verdict", async (t) => {
  for (const [output, outcome, reason] of VERDICTS) {
    await t.step(output, async () => {
      const { finding, failure } = await ask(`printf '${output}'`);
      assert.equal(failure, undefined);
      assert.deepEqual(
        finding,
        outcome === undefined
          ? undefined
          : { outcome, subject: "run ls", reason, evidence: [], source: SOURCE },
      );
    });
  }
});

const FAILURES: readonly (readonly [string, string, RegExp])[] = [
  ["prints nothing", "true", /first line is empty$/],
  ["prints an empty line first", "echo; echo ALLOW", /first line is empty$/],
  ["prints another word", "echo OK", /first line is "OK"$/],
  ["prints lower case", "echo allow", /first line is "allow"$/],
  ["prints a reason with ALLOW", "echo ALLOW it is fine", /first line is/],
  ["prints a longer word", "echo DENYING", /first line is/],
  ["prints a space first", "echo ' ALLOW'", /first line is/],
  ["prints a byte order mark", "printf '\\357\\273\\277ALLOW\\n'", /first line is "\\ufeffALLOW"$/],
  ["prints invalid UTF-8", "printf 'ALLOW\\n\\377'", /not UTF-8/],
  ["prints without end", "exec yes ALLOW", /more than 1048576 bytes$/],
  ["exits 1 after ALLOW", "echo ALLOW; echo why >&2; exit 1", /exited with status 1: why$/],
  ["is killed after ALLOW", "echo ALLOW; kill -KILL $$", /killed by SIGKILL$/],
  ["sleeps past its time-out", "echo ALLOW; sleep 20", /no answer in \d+ ms$/],
];

Deno.test("anything else is a confirm and a failure: a classifier that", async (t) => {
  for (const [name, body, cause] of FAILURES) {
    await t.step(name, async () => assertFailed(await ask(body, { seconds: 0.5 }), cause));
  }
});

function assertFailed({ finding, failure }: Classification, cause: RegExp): void {
  assert.equal(finding?.outcome, "confirm");
  assert.match(finding?.reason ?? "", /^the classifier gave no verdict: /);
  assert.match(finding?.reason ?? "", cause);
  assert.match(failure ?? "", cause);
}

Deno.test("a classifier is sent the tool's name and input, and its own arguments", async () => {
  const dir = Deno.realPathSync(Deno.makeTempDirSync());
  await ask(`cat > in; echo "$@" > args; pwd -P > cwd; echo ALLOW`, { dir });
  const read = (name: string) => Deno.readTextFileSync(`${dir}/${name}`).trim();
  assert.deepEqual(JSON.parse(read("in")), {
    tool_name: "Bash",
    tool_input: { command: "ls", timeout: 7 },
  });
  assert.equal(read("args"), "--flag");
  assert.equal(read("cwd"), dir);
  Deno.removeSync(dir, { recursive: true });
});
