/** Plans and their application on real files: created files, links, diffs, refusals, the ledger. */

import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import { applyPlan } from "../../src/install/apply.ts";
import { type Plan, planInstall, planUninstall } from "../../src/install/plan.ts";
import type { Scope } from "../../src/install/spec.ts";
import type { System } from "../../src/system/system.ts";
import { SPEC, withHome } from "./settings_files.ts";

type World = {
  home: string;
  system: System;
  path: string;
  ledger: string;
  install(command?: string): Promise<Plan>;
  uninstall(): Promise<Plan>;
};

function world(scope: Scope, body: (world: World) => Promise<void>): () => Promise<void> {
  return () =>
    withHome(async (home, system) => {
      const root = scope === "user" ? home : `${home}/repo`;
      Deno.mkdirSync(root, { recursive: true });
      const applied = (plan: Plan) => {
        applyPlan(system, plan);
        return plan;
      };
      await body({
        home,
        system,
        path: `${root}/.agent/settings.json`,
        ledger: `${home}/.gitvow/installs.json`,
        install: async (command = "gitvow") =>
          applied(await planInstall(system, { spec: SPEC, scope, root, command })),
        uninstall: async () => applied(await planUninstall(system, { spec: SPEC, scope, root })),
      });
    });
}

function write(path: string, text: string | Uint8Array<ArrayBuffer>): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  if (typeof text === "string") Deno.writeTextFileSync(path, text);
  else Deno.writeFileSync(path, text);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

for (const [scope, mode] of [["user", 0o600], ["repository", 0o644]] as const) {
  Deno.test(
    `a file and directory that a ${scope} install made are gone after uninstall`,
    world(scope, async ({ path, ledger, install, uninstall, home }) => {
      const plan = await install();
      assert.equal(plan.before, undefined);
      assert.equal(plan.path, path);
      assert.match(plan.diff(), /^--- \/dev\/null\n\+\+\+ ~\/.*settings\.json\n@@ -0,0 /);
      assert.equal(Deno.statSync(path).mode! & 0o777, mode);
      assert.match(Deno.readTextFileSync(path), /^\{\n {2}"version": 1,\n[\s\S]*\}\n$/);
      assert.equal(Deno.statSync(ledger).mode! & 0o777, 0o600);
      assert.equal(Deno.statSync(`${home}/.gitvow`).mode! & 0o777, 0o700);
      const undo = await uninstall();
      assert.equal(undo.after, undefined);
      assert.match(undo.diff(), /\n\+\+\+ \/dev\/null\n/);
      assert.equal(exists(path), false);
      assert.equal(exists(path.replace("/settings.json", "")), false);
      assert.deepEqual(JSON.parse(Deno.readTextFileSync(ledger)), { version: 1, files: {} });
    }),
  );
}

Deno.test(
  "a directory that holds something else by now stays",
  world("user", async ({ path, install, uninstall }) => {
    await install();
    write(path.replace("settings", "other"), "{}");
    await uninstall();
    assert.equal(exists(path), false);
    assert.equal(exists(path.replace("settings", "other")), true);
  }),
);

Deno.test(
  "a created file with a foreign setting in it by now keeps that",
  world("user", async ({ path, install, uninstall }) => {
    await install();
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text.replace(`"version": 1,`, `"version": 1,\n  "model": "x",`));
    await uninstall();
    assert.equal(Deno.readTextFileSync(path), `{\n  "version": 1,\n  "model": "x"\n}\n`);
  }),
);

Deno.test(
  "a created file that was only reformatted is removed all the same",
  world("user", async ({ path, install, uninstall }) => {
    await install();
    const data = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(path, JSON.stringify(data, null, 7));
    await install("/new/gitvow");
    assert.equal((await uninstall()).after, undefined);
    assert.equal(exists(path), false);
  }),
);

Deno.test(
  "a file made anew by someone else is not taken for a created one",
  world("user", async ({ path, install, uninstall }) => {
    await install();
    Deno.writeTextFileSync(path, "{}");
    await install();
    await uninstall();
    assert.equal(Deno.readTextFileSync(path), "{}");
  }),
);

Deno.test(
  "an empty file that was there comes back empty",
  world("user", async ({ path, install, uninstall }) => {
    write(path, "");
    await install();
    await uninstall();
    assert.equal(Deno.readTextFileSync(path), "");
  }),
);

Deno.test(
  "a linked dotfile is written where it points and stays a link",
  world("user", async ({ home, path, install, uninstall }) => {
    write(`${home}/dotfiles/agent.json`, `{"a": 1}`);
    Deno.chmodSync(`${home}/dotfiles/agent.json`, 0o600);
    Deno.mkdirSync(`${home}/.agent`);
    Deno.symlinkSync("../dotfiles/agent.json", path);
    await install();
    assert.ok(Deno.lstatSync(path).isSymlink);
    assert.match(Deno.readTextFileSync(`${home}/dotfiles/agent.json`), /gitvow hook Stop/);
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    await uninstall();
    assert.ok(Deno.lstatSync(path).isSymlink);
    assert.equal(Deno.readTextFileSync(`${home}/dotfiles/agent.json`), `{"a": 1}`);
  }),
);

Deno.test(
  "the diff shows the change and nothing is written before it is applied",
  world("user", async ({ home, path, system, install }) => {
    write(path, `{\n  "a": 1 /* \u001b[31m\u0007 */\n}\n`);
    const request = { spec: SPEC, scope: "user", root: home, command: "gitvow" } as const;
    const plan = await planInstall(system, request);
    assert.equal(exists(`${home}/.gitvow`), false);
    assert.match(Deno.readTextFileSync(path), /^\{\n {2}"a": 1 \/\*.*\*\/\n\}\n$/);
    const diff = plan.diff();
    assert.match(diff, /^--- ~\/\.agent\/settings\.json\n\+\+\+ ~\/\.agent\/settings\.json\n@@/);
    assert.match(diff, /\n- {2}"a": 1 \/\* \\x1b\[31m\\x07 \*\/\n\+ {2}"a": 1, /);
    assert.equal((await install()).changed, true);
  }),
);

const BROKEN: [string, string | Uint8Array<ArrayBuffer>, RegExp][] = [
  ["a syntax error", `{\n  "a": 1,,\n}`, /valid JSON: property name expected at line 2, column 10/],
  ["an array", "[]", /top level must be an object/],
  ["null hooks", `{"hooks": null}`, /"hooks" must be an object.* line 1, column 11/],
  ["bytes that are no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), /not valid UTF-8/],
  ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), /not valid UTF-8/],
];

for (const [name, text, message] of BROKEN) {
  Deno.test(
    `a file with ${name} is refused by name and left alone`,
    world("user", async ({ home, path, install }) => {
      write(path, text);
      const before = Deno.readFileSync(path);
      await assert.rejects(install, (error) => {
        assert.ok(error instanceof Failure);
        assert.match(error.message, /^Cannot install into "~\/\.agent\/settings\.json": /);
        assert.match(error.message, message);
        assert.notEqual(error.remedy, "");
        return true;
      });
      assert.deepEqual(Deno.readFileSync(path), before);
      assert.deepEqual([...Deno.readDirSync(home)].map((it) => it.name), [".agent"]);
    }),
  );
}

Deno.test(
  "a file changed between plan and application is left alone",
  world("user", async ({ home, path, system }) => {
    write(path, "{}");
    const request = { spec: SPEC, scope: "user", root: home, command: "gitvow" } as const;
    const plan = await planInstall(system, request);
    write(path, `{"a": 1}`);
    assert.throws(() => applyPlan(system, plan), /just been changed/);
    assert.equal(Deno.readTextFileSync(path), `{"a": 1}`);
  }),
);

for (const broken of ["", "{", "[]", `{"version": 1, "files": {"x": 1}}`, `{"version": 9}`]) {
  Deno.test(
    `a ledger that says ${JSON.stringify(broken)} does not stop install or uninstall`,
    world("user", async ({ path, ledger, install, uninstall }) => {
      write(path, `{\n  "a": 1\n}\n`);
      write(ledger, broken);
      await install();
      write(ledger, broken);
      await uninstall();
      assert.equal(Deno.readTextFileSync(path), `{\n  "a": 1\n}\n`);
    }),
  );
}

/** A system that fails before its `count`-th writing operation, as if the power went. */
function failingAfter(system: System, count: number): System {
  let left = count;
  const spend = () => {
    if (left === 0) throw new Error("power cut");
    left -= 1;
  };
  const { files } = system;
  return {
    ...system,
    files: {
      ...files,
      makeDirectory: (path, mode) => (spend(), files.makeDirectory(path, mode)),
      writeAtomic: (path, bytes, mode) => (spend(), files.writeAtomic(path, bytes, mode)),
      remove: (path) => (spend(), files.remove(path)),
    },
  };
}

const STARTS: [string, string | undefined, string | undefined][] = [
  ["a first install that makes the file", undefined, undefined],
  ["a first install into a file", `{\n  "hooks": { }\n}\n`, undefined],
  ["a changed install", `{\n  "hooks": { }\n}\n`, "/old/gitvow"],
  ["a changed install of a file that install made", undefined, "/old/gitvow"],
];

for (const [name, original, earlier] of STARTS) {
  for (const undo of [false, true]) {
    Deno.test(
      `a crash before any write of ${name}${undo ? " or of its uninstall" : ""} can be undone`,
      async () => {
        let finished = false;
        for (let count = 0; !finished; count += 1) {
          assert.ok(count < 20);
          await world("user", async ({ home, path, system, install, uninstall }) => {
            if (original !== undefined) write(path, original);
            if (earlier !== undefined) await install(earlier);
            const old = exists(path) ? Deno.readTextFileSync(path) : undefined;
            const request = {
              spec: SPEC,
              scope: "user",
              root: home,
              command: "/new/gitvow",
            } as const;
            let plan = await planInstall(system, request);
            const texts = [old, plan.after];
            if (undo) {
              applyPlan(system, plan);
              plan = await planUninstall(system, request);
              texts.push(original);
            }
            try {
              applyPlan(failingAfter(system, count), plan);
              finished = true;
            } catch (error) {
              assert.match(String(error), /^Failure: Cannot \w+ "~\/\.agent\/.*": power cut/);
            }
            assert.ok(texts.includes(exists(path) ? Deno.readTextFileSync(path) : undefined));
            await uninstall();
            assert.equal(exists(path) ? Deno.readTextFileSync(path) : undefined, original);
            assert.equal(exists(`${home}/.agent`), original !== undefined);
          })();
        }
      },
    );
  }
}

Deno.test(
  "uninstall where nothing is installed changes nothing",
  world("user", async ({ home, path, uninstall }) => {
    assert.equal((await uninstall()).changed, false);
    write(path, `{"hooks": []}`);
    assert.equal((await uninstall()).changed, false);
    assert.equal(exists(`${home}/.gitvow`), false);
  }),
);

Deno.test(
  "the command may differ by the member it stands in",
  world("user", async ({ home, system }) => {
    const entries = { pre: [{ bash: "__GITVOW__ hook", powershell: "__GITVOW__ hook" }] };
    const plan = await planInstall(system, {
      spec: { ...SPEC, entries },
      scope: "user",
      root: home,
      command: (member) => member === "bash" ? "'/$& a/gitvow'" : "& 'C:\\a b\\gitvow.exe'",
    });
    const data = JSON.parse(plan.after ?? "");
    assert.deepEqual(data.hooks.pre, [
      { bash: "'/$& a/gitvow' hook", powershell: "& 'C:\\a b\\gitvow.exe' hook" },
    ]);
  }),
);
