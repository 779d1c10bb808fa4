/**
 * What words come to: quotes, expansions, braces, variables, splitting.
 */
import assert from "node:assert/strict";
import { argvs, read, uses } from "./reading.ts";

/** Source, then the words of its last invocation. */
const ROWS: readonly (readonly [string, string])[] = [
  [
    'rm -rf $HOME/x ${HOME} "$HOME" ~ ~/a ~dev/b ~root',
    "rm -rf /home/dev/x /home/dev /home/dev /home/dev /home/dev/a /home/dev/b /root",
  ],
  ["rm '~' \\~ \"~/x\"", "rm ~ ~ ~/x"],
  ["rm $PWD/x", "rm /home/dev/shop/x"],
  ["cd /tmp; rm $PWD/x $OLDPWD/y", "rm /tmp/x /home/dev/shop/y"],
  ["X='rm -rf'; $X /", "rm -rf /"],
  ["X=rm; Y=-rf; $X $Y /", "rm -rf /"],
  ["X=a; X+=b; rm $X", "rm ab"],
  ["c=rm; k=c; ${!k} x", "rm x"],
  ["rm ${X:-lit} ${X-lit2} ${Y:=made} $Y", "rm lit lit2 made made"],
  [
    "X=/a/b.txt; rm ${X%.*} ${X##*/} ${X#/} ${X/b/c} ${X:0:2} ${X^^} ${#X}",
    "rm /a/b b.txt a/b.txt /a/c.txt /a /A/B.TXT 8",
  ],
  ['X=; rm ${X:-d} "${X-d}"', 'rm d ""'],
  ["cat${IFS}x", "cat x"],
  ["cat${IFS:0:1}${HOME}/x", "cat /home/dev/x"],
  ["IFS=,; X=rm,-rf,/; $X", "rm -rf /"],
  ["IFS=, read -r a b <<< 'rm,/x'; $a $b", "rm /x"],
  ["read -r T <<< rm; $T x", "rm x"],
  ["$(echo rm) $(printf '%s/%s' a b)", "rm a/b"],
  ["$(echo cm0= | base64 -d) x", "rm x"],
  ["$(echo mr | rev) x", "rm x"],
  ["$(echo SN | tr SN rm) x", "rm x"],
  ["$(which rm) x", "rm x"],
  ["rm $(command -v ./tool)", "rm ./tool"],
  ["rm $(mktemp)", "rm /tmp/tmp.XXXXXXXXXX"],
  ["rm -r $(mktemp -d)/../x", "rm -r /tmp/tmp.XXXXXXXXXX/../x"],
  ["rm $(mktemp -d -p ~)/../x", "rm /home/dev/tmp.XXXXXXXXXX/../x"],
  ["rm $(mktemp -dp ~ a.XXX)/../x", "rm /home/dev/a.XXX/../x"],
  ["rm $(mktemp -p/srv)", "rm /srv/tmp.XXXXXXXXXX"],
  ["rm $(mktemp --tmpdir=/srv a.XXX)", "rm /srv/a.XXX"],
  ["rm $(mktemp --tmpdir a.XXX)", "rm /tmp/a.XXX"],
  ["rm $(mktemp -dt a.XXX)", "rm /tmp/a.XXX"],
  ["rm $(mktemp --suffix=.c)", "rm /tmp/tmp.XXXXXXXXXX.c"],
  ["rm $(mktemp ~/a.XXX)/../x", "rm /home/dev/a.XXX/../x"],
  ["rm $(TMPDIR=~ mktemp -d)/../x", "rm /home/dev/tmp.XXXXXXXXXX/../x"],
  ["export TMPDIR=/srv; rm $(mktemp)", "rm /srv/tmp.XXXXXXXXXX"],
  ["rm $(mktemp -p $D)/../x", 'rm ?"$(mktemp -p $D)/../x"'],
  ["rm $(mktemp --other)", 'rm ?"$(mktemp --other)"'],
  ["rm $(pwd)/x", "rm /home/dev/shop/x"],
  ["rm $(basename /a/b.c .c) $(dirname /a/b)", "rm b /a"],
  ["{rm,-rf,/x}", "rm -rf /x"],
  ["rm a{b,c}d {1..3} {a,b}{c,d} '{x,y}'", "rm abd acd 1 2 3 ac ad bc bd {x,y}"],
  ["a=(rm -r 'b c'); \"${a[@]}\"", 'rm -r "b c"'],
  ['set -- rm /x; "$@"', "rm /x"],
  ["set -- $U a rm; $2 x", "?a x"],
  ['set -- "$U" rm; $2 x', "rm x"],
  ["f() { git push $2; }; f $U --force", "git push ?--force"],
  ['rm "$UNKNOWN"/x', "rm ?$UNKNOWN/x"],
  ["unset D; rm ${D-/}*", "rm /*"],
  ["echo ok\r\nrm -rf /home \r\n", "rm -rf /home"],
  ["rm a\\\n  b", "rm a b"],
  ["rm x=~/y --out=~/z", "rm x=/home/dev/y --out=/home/dev/z"],
  ["rm $'\\x61\\142\\u0063' $\"d\"", "rm abc d"],
  ["printf -v p %s rm; $p x", "rm x"],
  ["/usr/../bin/./rm x", "/usr/../bin/./rm x"],
  ["rm $(< list)", 'rm ?"$(< list)"'],
  ["echo a b > list; rm $(< list)", "rm a b"],
]; // deno-fmt-ignore

for (const [source, expected] of ROWS) {
  Deno.test(`words of ${JSON.stringify(source)}`, () => {
    assert.equal(argvs(read(source)).at(-1), expected);
  });
}

Deno.test("a loop's variable takes each value", () => {
  assert.deepEqual(argvs(read("for f in a 'b c'; do rm \"$f\"; done")), ["rm a", 'rm "b c"']);
});

Deno.test("a variable set on one path only keeps both values", () => {
  assert.deepEqual(argvs(read("D=/tmp/x; if true; then D=/; fi; rm -rf $D")).slice(1), [
    "rm -rf /tmp/x",
    "rm -rf /",
  ]);
  assert.deepEqual(argvs(read("D=/; false && D=/tmp/a; rm -rf $D")).slice(1), [
    "rm -rf /tmp/a",
    "rm -rf /",
  ]);
});

Deno.test("what a subshell sets stays in it", () => {
  assert.deepEqual(argvs(read("X=a; (X=b; rm $X); rm $X")), ["rm b", "rm a"]);
  assert.deepEqual(uses(read("(cd /tmp; rm x); rm y")), [
    "delete /tmp/x",
    "delete /home/dev/shop/y",
  ]);
});

Deno.test("functions get their arguments, and are no programs", () => {
  assert.deepEqual(argvs(read('f() { rm -rf "$@" $2; }; f /a /b')), ["rm -rf /a /b /b"]);
  assert.deepEqual(argvs(read('f() { rm "$1"; }')), ["rm ?$1"]);
  assert.deepEqual(read("f() { git x; }; f").invocations[0]?.via, ["function f"]);
});
