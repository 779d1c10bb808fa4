/**
 * Commands the parser must get right, and spellings it is known to misread: each row gives every
 * invocation that must be found, or says that the text must be doubted.
 */
import assert from "node:assert/strict";
import { argvs, doubts, read } from "./reading.ts";

/** Source, then the invocations in order; `known only to the shell` is marked `?`. */
const ROWS: readonly (readonly [string, readonly string[]])[] = [
  [`echo "it's \\"quoted\\" and \\$5"`, [`echo "it's \\"quoted\\" and $5"`]],
  [`r'm' -r"f" /tmp/x\\ y $'a\\tb' ""`, [`rm -rf "/tmp/x y" "a\\tb" ""`]],
  [`git commit -m "$(cat <<'EOF'\nIt's (part 1 \`code\`\nEOF\n)" && git push`, [
    "cat",
    'git commit -m "It\'s (part 1 `code`"',
    "git push",
  ]],
  ["cat <<E\n$(rm -rf /) `git x`\nE\n", ["rm -rf /", "git x", "cat"]],
  ["cat <<A <<-B\none\nA\n\ttwo $(rm q)\n\tB\nls", ["rm q", "cat", "ls"]],
  ["diff <(sort a.txt) >(tee b.log >/dev/null)", [
    "sort a.txt",
    "tee b.log",
    "diff /dev/fd/63 /dev/fd/62",
  ]],
  ["echo $(( (1<<3) + $(rm a | git b) )); ((i++)); for ((i=0;i<$(ls);i++)); do mv c; done", [
    "rm a",
    "git b",
    `echo ?"$(( (1<<3) + $(rm a | git b) ))"`,
    "ls",
    "mv c",
  ]],
  ["case x in a) rm a;; b) mv b;& *) git c;;& esac", ["rm a", "mv b", "git c"]],
  ["f() { rm $1; } > out; f /x", ["rm /x"]],
  [`[[ -f a && ( "$x" =~ ^[a-z]+(b|c)$ || $(id -u) -eq 0 ) ]] && rm b`, ["id -u", "rm b"]],
  [`bash <<< "rm -rf /"; cat <<<$(id)`, ["bash", "rm -rf /", "id", "cat"]],
  [`bash -c 'rm x && echo "it'\\''s"' arg0`, [
    `bash -c "rm x && echo \\"it's\\"" arg0`,
    "rm x",
    `echo "it's"`,
  ]],
  ["echo `rm \\`git a\\``", ["git a", 'rm ?"`git a`"', 'echo ?"`rm \\\\`git a\\\\``"']],
  ["rm a 2>&1 {fd}>x &>>y >|z 3<&- <in", ["rm a"]],
  [`FOO="$(rm a)" A[1]=x B+=(c "$(rm d)") git push --force`, ["rm a", "rm d", "git push --force"]],
  [
    "ls @(a|b) {x,y} ~ [ab]*",
    ["ls @(a|b) x y /home/dev [ab]*"].map((s) => s.replace("@(a|b)", '"@(a|b)"')),
  ],
  ["git push \\\n  --force # it's\nls", ["git push --force", "ls"]],
  ["! ( rm a ) & time -p { mv b; }; coproc W { git c; }", ["rm a", "mv b", "git c"]],
  ['echo ${x:-$(rm a)} ${y/$(rm b)/"$(rm c)"} ${arr[$(rm d)]} ${z:$(rm e):1}', [
    "rm a",
    "rm b",
    "rm c",
    "rm d",
    "rm e",
    `echo ?"\${x:-$(rm a)}" ?"\${y/$(rm b)/\\"$(rm c)\\"}" ?"\${arr[$(rm d)]}" ?"\${z:$(rm e):1}"`,
  ]],
  [`$'\\x72\\155' -rf /; \\rm a; /bin/r""m b`, ["rm -rf /", "rm a", "/bin/rm b"]],
  ["while read x; do rm $x; done < <(git log); until mv a; do break; done", [
    "git log",
    "read x",
    "rm ?$x",
    "mv a",
    "break",
  ]],
  ["echo if then fi do done case esac", ["echo if then fi do done case esac"]],
  ["x=$(case y in y) rm a;; esac)", ["rm a"]],
  ["echo 'naïve 你好 🚀'", [`echo "naïve 你好 🚀"`]],
  ["echo ${ rm a; } ${| rm b; }", ["rm a", "rm b", `echo ?"\${ rm a; }" ?"\${| rm b; }"`]],
  [`git -c alias.x='!sh -c "rm y"' x`, [
    `git -c "alias.x=!sh -c \\"rm y\\"" x`,
    `sh -c "rm y"`,
    "rm y",
  ]],
  ['export A=$(rm a); local -r c="$(rm b)"; declare -a d=($(rm c))', [
    "rm a",
    `export ?"A=$(rm a)"`,
    "rm b",
    `local -r ?"c=\\"$(rm b)\\""`,
    "rm c",
    `declare -a ?"d=($(rm c))"`,
  ]],
  ["$((rm x); true)", ["rm x", "true", '?"$((rm x); true)"']],
]; // deno-fmt-ignore

for (const [source, expected] of ROWS) {
  Deno.test(`finds every command of ${JSON.stringify(source).slice(0, 90)}`, () => {
    assert.deepEqual(argvs(read(source)), expected);
  });
}

/** Text that bash rejects, and text the parser misreads without saying so. */
const DOUBTED: readonly string[] = [
  `echo "open`,
  "if true; then rm a",
  "rm a )",
  `echo "$( rm a; ;; )"`,
  "rm a && && rm b",
  "echo $(rm a",
  "x=(a $(rm b))c",
  "declare -a d=($(rm b))c",
  "cat <(true)#; rm y",
  "echo +>(true)#; rm x",
  `cat <<E"a'b$(c "x'")c" && rm y`,
  `echo "\${arr[$(rm b)}]}"`,
  "echo $((rm x $(cat <<E\nit's\nE\n)))",
  "git push 3<&---force",
  "a[{x}>f for ..]= cmd",
  "echo $'a\\\nb'",
  "$'\\x{72}m' a",
  "$\\\n'\\x72m' a",
  `echo "${'"$('.repeat(1_000)}`,
  "ls *(e:'rm x':)",
  "echo ${(e)x}",
  "rm a${ b {}\nrm none",
];

for (const source of DOUBTED) {
  Deno.test(`doubts ${JSON.stringify(source).slice(0, 60)}`, () => {
    const reading = read(source);
    assert.ok(
      doubts(reading).some((kind) => /^(?:unreadable|bound)$/.test(kind)),
      JSON.stringify(reading.doubts),
    );
    assert.ok(reading.bareWords !== undefined);
  });
}

/** What agents write every day: read whole, no doubt of any kind. */
const DAILY: readonly string[] = [
  "git commit -m \"$(cat <<'EOF'\nfix: keep `plan` valid\n\nit's done (really)\nEOF\n)\"",
  "python3 - <<'PY'\nimport re\nprint(re.sub(r'`x`', '$(y)', \"it's\"))\nPY",
  "awk '{print $1}' access.log | sort | uniq -c | sort -rn | head -20",
  `jq -r '.items[] | select(.name == "x") | .id' data.json`,
  'for f in src/*.ts; do wc -l "$f"; done',
  "sed -n '1,200p' README.md | grep -n 'x$(y)'",
  "cd packages/app && npm ci && npm test -- --grep 'a b' 2>&1 | tail -50",
  "find . -name '*.ts' -not -path './node_modules/*' | xargs grep -l foo",
  "kubectl get pods -o jsonpath='{.items[*].metadata.name}'",
  "test -f .env && echo yes || echo no",
  "diff <(git show HEAD:a.txt) a.txt",
  'VERSION=$(jq -r .version package.json); echo "v$VERSION"',
  "curl -s https://api.example.test/v1 | jq '.[0]'",
  "cat > notes.md <<'EOF'\n# `rm -rf /` and $(danger)\nEOF",
  'docker run --rm -v "$PWD":/app -w /app node:20 npm test',
  "exec 3>&1; echo done >&3; exec 3>&-",
  'ls -la # later: rm -rf "build',
  'echo "$((1 + 2)) items in ${#files[@]}"',
];

for (const source of DAILY) {
  Deno.test(`reads without a doubt ${JSON.stringify(source).slice(0, 60)}`, () => {
    const reading = read(source);
    assert.deepEqual(reading.doubts, []);
    assert.equal(reading.bareWords, undefined);
  });
}
