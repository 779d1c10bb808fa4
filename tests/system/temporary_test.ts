/** Temporary directories, and children with an environment of their own. */
import assert from "node:assert/strict";
import { denoSystem } from "../../src/system/deno.ts";

Deno.test("a temporary directory is private, and goes with everything in it but link targets", () => {
  const { files } = denoSystem();
  const kept = files.temporaryDirectory("gitvow-kept-");
  const path = files.temporaryDirectory("gitvow-tree-");
  try {
    assert.match(path, /\/gitvow-tree-[^/]+$/);
    assert.equal(files.realPath(path), path);
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o700);
    Deno.writeTextFileSync(`${kept}/file`, "kept");
    Deno.mkdirSync(`${path}/a/b`, { recursive: true });
    Deno.writeTextFileSync(`${path}/a/b/file`, "");
    Deno.symlinkSync(kept, `${path}/a/link`);
    files.removeTree(path);
    assert.equal(files.lookAt(path), undefined);
    assert.equal(Deno.readTextFileSync(`${kept}/file`), "kept");
    files.removeTree(path);
  } finally {
    files.removeTree(kept);
  }
});

for (
  const [name, env, wanted] of [
    ["without one, a child inherits this process's environment", undefined, /^HOME=/m],
    [
      "given one, a child has nothing else",
      { ONLY: "this one" },
      /^ONLY=this one\n(?:_=.*\n|PWD=.*\n|SHLVL=.*\n)*$/,
    ],
  ] as const
) {
  Deno.test(name, async () => {
    const ended = await denoSystem().run({
      program: "/usr/bin/env",
      args: [],
      cwd: "/",
      stdin: "",
      timeoutMs: 5000,
      stdoutLimit: 1024 * 1024,
      ...(env && { env }),
    });
    assert.equal(ended.kind, "exited");
    assert.match(ended.kind === "exited" ? new TextDecoder().decode(ended.stdout) : "", wanted);
  });
}
