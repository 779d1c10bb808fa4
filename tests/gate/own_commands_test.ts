/** How gitvow's own commands are recognised, however gitvow is started. */
import { all } from "./guarded.ts";

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
