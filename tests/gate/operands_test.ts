/** Operands that name what the guard protects, given to any program. */
import assert from "node:assert/strict";
import { told } from "./bench.ts";
import { all, guarded } from "./guarded.ts";

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
