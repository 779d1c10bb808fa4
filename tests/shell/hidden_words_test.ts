/**
 * Words that a wildcard or an empty variable hides: what they come to is read, or is doubted.
 */
import assert from "node:assert/strict";
import { argvs, doubts, read, uses } from "./reading.ts";

/** Source, an invocation that must be found, and the doubts. */
const HIDDEN: readonly (readonly [string, string, readonly string[]])[] = [
  ["/bin/r? -rf /x", "/bin/r? -rf /x", ["unread code"]],
  ["/usr/bin/gi? push -f", "/usr/bin/gi? push -f", ["unread code"]],
  ["git p?sh -f", "git p?sh -f", ["unread code"]],
  ["git push --forc?", "git push --forc?", ["unread code"]],
  ["git pus[h] -f", "git push -f", []],
  ["r${x}m -rf /x", "rm -rf /x", ["unread code"]],
  ["r$@m -rf /x", "rm -rf /x", ["unread code"]],
  ["r${Z:+x}m -rf /x", "rm -rf /x", ["unread code"]],
  ["${0:0:0}rm -rf /x", "rm -rf /x", ["unread code"]],
  ["git pu${x}sh -f", "git push -f", []],
  ["git push --for${x}ce", "git push --force", []],
  ["git push -${x}f", "git push -f", []],
  ["git reset $x--hard", "git reset --hard", []],
  ["git${x}vow approve X", "gitvow approve X", ["unread code"]],
]; // deno-fmt-ignore

for (const [source, command, expected] of HIDDEN) {
  Deno.test(`sees through ${source}`, () => {
    const reading = read(source);
    assert.ok(argvs(reading).includes(command), JSON.stringify(argvs(reading)));
    assert.deepEqual(doubts(reading), expected);
  });
}

for (const source of ["/???/rm -rf /x", "/b*/rm -rf /x", "r[m] -rf /x", "/bin/r[m] -rf /x"]) {
  Deno.test(`takes ${source} for rm`, () => {
    assert.deepEqual(read(source).invocations.map(({ name }) => name), ["rm"]);
    assert.deepEqual(uses(read(source)), ["delete* /x"]);
  });
}

for (
  const [source, use] of [
    ["cat ~/.ss${x}h/id_rsa", "read /home/dev/.ssh/id_rsa"],
    ["echo a > ~/.git${x}vow/policy.json", "write /home/dev/.gitvow/policy.json"],
  ] as const
) {
  Deno.test(`sees the path in ${source}`, () => assert.ok(uses(read(source)).includes(use)));
}

/** What is no hiding: one invocation, no doubt but for a program that is a variable. */
const OPEN: readonly (readonly [string, readonly string[]])[] = [
  ['rm -rf "$DIR"/x', []],
  ["rm -rf $BUILD/tmp", []],
  ["grep -r --include=*.ts foo src", []],
  ["rg -g*.ts foo", []],
  ["git add src/*.ts", []],
  ["git log -- *.md", []],
  ["docker run --name=$N -v $PWD:/app img", []],
  ["$VENV/bin/python x.py", []],
  ["$TOOLS/$NAME x", ["indirect"]],
  ['"$BIN" x', ["indirect"]],
]; // deno-fmt-ignore

for (const [source, expected] of OPEN) {
  Deno.test(`reads once ${source}`, () => {
    assert.equal(read(source).invocations.length, 1);
    assert.deepEqual(doubts(read(source)), expected);
  });
}
