/** Which files may be written, on real directories and links. */

import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import type { Scope } from "../../src/install/spec.ts";
import { checkTarget } from "../../src/install/target.ts";
import { withHome } from "./settings_files.ts";

/** Builds a repository at `${home}/repo` with a few traps in it. */
function build(home: string): string {
  const repo = `${home}/repo`;
  for (
    const folder of ["repo/.git/hooks", "repo/.agent", "repo/real", "outside", "repo/sub/.git"]
  ) {
    Deno.mkdirSync(`${home}/${folder}`, { recursive: true });
  }
  Deno.writeTextFileSync(`${repo}/.agent/plain.json`, "{}");
  Deno.chmodSync(`${repo}/.agent/plain.json`, 0o600);
  Deno.writeTextFileSync(`${home}/outside/o.json`, "{}");
  Deno.symlinkSync(`${home}/outside/o.json`, `${repo}/.agent/link.json`);
  Deno.symlinkSync("plain.json", `${repo}/.agent/inner.json`);
  Deno.symlinkSync("nowhere", `${repo}/.agent/dangling.json`);
  Deno.symlinkSync("../outside", `${repo}/out`);
  Deno.symlinkSync(".git", `${repo}/meta`);
  Deno.symlinkSync("real", `${repo}/alias`);
  Deno.symlinkSync("nowhere", `${repo}/lost`);
  Deno.writeTextFileSync(`${repo}/.agent/twin.json`, "{}");
  Deno.linkSync(`${repo}/.agent/twin.json`, `${repo}/.agent/twin2.json`);
  Deno.mkdirSync(`${repo}/.agent/folder.json`);
  return repo;
}

const ACCEPTED: [Scope, string, string, boolean, number, string[]][] = [
  ["repository", ".agent/plain.json", ".agent/plain.json", true, 0o600, []],
  ["repository", "./.agent//plain.json", ".agent/plain.json", true, 0o600, []],
  ["repository", ".agent/new.json", ".agent/new.json", false, 0o644, []],
  ["repository", "a/b/new.json", "a/b/new.json", false, 0o644, ["a", "a/b"]],
  ["repository", "alias/new.json", "real/new.json", false, 0o644, []],
  ["repository", "alias/x/new.json", "real/x/new.json", false, 0o644, ["real/x"]],
  ["repository", ".github/hooks/x.json", ".github/hooks/x.json", false, 0o644, [
    ".github",
    ".github/hooks",
  ]],
  ["user", ".agent/inner.json", ".agent/plain.json", true, 0o600, []],
  ["user", ".agent/link.json", "../outside/o.json", true, 0o644, []],
  ["user", "out/new.json", "../outside/new.json", false, 0o600, []],
];

for (const [scope, relative, path, exists, mode, missing] of ACCEPTED) {
  Deno.test(`${scope} scope takes ${relative}`, () =>
    withHome((home, system) => {
      const repo = build(home);
      const at = (it: string) => it.startsWith("../") ? `${home}/${it.slice(3)}` : `${repo}/${it}`;
      assert.deepEqual(checkTarget(system, scope, repo, relative), {
        path: at(path),
        exists,
        mode,
        missing: missing.map(at),
      });
    }));
}

const REFUSED: [Scope, string, RegExp][] = [
  ["repository", "", /no file name/],
  ["repository", ".", /no file name/],
  ["repository", ".agent/", /no file name/],
  ["repository", "a\0b", /no file name/],
  ["repository", "/etc/x.json", /must be relative/],
  ["repository", "C:/x.json", /must be relative/],
  ["repository", "C:x.json", /must be relative/],
  ["repository", "..\\x.json", /must be relative/],
  ["repository", "~/x.json", /must be relative/],
  ["repository", "../x.json", /must not hold \.\./],
  ["repository", ".agent/../../x.json", /must not hold \.\./],
  ["repository", ".agent/link.json", /it is a link/],
  ["repository", ".agent/inner.json", /it is a link/],
  ["repository", ".agent/dangling.json", /it is a link/],
  ["repository", "out/x.json", /leads out of the repository/],
  ["repository", "out/deep/x.json", /leads out of the repository/],
  ["repository", ".git/x.json", /into \.git/],
  ["repository", ".GIT/x.json", /into \.git/],
  ["repository", ".git /x.json", /into \.git/],
  ["repository", ".g\u200cit/x.json", /into \.git/],
  ["repository", "GIT~1/x.json", /into \.git/],
  ["repository", ".git", /into \.git/],
  ["repository", "meta/x.json", /into \.git/],
  ["repository", "meta/hooks/x.json", /into \.git/],
  ["repository", "sub/.git/x.json", /into \.git/],
  ["repository", "lost/x.json", /not a directory/],
  ["repository", ".agent/plain.json/x.json", /not a directory/],
  ["repository", ".agent/twin.json", /has 2 names/],
  ["repository", ".agent/folder.json", /not a plain file/],
  ["user", ".agent/twin.json", /has 2 names/],
  ["user", ".agent/folder.json", /not a plain file/],
  ["user", ".agent/dangling.json", /a link to nothing/],
  ["user", "../x.json", /must not hold \.\./],
];

for (const [scope, relative, message] of REFUSED) {
  Deno.test(`${scope} scope refuses ${JSON.stringify(relative)}`, () =>
    withHome((home, system) => {
      const repo = build(home);
      assert.throws(() => checkTarget(system, scope, repo, relative), (error) => {
        assert.ok(error instanceof Failure);
        assert.match(error.message, message);
        assert.ok(error.message.includes(JSON.stringify(relative)));
        return true;
      });
    }));
}

Deno.test("a root that is not there is refused", () =>
  withHome((home, system) => {
    assert.throws(() => checkTarget(system, "user", `${home}/none`, "x.json"), /no directory/);
  }));
