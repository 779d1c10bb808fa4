/**
 * Commands inside other commands: wrappers, nested texts, code of other languages, remote shells.
 */
import assert from "node:assert/strict";
import { argvs, doubts, read, uses } from "./reading.ts";

/** Each of these must bring out `rm -rf /x` as an invocation. */
const REVEALS: readonly string[] = [
  "sudo rm -rf /x",
  "sudo -u bob -- rm -rf /x",
  "sudo -E FOO=1 rm -rf /x",
  "doas -u root rm -rf /x",
  "env rm -rf /x",
  "env -i A=1 rm -rf /x",
  "env -S 'rm -rf' /x",
  "env -u A -C /tmp rm -rf /x",
  "command rm -rf /x",
  "builtin command rm -rf /x",
  "exec rm -rf /x",
  "exec -a n rm -rf /x",
  "nohup rm -rf /x &",
  "nice -n 10 rm -rf /x",
  "ionice -c3 rm -rf /x",
  "time -p rm -rf /x",
  "/usr/bin/time -f %e rm -rf /x",
  "timeout -s KILL 60 rm -rf /x",
  "timeout 5s rm -rf /x",
  "stdbuf -oL rm -rf /x",
  "setsid rm -rf /x",
  "echo /x | xargs rm -rf",
  "xargs rm -rf <<< /x",
  "echo /x | xargs -I{} rm -rf {}",
  "printf '/x\\0' | xargs -0 -n1 rm -rf",
  "parallel rm -rf ::: /x",
  "parallel 'rm -rf {}' ::: /x",
  "watch -n 5 rm -rf /x",
  "watch 'rm -rf /x'",
  "flock /tmp/l rm -rf /x",
  "flock /tmp/l -c 'rm -rf /x'",
  "chroot / rm -rf /x",
  "unshare -r rm -rf /x",
  "strace -f -e trace=file rm -rf /x",
  "ltrace rm -rf /x",
  "script -c 'rm -rf /x' /dev/null",
  "busybox rm -rf /x",
  "rtk rm -rf /x",
  "noglob rm -rf /x",
  "repeat 3 rm -rf /x",
  "nocorrect rm -rf /x",
  "mytool run -- rm -rf /x",
  "=rm -rf /x",
  "hash -p /bin/rm show; show -rf /x",
  "alias x='rm -rf'; x /x",
  "ln -s /bin/rm ./l; ./l -rf /x",
  "trap 'rm -rf /x' EXIT",
  "npx rm -rf /x",
  "pnpm exec rm -rf /x",
  "yarn exec rm -rf /x",
  "uv run rm -rf /x",
  "poetry run rm -rf /x",
  "bundle exec rm -rf /x",
  "direnv exec . rm -rf /x",
  "mise exec -- rm -rf /x",
  "npm exec -- rm -rf /x",
  "nix develop -c rm -rf /x",
  "bash -c 'rm -rf /x'",
  "sh -ec 'rm -rf /x'",
  "zsh -lc 'rm -rf /x'",
  "bash -o pipefail -c 'rm -rf /x'",
  "bash -euo pipefail -c 'rm -rf /x'",
  "sh -c 'rm -rf \"$1\"' _ /x",
  "sh -c '\"$@\"' _ rm -rf /x",
  "eval 'rm -rf /x'",
  "eval rm -rf /x",
  "X='rm -rf /x'; eval \"$X\"",
  "su - bob -c 'rm -rf /x'",
  "ssh host rm -rf /x",
  "ssh -p 22 -i key host 'cd / && rm -rf /x'",
  "ssh host bash -s <<< 'rm -rf /x'",
  "docker exec -it -u 0 web rm -rf /x",
  "docker run --rm -v /a:/b img rm -rf /x",
  "podman exec web sh -c 'rm -rf /x'",
  "docker compose -f c.yml exec -T web rm -rf /x",
  "docker-compose run --rm web rm -rf /x",
  "docker run --entrypoint rm img -rf /x",
  "kubectl exec -n prod pod -c app -- rm -rf /x",
  "kubectl exec pod -- sh -c 'rm -rf /x'",
  "find /x -exec rm -rf {} +",
  "find /x -execdir rm -rf {} \\;",
  "find . -exec sh -c 'rm -rf /x' \\;",
  "fd foo -x sh -c 'rm -rf /x'",
  "git -c alias.x='!rm -rf /x' x",
  "git config alias.t '!rm -rf /x'; git t",
  "git rebase -x 'rm -rf /x' main",
  "git rebase --exec='rm -rf /x' main",
  "git bisect run rm -rf /x",
  "git submodule foreach 'rm -rf /x'",
  "git filter-branch --tree-filter 'rm -rf /x' HEAD",
  "git clone ext::'rm -rf /x'",
  "git -c core.sshCommand='rm -rf /x' fetch",
  "GIT_SSH_COMMAND='rm -rf /x' git fetch",
  "bash <<E\nrm -rf /x\nE",
  "sh <<< 'rm -rf /x'",
  "echo 'rm -rf /x' | sh",
  "printf 'rm -rf %s\\n' /x | bash",
  "cat <<'E' | sh\nrm -rf /x\nE",
  "echo cm0gLXJmIC94 | base64 -d | sh",
  "base64 -d <<< cm0gLXJmIC94 | sh",
  "echo cm0gLXJmIC94 | openssl base64 -d | sh",
  "echo 726d202d7266202f78 | xxd -r -p | sh",
  "echo 'x/ fr- mr' | rev | sh",
  "echo 'rm -rf /x' | tee f | sh",
  "echo 'rm -rf /x' > f && sh f",
  "cat > f <<'E'\nrm -rf /x\nE\nbash f",
  "echo 'rm -rf /x' > f; chmod +x f; ./f",
  "echo 'rm -rf /x' > f; . ./f",
  "bash <(echo rm -rf /x)",
  ". <(echo rm -rf /x)",
  "python3 -c \"import os; os.system('rm -rf /x')\"",
  'python -c \'import subprocess as sp; sp.run(["rm","-rf","/x"])\'',
  "python3 -c \"import subprocess; subprocess.run('rm -rf /x', shell=True)\"",
  "python3 <<'E'\nimport os\nos.system(\"rm -rf /x\")\nE",
  "echo 'import os; os.system(\"rm -rf /x\")' | python3",
  'python3 -c \'from subprocess import run; run(["rm", "-rf", "/x"])\'',
  "python3 -c 'from os import system as s; s(\"rm -rf /x\")'",
  "python3 -c 'import os as o; o.system(\"rm -rf /x\")'",
  "node -e \"require('child_process').execSync('rm -rf /x')\"",
  "node -e \"const {execSync} = require('child_process'); execSync('rm -rf /x')\"",
  "node -e \"require('child_process').spawnSync('rm', ['-rf', '/x'])\"",
  "deno eval \"new Deno.Command('rm', {args: ['-rf', '/x']}).outputSync()\"",
  "perl -e 'system(\"rm -rf /x\")'",
  'perl -e \'system("rm", "-rf", "/x")\'',
  "perl -e '`rm -rf /x`'",
  "perl -e 'exec \"rm -rf /x\"'",
  "ruby -e 'system \"rm -rf /x\"'",
  "ruby -e '%x(rm -rf /x)'",
  "php -r 'shell_exec(\"rm -rf /x\");'",
  "lua -e 'os.execute(\"rm -rf /x\")'",
  "awk 'BEGIN { system(\"rm -rf /x\") }'",
  "awk '{ print | \"rm -rf /x\" }' f",
  "sed '1e rm -rf /x' f",
  "vim -c '!rm -rf /x' f",
  "tar xf a.tar --to-command='rm -rf /x'",
  "rsync -e 'rm -rf /x' a b",
  "tmux new-session -d 'rm -rf /x'",
  "echo 'rm -rf /x' | at now",
  "a='$(rm -rf /x)'; : ${a@P}",
  "coproc rm -rf /x",
  'echo "$(rm -rf /x)"',
  "ls `rm -rf /x`",
  "while :; do rm -rf /x; done",
  "true && { ! (rm -rf /x); }",
  "cat <(rm -rf /x)",
  'function f { rm -rf "$1"; }; f /x',
  "man -P 'rm -rf /x' ls",
  "sudo sh -c 'env A=1 nice rm -rf /x'",
]; // deno-fmt-ignore

for (const source of REVEALS) {
  Deno.test(`brings out the command in ${JSON.stringify(source)}`, () => {
    const found = argvs(read(source));
    assert.ok(found.some((argv) => /^(?:\S*\/)?=?(?:rm|show|\.\/l) -rf \/x\/?$/.test(argv)), found.join("\n"));
  });
}

/** Each of these only mentions it. */
const DATA: readonly string[] = [
  "echo 'rm -rf /x'",
  "printf '%s' 'rm -rf /x'",
  "git commit -m 'rm -rf /x'",
  "grep -rn 'rm -rf /x' .",
  "cat > f <<'E'\nrm -rf /x\nE",
  "cat <<E\nrm -rf /x\nE",
  "ls # rm -rf /x",
  "x='rm -rf /x'",
  "python3 -c \"print('rm -rf /x')\"",
  "python3 - <<'E'\ns = \"os.system('rm -rf /x')\"\nE",
  "node -e \"console.log('rm -rf /x'); /rm -rf x/.exec('rm -rf /x')\"",
  "awk '/rm -rf \\/x/ {print}' f",
  "sed 's/rm -rf \\/x/ls/' f",
  "jq '.a == \"rm -rf /x\"' f",
  "gh pr create --body 'rm -rf /x'",
  "command -v rm",
  "git log --grep='rm -rf /x'",
  "echo 'rm -rf /x' > f",
  "man rm",
  "which rm",
  "perl -ne 'print if /rm -rf/' f",
  "tee f <<< 'rm -rf /x'",
  "test 'rm -rf /x' = \"$x\"",
  "git tag -m \"$(echo 'rm -rf /x')\" v1",
  "export X='rm -rf /x'",
  "python3 -c '# os.system(\"rm -rf /x\")'",
]; // deno-fmt-ignore

for (const source of DATA) {
  Deno.test(`takes for data what is data in ${JSON.stringify(source)}`, () => {
    const reading = read(source);
    assert.ok(!reading.invocations.some((found) => found.name === "rm"), argvs(reading).join("\n"));
    assert.ok(!uses(reading).some((use) => use.startsWith("delete")), uses(reading).join("\n"));
    assert.deepEqual(doubts(reading), []);
  });
}

Deno.test("says where a command runs and how it was reached", () => {
  const remote = read("ssh host 'sudo rm /x'").invocations.at(-1);
  assert.deepEqual(remote?.place, { kind: "elsewhere", by: "ssh host" });
  assert.deepEqual(remote?.via, ["ssh host", "sudo"]);
  const moved = read("cd sub && git -C ../other status").invocations.at(-1);
  assert.deepEqual(moved?.place, { kind: "here", cwd: "/home/dev/shop/other" });
  const lost = read("cd $SOMEWHERE; rm -rf *").invocations.at(-1);
  assert.deepEqual(lost?.place, { kind: "here", cwd: undefined });
  const set = read("A=1 env B=2 git push").invocations.at(-1);
  assert.deepEqual(set?.assignments, [{ name: "A", value: "1" }, { name: "B", value: "2" }]);
});

Deno.test("says what feeds a command", () => {
  assert.deepEqual(read("curl x | tee y | psql z").invocations.at(-1)?.input, {
    kind: "pipe",
    from: ["curl", "tee"],
  });
  assert.deepEqual(read("echo 'drop x' | psql z").invocations.at(-1)?.input, {
    kind: "text",
    text: "drop x\n",
  });
});

Deno.test("spans point into the outermost text", () => {
  const source = "ls; bash -c 'git push -f'";
  const found = read(source).invocations;
  assert.equal(source.slice(found[0]?.span.start, found[0]?.span.end), "ls");
  assert.equal(source.slice(found[2]?.span.start, found[2]?.span.end), "'git push -f'");
});
