/** What the guard protects whatever the policy says, and how gitvow's own commands are recognised. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../src/domain/call.ts";
import { GITVOW, verdictOf, World } from "../support/world.ts";
import { Bench, told } from "./bench.ts";

/** A home with gitvow in it twice: installed, and the program that is running. */
function guarded(): Bench {
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
async function all(outcome: string, commands: string): Promise<void> {
  using bench = guarded();
  for (const line of commands.trim().split("\n")) {
    const command = line.trim().replace(/\bH(?=\/)/g, bench.home);
    const decision = await bench.bash(command);
    assert.equal(decision.outcome, outcome, `${command}\n${told(decision)}`);
  }
}

Deno.test("the commands that grant, trust or remove are denied however gitvow is started", () =>
  all(
    "deny",
    `
    gitvow approve ABCD
    gitvow trust
    gitvow install --user
    gitvow uninstall
    gitvow.exe approve ABCD
    \\gitvow approve ABCD
    "git"'vow' approve ABCD
    H/.gitvow/bin/gitvow approve ABCD
    ~/.gitvow/bin/gitvow trust
    cd ~/.gitvow/bin && ./gitvow trust
    env gitvow approve ABCD
    env -i X=1 gitvow trust
    sudo -u me gitvow install
    nohup gitvow approve ABCD &
    bash -c 'gitvow approve ABCD'
    bash <<< 'gitvow approve ABCD'
    script -qc 'gitvow approve ABCD' /dev/null
    script -q /dev/null gitvow approve ABCD
    unbuffer gitvow approve ABCD
    proxychains gitvow approve ABCD
    expect -c 'spawn gitvow approve ABCD'
    python3 -c 'import pty; pty.spawn(["gitvow","approve","ABCD"])'
    python3 -c 'import os; os.system("gitvow approve ABCD")'
    npx gitvow approve ABCD
    xargs gitvow approve < codes
    tmux new-session -d 'gitvow approve ABCD'
    sh ~/.gitvow/bin/gitvow approve ABCD
    . ~/.gitvow/bin/gitvow approve ABCD
    deno run -A dist/gitvow.js approve ABCD
    H/opt/runtime run -A H/opt/program.js approve ABCD
    cd ~/opt && ./runtime run -A program.js approve ABCD
    node H/opt/program.js approve ABCD
    docs/g approve ABCD
    sh docs/g trust
    deno run -A ~/tree/main.ts approve ABCD
    deno run -A H/tree/main.ts trust
    cd ~/tree && deno run -A main.ts install --user
    bun ../tree/main.ts uninstall
    deno run -A npm:@gitvow/gitvow@0.1.0 approve ABCD
    npx @gitvow/gitvow approve ABCD
    gitvow approve ABCD --help
    gitvow install --user --dry-run $X
    gitvow install --agent --dry-run
    gitvow install --dry-run --no-dry-run
    gitvow trust -- --help
    echo --no-dry-run | xargs gitvow install --dry-run
    ln -s ~/.gitvow/bin/gitvow g && ./g approve ABCD
    cp ~/.gitvow/bin/gitvow /tmp/g; /tmp/g trust
    cat ~/.gitvow/bin/gitvow > /tmp/g; sh /tmp/g trust
    cp "$(command -v gitvow)" g && ./g trust
    alias g=gitvow; g approve ABCD
    g() { gitvow "$@"; }; g approve ABCD
    G=gitvow; $G approve ABCD
    V=approve; gitvow $V ABCD
    gitvow $(echo approve) ABCD
    echo ok && gitvow approve ABCD || true
    x=$(gitvow approve ABCD)
    if true; then gitvow approve ABCD; fi
  `,
  ));

Deno.test("a command of gitvow known only at run time is asked about", () =>
  all("confirm", 'gitvow "$CMD" ABCD\n"$HOME/.gitvow/bin/gitvow" $1'));

Deno.test("a program that may be gitvow under another name is asked about before it approves", () =>
  all(
    "confirm",
    `
    "$g" approve X
    "$g" approve "$CODE"
    $(cat name) approve 7F3K
    ./other approve 7F3K
    sh /tmp/g approve 7f3k
    find /tmp -name g -exec {} approve 7F3K \\;
    echo /tmp/g | xargs -I{} {} approve 7F3K
    echo 7F3K | xargs /tmp/g approve
    deno run -A /tmp/bundle.js approve 7F3K
  `,
  ));

Deno.test("gitvow's other commands, and text that only speaks of it, pass", () =>
  all(
    "allow",
    `
    gitvow status
    gitvow check -- gitvow approve ABCD
    gitvow check -- "$CMD"
    gitvow log --json
    gitvow policy show
    gitvow policy default > /tmp/policy.json
    gitvow selftest --agent claude
    gitvow --help
    gitvow approve --help
    gitvow approve -h
    gitvow install --help
    gitvow install --dry-run
    gitvow install --user --dry-run
    gitvow uninstall --dry-run
    gitvow
    deno run -A ~/other/main.ts install
    deno run -A ~/tree/main.ts status
    "$NPM" install
    ./review approve
    glab mr approve 2345
    echo gitvow approve
    echo "gitvow approve ABCD"
    printf '%s\\n' gitvow trust
    grep gitvow install.sh
    grep -rn gitvow install
    rg gitvow trust
    man gitvow install
    which gitvow install
    git commit -m "gitvow approve is new"
    git commit -m 'gitvow install, gitvow trust'
    git log -- gitvow trust
    git add src/gitvow install
    git clone https://github.com/x/gitvow install
    npm install gitvow
    npm --prefix ../gitvow install
    pip install gitvow
    make -C gitvow install
    cd gitvow && npm install
    ls dist/gitvow install
    cat README.md gitvow trust
  `,
  ));

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

Deno.test("a program that is not known to leave guarded files alone is asked about", () =>
  all(
    "confirm",
    `
    git diff --output=.claude/settings.json
    git diff --outpu ~/.gitvow/policy.json
    git log -p --output ~/.gitvow/policy.json
    git checkout HEAD~1 -- .claude/settings.json
    git apply --directory=.claude/hooks x.patch
    git -C ~/.gitvow init
    curl --trace ~/.gitvow/policy.json https://example.test
    curl --trace-ascii=H/.gitvow/policy.json https://example.test
    curl --output-dir ~/.gitvow -O https://example.test/policy.json
    curl -o~/.gitvow/policy.json https://example.test
    curl -oH/.gitvow/policy.json https://example.test
    curl -w '%output{H/.gitvow/policy.json}x' https://example.test
    patch -d ~/.gitvow -i /tmp/x
    patch .claude/settings.json < /tmp/x
    cd ~/.gitvow && patch -i /tmp/x
    cd ~/.gitvow && patch < /tmp/x
    jq -i . ~/.gitvow/policy.json
    gofmt -w ~/.gitvow/policy.json
    cmake -E copy /tmp/x ~/.gitvow/policy.json
    cmake -E copy_directory /tmp/x ~/.claude
    xxd -r x ~/.gitvow/policy.json
    go build -o ~/.gitvow/bin/gitvow .
    tsc --outFile ~/.gitvow/lib/x.js a.ts
    script -c 'echo x' ~/.gitvow/policy.json
    script ~/.gitvow/policy.json
    history -w ~/.gitvow/policy.json
    docker cp box:/x ~/.gitvow/policy.json
    pip install --target ~/.gitvow/lib x
    npm --prefix ~/.gitvow/lib install x
    npm --prefix=H/.gitvow/lib install x
    vim -c 'w! ~/.gitvow/policy.json' x
    vim -es -c 'w! H/.gitvow/policy.json' -c q x
    sqlite3 x.db '.output H/.gitvow/policy.json'
    sqlite3 x.db <<< '.output H/.gitvow/policy.json'
    awk 'BEGIN { print "x" > "H/.gitvow/policy.json" }'
    sed 'w .claude/settings.json' x
    ed .claude/settings.json
    tar xf a.tar -C ~
    tar -xf a.tar -C ~/.gitvow
    tar -C / -xf a.tar
    cd ~ && tar xf a.tar
    unzip a.zip -d ~
    unzip -o a.zip -d ~/.gitvow
    7z x a.7z -oH/.gitvow
    cpio -i -D ~/.gitvow < a.cpio
    ln ~/.gitvow/policy.json /tmp/p
    ln -s ~/.gitvow/policy.json /tmp/p
    ln -s ~/.gitvow /tmp/p
    cp -l ~/.gitvow/policy.json /tmp/p
    cp -s ~/.claude/settings.json /tmp/p
    mv ~/* /tmp
    mv H/op* /tmp
    ls ~/.gitvow/* | while read f; do rm $f; done
    for f in $(ls ~/.gitvow); do rm ~/.gitvow/$f; done
    rm ~/.gitvow/$x
    rm "$HOME/.gitvow/$x"
    echo x > ~/.gitvow/$x
    cp x ~/.gitvow/$x
    frobnicate --config=~/.claude/settings.json
    frobnicate @.claude/settings.json
    frobnicate user:.claude/settings.json
    frobnicate docs/c/settings.json
    frobnicate '{"file": ".claude/settings.json"}'
    frobnicate .git/hooks/pre-commit
    echo x > .git/hooks/pre-commit
    cp hook.sh .git/hooks/pre-push
    echo x > .claude/settings.local.json
    echo x > ~/.claude/plugins/cache/p/hooks/hooks.json
    echo x > '/Library/Application Support/ClaudeCode/managed-settings.json'
    sudo tee ~/.gitvow/policy.json
    python3 -c "import shutil; shutil.copy('x', 'H/.gitvow/policy.json')"
    python3 -c "p = 'H/.gitvow/policy.json'; open(p, 'w')"
    python3 setup.py --out ~/.gitvow/policy.json
    cat ~/.gitvow/approvals/secret
    cat ~/.gitvow/approvals/*
    head -c 64 ~/.gitvow/approvals/secret
    xxd ~/.gitvow/approvals/secret
    cp ~/.gitvow/approvals/secret /tmp/s
    cat ~/.gitvow/$x
    cat ~/.gitvow/approvals/$x
    cp -r ~/.gitvow /tmp/s
    tar cf /tmp/s.tar ~/.gitvow
    grep -r . ~/.gitvow
    cd ~/.gitvow/approvals && cat secret
    base64 < ~/.gitvow/approvals/secret
    python3 -c "print(open('H/.gitvow/approvals/secret').read())"
  `,
  ));

Deno.test("readers and talkers may name what is guarded, and other programs what is not", () =>
  all(
    "allow",
    `
    ls ~/.gitvow
    ls -la ~/.gitvow/*
    ls ~/.gitvow | wc -l
    tree ~/.gitvow
    cat ~/.gitvow/policy.json | jq .
    sudo cat ~/.gitvow/policy.json
    bash -c 'cat ~/.gitvow/policy.json'
    cat .claude/settings.json
    head -20 ~/.claude/settings.json
    git add .
    git status
    git status .claude
    git diff .claude/settings.json
    git -C . log -- .claude/settings.json
    git show HEAD:.claude/settings.json
    git add .claude/settings.json
    git commit -m 'Say more about .claude/settings.json and ~/.gitvow/policy.json'
    git blame .gitvow/policy.json
    grep -r x .claude
    rg gitvow
    rg hooks ~/.claude/settings.json
    find .claude -name '*.json'
    find ~/.gitvow -type f
    diff ~/.claude/settings.json .claude/settings.json
    test -f ~/.gitvow/policy.json && echo there
    [ -e .git/hooks/pre-commit ]
    if [[ -d ~/.claude ]]; then ls ~/.claude; fi
    echo "see ~/.claude/settings.json"
    export FILE=~/.gitvow/policy.json
    gitvow status
    gitvow policy check ~/.gitvow/policy.json
    ~/.gitvow/bin/gitvow status
    gh pr create --title x --body 'It reads .claude/settings.json now'
    sha256sum ~/.gitvow/policy.json
    wc -c ~/.gitvow/policy.json
    cp .claude/settings.json /tmp/copy.json
    sed -n 1,20p .claude/settings.json
    awk '{ print }' .claude/settings.json
    sort .claude/settings.json
    node -e "console.log(require('fs').readFileSync('.claude/settings.json', 'utf8'))"
    tar xf a.tar
    tar xf a.tar -C vendor
    tar czf /tmp/a.tgz src
    unzip a.zip -d /tmp/out
    ln -s ../src /tmp/src
    mv docs/* /tmp
    rm docs/$x
    for f in docs/*; do rm "$f"; done
    ls docs | while read f; do rm "docs/$f"; done
    curl -o out.json https://example.test/.claude
    npm --prefix web install
    go build -o bin/shop .
    tsc --outFile out.js a.ts
    docker exec box cat /root/.claude/settings.json
  `,
  ));

Deno.test("text on standard input is judged where the program runs it", async () => {
  using bench = guarded();
  const text = "x ~/.gitvow/policy.json";
  const rows: readonly [string, string][] = [
    ["cat > notes.md", "allow"],
    ["tee notes.md", "allow"],
    ["git commit -F -", "allow"],
    ["ed x", "confirm"],
    ["sqlite3 x.db", "confirm"],
    ["patch", "confirm"],
  ];
  for (const [command, outcome] of rows) {
    const decision = await bench.bash(`${command} <<'END'\n${text}\nEND\n`);
    assert.equal(decision.outcome, outcome, `${command}\n${told(decision)}`);
  }
});

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
