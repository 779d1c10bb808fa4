/**
 * Asks the real bash what it runs: some 2,000 made-up snippets, each with nothing on its PATH and a hook
 * that logs every command bash looks for. What bash runs must be in the reading, or doubted.
 */
import assert from "node:assert/strict";
import { loadParser } from "../../src/shell/parse.ts";
import { readShell } from "../../src/shell/read.ts";
import type { Invocation } from "../../src/shell/reading.ts";

await loadParser();

const BASH = ["/bin/bash", "/usr/bin/bash"].find((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});

const SNIPPETS = 2_000;
const SEED = 20_261_201;

/** Valid snippets of every kind; no word holds a slash, so nothing but the hook can ever run. */
const SEEDS = [
  `rm a b`,
  `rm "a b" 'c d' e\\ f $'g\\th' "" ''`,
  `rm a; mv b c && git d || cp e`,
  `rm a | git b | cp c`,
  `(rm a; mv b) & git c`,
  `{ rm a; mv b; } >out 2>&1`,
  `if rm a; then mv b; elif git c; then cp d; else ls e; fi`,
  `for x in a b "c d"; do rm $x; mv "$x" z; done`,
  `for ((i=0; i<2; i++)); do rm a$i; done`,
  `while rm a; do mv b; break; done`,
  `until rm a; do mv b; break; done`,
  `case ab in a*) rm x;; b) mv y;& c) git z;;& *) cp w;; esac`,
  `f() { rm "$@"; mv $1 "$2"; }; f a "b c"; f d`,
  `function g { git "$*"; }; g a b`,
  `x=rm; $x a; "$x" b; \${x} c`,
  `x='rm -rf'; $x a; y=$x; $y b`,
  `x=a; x+=b; rm $x "\${x}c" \${x%b} \${x#a} \${x/a/z} \${#x} \${x^^}`,
  `v=1; rm \${u:-d} \${u-e} "\${v:+f}" \${u:=g} $u`,
  `IFS=,; x=rm,-rf,a; $x b; set -- c d; git "$*" $@`,
  `a=(rm -r "b c"); "\${a[@]}" d; \${a[0]} e; git "\${a[1]}"`,
  `rm $(echo a b) "$(echo c d)" \`echo e\``,
  `$(echo rm) a; $(printf '%s %s' mv b) c`,
  `echo $(rm a $(mv b)) "\`git c\`" >out`,
  `rm <(mv a) >(git b) `,
  `cat <<E; mv b\n$(rm a) text \`git c\`\nE`,
  `cat <<'E'\n$(rm a)\nE\nmv b`,
  `cat <<-E && rm a <<F | git z\n\tbody $(cp q)\n\tE\nmore\nF`,
  `read -r v w <<< "rm a b"; $v $w`,
  `eval "rm a; mv 'b c'"; eval rm d`,
  `! rm a; time rm b; time -p mv c`,
  `[[ -n a && ( "$x" == b* || $(rm q) ) ]] && mv b`,
  `((1+1)) && rm $((2)) a`,
  `rm {a,b}c x{1..3}y {a..c} {a} {} a{,b}`,
  `{rm,-rf,a}; r"m" a; r\\m b; 'r'm c; $'r\\x6d' d; "rm" e`,
  `rm a # mv b\n# git c\nmv d#e`,
  `rm a \\\n  b\\\nc; g\\\nit d`,
  `X=1 Y="2 3" rm a; Z=$(mv b) git c`,
  `export A=$(rm a) B=b; declare C=$(mv c); rm $B`,
  `set -- a "b c"; rm "$@" $# "$2"; shift; mv "$1"`,
  `coproc rm a; coproc W { mv b; }`,
  `select s in a; do rm $s; break; done <<< 1`,
  `trap 'rm a' EXIT; mv b`,
  `rm ~ ~root x=~ "~"`,
  `rm a >out 2>>log <in`,
  `command rm a; builtin echo b; command -v mv`,
  `rm "\${x:-$(mv a)}" \${y/$(git b)/c} "\${z:$(cp d):1}"`,
  `unset q; rm "\${q-$(mv z)}" $q; IFS=:; rm a`,
  `rm $'a\\nb' $"c" 'it'\\''s'`,
  `k=c; c=rm; \${!k} a`,
  `printf -v p %s rm; $p a; mapfile -t m <<< "mv"; "\${m[0]}" b`,
  `rm [ab]* ?x *.none`,
];

const TOKENS = [
  "rm",
  "git",
  "mv",
  "a",
  "b",
  ";",
  "&&",
  "||",
  "|",
  "&",
  "(",
  ")",
  "{",
  "}",
  "\n",
  " ",
  " ",
  "'",
  '"',
  "`",
  "$(",
  "${",
  "}",
  "$x",
  "$",
  "\\",
  "#",
  "<<E",
  "\nE\n",
  "<<<",
  ">",
  "<",
  ">out",
  "2>&1",
  "<(",
  ">(",
  "=",
  "x=",
  "x+=",
  "[",
  "]",
  "[[",
  "]]",
  "((",
  "))",
  "$((",
  "*",
  "?",
  "~",
  "!",
  ",",
  "if",
  "then",
  "fi",
  "for",
  "in",
  "do",
  "done",
  "case",
  "esac",
  "while",
  "function",
  "f()",
  "eval",
  "$'",
  '$"',
  ":-",
  "@",
  "%",
  "..",
  "-",
  "--",
  "1",
  "\t",
  "\\\n",
]; // deno-fmt-ignore

/** A small generator of repeatable chance. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

function snippet(random: (below: number) => number): string {
  const token = () => TOKENS[random(TOKENS.length)] ?? "";
  if (random(10) < 2) {
    return Array.from({ length: 2 + random(12) }, token).join(random(2) === 0 ? " " : "");
  }
  let text = SEEDS[random(SEEDS.length)] ?? "";
  if (random(3) === 0) text += `${random(2) === 0 ? "; " : "\n"}${SEEDS[random(SEEDS.length)]}`;
  for (let edits = random(4); edits > 0; edits--) {
    const at = random(text.length + 1);
    const kind = random(3);
    if (kind === 0) text = text.slice(0, at) + token() + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1 + random(3));
    else text = text.slice(0, at) + token() + text.slice(at + 1);
  }
  return text;
}

/** Logs the words of a command, and ends a shell that would go on for ever. */
const HOOK = `() {
  local __line __all
  printf -v __line '%q ' "$@"
  printf '%s\\n' "$__line" >> "$__LOG"
  mapfile -t __all < "$__LOG"
  if (( \${#__all[@]} > 80 )); then kill -9 $$; fi
  return 0
}`;

interface Oracle {
  run(text: string): string[][];
  readonly home: string;
  close(): void;
}

/** Throwaway directories in which bash runs snippets; nothing on its PATH can be found. */
function oracle(bash: string): Oracle {
  const root = Deno.makeTempDirSync();
  const home = `${root}/home`;
  let count = 0;
  return {
    home,
    run(text) {
      // What a snippet leaves running may still write: each has a log of its own.
      const log = `${root}/log${count++}`;
      Deno.mkdirSync(home, { recursive: true });
      Deno.writeTextFileSync(log, "");
      new Deno.Command(bash, {
        args: [
          "--norc",
          "--noprofile",
          "-c",
          `ulimit -t 2 -f 128 -u 400 2>/dev/null; eval "$__TEXT"`,
        ],
        cwd: home,
        clearEnv: true,
        env: {
          PATH: "/nonexistent",
          HOME: home,
          __LOG: log,
          __TEXT: text,
          "BASH_FUNC_command_not_found_handle%%": HOOK,
        },
        stdin: "null",
        stdout: "null",
        stderr: "null",
        signal: AbortSignal.timeout(3_000),
      }).outputSync();
      const lines = Deno.readTextFileSync(log).split("\n").filter((line) => line !== "");
      Deno.removeSync(home, { recursive: true });
      return lines.map(unquote);
    },
    close() {
      Deno.removeSync(root, { recursive: true });
    },
  };
}

/** Words as bash's `%q` writes them. */
function unquote(line: string): string[] {
  const words: string[] = [];
  const escapes: Record<string, string> = {
    n: "\n",
    t: "\t",
    r: "\r",
    E: "\x1b",
    a: "\x07",
    b: "\b",
    f: "\f",
    v: "\v",
  };
  for (const match of line.matchAll(/(?:\$'(?:\\[^]|[^'\\])*'|'[^']*'|\\[^]|[^\s\\'])+/g)) {
    words.push(
      match[0].replace(/\$'((?:\\[^]|[^'\\])*)'|'([^']*)'|\\([^])/g, (_, ansi, single, char) => {
        if (ansi === undefined) return single ?? char ?? "";
        return (ansi as string).replace(/\\(?:([0-7]{3})|([^]))/g, (_, octal, letter) => {
          return octal === undefined
            ? escapes[letter as string] ?? letter
            : String.fromCharCode(parseInt(octal, 8));
        });
      }),
    );
  }
  return words;
}

/** Numbers of descriptors are chance, and of users only the real one is known to be there. */
function same(value: string, argument: string | undefined): boolean {
  const plain = (text: string) => {
    return text.replace(/^\/dev\/fd\/\d+$/, "/dev/fd/").replace(/\r$/, "");
  };
  if (argument === undefined) return false;
  return plain(value) === plain(argument) ||
    argument.includes("~") && value.endsWith(argument.slice(argument.indexOf("~") + 1));
}

/** True where the invocation may have these words; words not known stand for any number. */
function mayBe(found: Invocation, argv: readonly string[]): boolean {
  const words = [found.program, ...found.args];
  const match = (w: number, a: number): boolean => {
    const word = words[w];
    if (word === undefined) return a === argv.length;
    if (word.value === undefined || word.glob) {
      for (let n = a; n <= argv.length; n++) if (match(w + 1, n)) return true;
      return false;
    }
    return same(word.value, argv[a]) && match(w + 1, a + 1);
  };
  return match(0, 0);
}

Deno.test({
  name: "what bash runs is read or doubted, in 2,000 made-up snippets",
  ignore: Deno.build.os !== "linux" || BASH === undefined,
  fn() {
    const random = chance(Number(Deno.env.get("ORACLE_SEED") ?? SEED));
    const count = Number(Deno.env.get("ORACLE_COUNT") ?? SNIPPETS);
    const bash = oracle(BASH ?? "");
    const missed: string[] = [];
    let ran = 0;
    try {
      for (let i = 0; i < count; i++) {
        const text = snippet(random);
        if (/\/|\bkill\b|\bexec\b/.test(text)) continue;
        const logged = bash.run(text);
        if (logged.length > 0) ran++;
        const reading = readShell(text, { cwd: bash.home, home: bash.home });
        if (reading.doubts.length > 0) continue;
        for (const argv of logged) {
          if (
            argv.length === 0 || argv[0] === "" ||
            reading.invocations.some((found) => mayBe(found, argv))
          ) {
            continue;
          }
          // A file that is not there fails the command, and its output is then empty.
          const fails = /<[^<(&]/.test(text) &&
            reading.invocations.some((found) => found.name === argv[0]);
          if (fails) continue;
          missed.push(`${JSON.stringify(text)} ran ${JSON.stringify(argv)}`);
          break;
        }
      }
    } finally {
      bash.close();
    }
    assert.ok(ran > count / 4, `bash ran something in only ${ran} of ${count} snippets`);
    assert.deepEqual(missed, []);
  },
});
