/** Trust in repositories' policies: bound to place and bytes, and gone when anything is wrong. */
import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import { type PolicyLayer, QUESTIONS } from "../../src/policy/policy.ts";
import {
  isTrusted,
  listTrusted,
  programLines,
  revoke,
  trust,
  trustedBefore,
  trustRefusal,
} from "../../src/policy/trust.ts";
import { denoSystem } from "../../src/system/deno.ts";
import type { System } from "../../src/system/system.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);

/** A throwaway home and repository. */
function inWorld(body: (system: System, dir: string) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const dir = Deno.realPathSync(Deno.makeTempDirSync());
    for (const folder of ["home", "repo/.gitvow", "other"]) {
      Deno.mkdirSync(`${dir}/${folder}`, { recursive: true });
    }
    try {
      await body({ ...denoSystem(), home: `${dir}/home` }, dir);
    } finally {
      Deno.removeSync(dir, { recursive: true });
    }
  };
}

function layerOf(dir: string, more: Partial<PolicyLayer> = {}): PolicyLayer {
  return {
    path: `${dir}/repo/.gitvow/policy.json`,
    file: "policy.json",
    scope: "repository",
    repo: `${dir}/repo`,
    sha256: A,
    bashDeny: [],
    bashConfirm: [],
    pathDeny: [],
    pathConfirm: [],
    readDeny: [],
    readConfirm: [],
    mcpDeny: [],
    mcpAllow: [],
    providers: [{
      name: "topology",
      command: "python3 'p q.py'",
      questions: QUESTIONS,
      timeoutSeconds: 10,
      origin: { file: "policy.json", rule: "providers[0]" },
    }],
    classifier: {
      command: "judge\n-x",
      timeoutSeconds: 30,
      origin: { file: "policy.json", rule: "llm_classifier" },
    },
    indirectCommands: undefined,
    unreadCode: undefined,
    ...more,
  };
}

Deno.test(
  "trust holds for one place and its bytes, and can be taken back",
  inWorld((system, dir) => {
    const path = `${dir}/repo/.gitvow/policy.json`;
    assert.equal(isTrusted(system, path, A), false);
    trust(system, path, A, "one\n");
    assert.equal(isTrusted(system, path, A), true);
    assert.equal(isTrusted(system, path, B), false);
    assert.equal(isTrusted(system, `${dir}/other/.gitvow/policy.json`, A), false);
    assert.deepEqual(trustedBefore(system, path), { path, sha256: A, programs: "one\n" });
    trust(system, path, B, "two\n");
    assert.equal(isTrusted(system, path, A), false);
    assert.equal(isTrusted(system, path, B), true);
    assert.deepEqual(listTrusted(system), [{ path, sha256: B, programs: "two\n" }]);
    assert.equal(revoke(system, path), true);
    assert.equal(revoke(system, path), false);
    assert.equal(isTrusted(system, path, B), false);
  }),
);

Deno.test(
  "several places are kept, sorted by path",
  inWorld((system, dir) => {
    for (const name of ["repo", "other", "home"]) {
      trust(system, `${dir}/${name}/.gitvow/policy.json`, A, "");
    }
    assert.deepEqual(
      listTrusted(system).map((entry) => entry.path),
      ["home", "other", "repo"].map((name) => `${dir}/${name}/.gitvow/policy.json`),
    );
  }),
);

Deno.test(
  "the trust file and its directory are for their owner alone",
  inWorld((system, dir) => {
    trust(system, `${dir}/repo/.gitvow/policy.json`, A, "");
    const mode = (path: string) => (Deno.statSync(path).mode ?? 0) & 0o777;
    assert.equal(mode(`${dir}/home/.gitvow/trust.json`), 0o600);
    assert.equal(mode(`${dir}/home/.gitvow`), 0o700);
  }),
);

Deno.test(
  "a repository reached through a link is the same place, a linked policy is not",
  inWorld((system, dir) => {
    trust(system, `${dir}/repo/.gitvow/policy.json`, A, "");
    Deno.symlinkSync(`${dir}/repo`, `${dir}/link`);
    assert.equal(isTrusted(system, `${dir}/link/.gitvow/policy.json`, A), true);
    Deno.symlinkSync(`${dir}/repo/.gitvow`, `${dir}/other/.gitvow`);
    assert.equal(isTrusted(system, `${dir}/other/.gitvow/policy.json`, A), false);
  }),
);

Deno.test("a broken trust file trusts nothing, and can be replaced", async (t) => {
  const entry = (path: string) => ({ path, sha256: A, programs: "" });
  const rows: readonly (readonly [string, (path: string) => string])[] = [
    ["empty", () => ""],
    ["half of it", (path) => JSON.stringify({ v: 1, trusted: [entry(path)] }).slice(0, -1)],
    ["a list", (path) => JSON.stringify([entry(path)])],
    ["null", () => "null"],
    ["another version", (path) => JSON.stringify({ v: 2, trusted: [entry(path)] })],
    ["no version", (path) => JSON.stringify({ trusted: [entry(path)] })],
    [
      "one entry broken",
      (path) => JSON.stringify({ v: 1, trusted: [entry(path), { ...entry(path), sha256: 7 }] }),
    ],
    [
      "a short digest",
      (path) => JSON.stringify({ v: 1, trusted: [{ ...entry(path), sha256: "" }] }),
    ],
    ["invalid UTF-8", (path) => `${JSON.stringify({ v: 1, trusted: [entry(path)] })}\xff`],
  ];
  for (const [name, text] of rows) {
    await t.step(
      name,
      inWorld((system, dir) => {
        const path = `${dir}/repo/.gitvow/policy.json`;
        Deno.mkdirSync(`${dir}/home/.gitvow`);
        const bytes = Uint8Array.from(text(path), (char) => char.charCodeAt(0));
        Deno.writeFileSync(`${dir}/home/.gitvow/trust.json`, bytes);
        assert.deepEqual(listTrusted(system), []);
        assert.equal(isTrusted(system, path, A), false);
        assert.equal(isTrusted(system, path, ""), false);
        trust(system, path, A, "");
        assert.equal(isTrusted(system, path, A), true);
      }),
    );
  }
});

Deno.test(
  "without a home, or where it cannot be written, nothing is trusted and trusting says why",
  inWorld((system, dir) => {
    const path = `${dir}/repo/.gitvow/policy.json`;
    const homeless: System = { ...system, home: undefined };
    assert.equal(isTrusted(homeless, path, A), false);
    assert.throws(() => trust(homeless, path, A, ""), Failure);
    Deno.writeTextFileSync(`${dir}/home/.gitvow`, "a file in the way");
    assert.equal(isTrusted(system, path, A), false);
    assert.throws(() => trust(system, path, A, ""), Failure);
    assert.throws(() => trust(system, path, "abc", ""), /is no SHA-256/);
  }),
);

Deno.test(
  "a repository's programs are refused until trusted as they are, the user's never",
  inWorld((system, dir) => {
    const layer = layerOf(dir);
    assert.match(trustRefusal(system, layer) ?? "", /is not trusted.*`gitvow trust` in /);
    trust(system, layer.path, A, programLines(layer));
    assert.equal(trustRefusal(system, layer), undefined);
    const changed = layerOf(dir, { sha256: B });
    assert.match(trustRefusal(system, changed) ?? "", /has changed since it was trusted/);
    const own = layerOf(dir, { scope: "user", repo: undefined, sha256: B });
    assert.equal(trustRefusal(system, own), undefined);
  }),
);

Deno.test("a policy's programs are listed one to a line", () => {
  assert.deepEqual(programLines(layerOf("")).split("\n"), [
    `provider "topology" runs "python3 'p q.py'" for gate_bearing, route_gate, route_callers within 10 s`,
    `llm_classifier runs "judge\\n-x" within 30 s`,
    "",
  ]);
  assert.equal(programLines(layerOf("", { providers: [], classifier: undefined })), "");
});
