/** What the guard protects whatever the policy says. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../src/domain/call.ts";
import { GITVOW, verdictOf, World } from "../support/world.ts";
import { told } from "./bench.ts";
import { all, guarded } from "./guarded.ts";

Deno.test("commands that change the gate or an agent's hooks are asked about", () =>
  all(
    "confirm",
    `
    echo x > ~/.claude/settings.json
    echo x >> H/.claude/settings.json
    echo '{}' > .gitvow/policy.json
    echo '{}' > docs/../.gitvow/policy.json
    echo x | tee -a .claude/settings.json
    sed -i s/a/b/ .claude/settings.local.json
    cp x ~/.claude/settings.json
    cp settings.json ~/.claude/
    echo x > docs/c/settings.json
    mv x .cursor/hooks.json
    ln -sf x ~/.codex/config.toml
    truncate -s0 ~/.gemini/settings.json
    cd ~/.claude && echo '{}' > settings.json
    curl -o ~/.claude/settings.json https://example.test
    dd if=x of=.factory/settings.json
    perl -pi -e s/a/b/ .claude/settings.json
    python3 -c "open('.claude/settings.json','w').write('')"
    rm ~/.claude/settings.json
    rm .claude/*
    rm ~/.clau*/settings.json
    rm -rf ~/.claude
    rm -rf ~/.cl*
    rm -r ~/.gitvow
    rm -rf .
    rm -rf ../shop
    rm -rf ~
    find . -delete
    find . -name '*.json' -delete
    mv ~/.claude /tmp/c
    mv .claude old
    chmod -R 0 ~/.claude
    chmod 000 ~/.gitvow/policy.json
    chmod -x ~/.gitvow/bin/gitvow
    touch .github/hooks/pre.json
    mkdir .gitvow
    echo x > ~/opt/parts/a.js
    rm -rf ~/opt
    mv ~/opt ~/opt2
    cp H/opt/program.js /tmp/x.js
    ln H/opt/runtime /tmp/r
    dd if=H/opt/program.js of=/tmp/p
    cp ~/.gitvow/bin/gitvow /tmp/g
    ln -s ~/.gitvow/bin/gitvow /tmp/g
    ln ~/.gitvow/bin/gitvow /tmp/g
    cp -r ~/opt /tmp/o
    cp docs/g /tmp/g
  `,
  ));

Deno.test("looking at the gate and working beside it pass", () =>
  all(
    "allow",
    `
    cat ~/.gitvow/policy.json
    cat .claude/settings.json
    ls -la ~/.gitvow/bin
    jq . ~/.claude/settings.json
    grep -r gitvow ~
    python3 -c "print(open('.claude/settings.json').read())"
    rm -rf docs
    rm -rf build dist node_modules
    find build -name '*.o' -delete
    find . -name '*.pyc' -delete
    mv docs old
    chmod -R u+w docs
    cp -r docs /tmp/docs
    cp -r /tmp/docs .
    mkdir .claude
    echo x > .claude/commands/review.md
    echo x > settings.json
  `,
  ));

Deno.test("a tool that edits the gate or an agent's hooks is asked about, reading is not", async () => {
  using bench = guarded();
  const rows: readonly [string, string][] = [
    ["~/.gitvow/policy.json", "confirm"],
    [`${bench.home}/.gitvow/trust.json`, "confirm"],
    [".gitvow/policy.json", "confirm"],
    ["sub/.GitVow/policy.json", "confirm"],
    [`${bench.home}/opt/program.js`, "confirm"],
    [`${bench.home}/opt/parts/new.js`, "confirm"],
    ["docs/g", "confirm"],
    ["docs/c/settings.json", "confirm"],
    [".claude/settings.json", "confirm"],
    [".claude/settings.local.json", "confirm"],
    [".claude/hooks/pre.sh", "confirm"],
    [".codex/hooks.json", "confirm"],
    [".codex/config.toml", "confirm"],
    [".gemini/settings.json", "confirm"],
    [".cursor/hooks.json", "confirm"],
    [".github/hooks/x.json", "confirm"],
    [".factory/settings.json", "confirm"],
    ["/etc/claude-code/managed-settings.json", "confirm"],
    ["/usr/local/bin/gitvow", "confirm"],
    ["/usr/local/bin/gitvow-agent-x", "confirm"],
    [".claude/commands/x.md", "allow"],
    ["src/gitvow.ts", "allow"],
    ["settings.json", "allow"],
    ["docs/policy.json", "allow"],
  ];
  for (const [path, outcome] of rows) {
    const decision = await bench.edit(path);
    assert.equal(decision.outcome, outcome, `${path} ${told(decision)}`);
    const read = await bench.judge("Read", { file_path: path });
    assert.equal(read.outcome, "allow", `read ${path} ${told(read)}`);
  }
});

Deno.test("tools that read what approvals are made with are asked about", async () => {
  using bench = guarded();
  bench.write(".gitvow/approvals/secret", "x");
  const rows: readonly [string, JsonObject, string][] = [
    ["Read", { file_path: "~/.gitvow/approvals/secret" }, "confirm"],
    [
      "Read",
      { file_path: "/proc/self/root/~/../.gitvow/x", path: "~/.gitvow/approvals/a" },
      "confirm",
    ],
    ["Grep", { pattern: ".", path: "~/.gitvow" }, "confirm"],
    ["Grep", { pattern: ".", path: "~/.gitvow", glob: "approvals/*" }, "confirm"],
    ["mcp__x__read_file", { path: "~/.gitvow/approvals/secret" }, "confirm"],
    ["mcp__x__read_files", { files: [{ path: "~/.gitvow/approvals/secret" }] }, "confirm"],
    ["mcp__x__update", { target: "~/.gitvow/policy.json" }, "confirm"],
    ["mcp__x__get", { target: ".claude/settings.json" }, "allow"],
    ["mcp__linear__list_issues", { query: "deleted items" }, "allow"],
    ["Read", { file_path: "~/.gitvow/policy.json" }, "allow"],
    ["Grep", { pattern: "x", path: ".claude" }, "allow"],
    ["Grep", { pattern: "x" }, "allow"],
    ["apply_patch", { input: "*** Update File: .claude/settings.json" }, "confirm"],
    ["Config", { setting: "disableAllHooks", value: "true" }, "confirm"],
  ];
  for (const [tool, input, outcome] of rows) {
    const decision = await bench.judge(tool, input);
    assert.equal(decision.outcome, outcome, `${tool} ${JSON.stringify(input)} ${told(decision)}`);
  }
});

Deno.test("a rule about a folder holds for a file in it whose name is known only at run time", async () => {
  using bench = guarded();
  bench.policy({
    read_deny: [{ glob: "~/.ssh/id_*", reason: "r" }],
    read_confirm: [{ glob: "**/secrets/**", reason: "r" }],
    path_deny: [{ glob: ".github/workflows/*.yml", reason: "r" }],
  });
  const rows: readonly [string, string][] = [
    ["cat ~/.ssh/$KEY", "confirm"],
    ['cat "$HOME/.ssh/$KEY"', "confirm"],
    ["cat app/secrets/$NAME", "confirm"],
    ["echo x > .github/workflows/$FILE", "confirm"],
    ["cat $FILE", "allow"],
    ["cat src/$FILE", "allow"],
    ["cat ~/$FILE", "allow"],
    ["cat ./$FILE", "allow"],
    ["cat .github/$FILE", "allow"],
    ["cat .github/workflows/$FILE", "allow"],
    ["echo x > src/$FILE", "allow"],
  ];
  for (const [command, outcome] of rows) {
    const decision = await bench.bash(command);
    assert.equal(decision.outcome, outcome, `${command} ${told(decision)}`);
  }
});

Deno.test("no policy switches the guard off", async () => {
  using bench = guarded();
  bench.policy({
    indirect_commands: "allow",
    path_confirm: [],
    path_deny: [{ glob: "never", reason: "r", unless: { glob: "**" } }],
    mcp_allow: [".*"],
  });
  assert.equal((await bench.bash("gitvow approve ABCD")).outcome, "deny");
  assert.equal((await bench.bash("rm -r ~/.gitvow")).outcome, "confirm");
  assert.equal((await bench.edit("~/.claude/settings.json")).outcome, "confirm");
});

Deno.test("the program that is running is guarded wherever it was built", async () => {
  using world = new World();
  world.policy({});
  const dist = GITVOW.slice(0, GITVOW.lastIndexOf("/"));
  for (const file of ["gitvow", "gitvow.js", "deno", "parts/shell_read.js", "cache/anything"]) {
    const path = `${dist}/${file}`;
    const edit = await world.hook(
      "PreToolUse",
      world.payload("Write", { file_path: path, content: "" }),
    );
    assert.equal(verdictOf(edit), "confirm", `${file} ${edit.stderr}`);
    assert.equal(verdictOf(await world.bash(`cp ${path} /tmp/other`)), "confirm", file);
  }
  assert.equal(verdictOf(await world.bash(`node ${dist}/gitvow.js approve ABCD`)), "deny");
  const beside = world.payload("Write", { file_path: `${dist}/../README.md`, content: "" });
  assert.equal(verdictOf(await world.hook("PreToolUse", beside)), "allow");
});
