/**
 * Which files a command reads, writes and deletes.
 */
import assert from "node:assert/strict";
import { read, uses } from "./reading.ts";

const S = "/home/dev/shop";

const ROWS: readonly (readonly [string, readonly string[]])[] = [
  ["echo x > a", [`write ${S}/a`]],
  ["echo x >> ~/.bashrc", ["write /home/dev/.bashrc"]],
  ["> .env", [`write ${S}/.env`]],
  ["cat a >| b 2>/dev/null", [`write ${S}/b`, `read ${S}/a`]],
  ["printf x 1<> a; ls &> log; wc < in", [`write ${S}/a`, `write ${S}/log`, `read ${S}/in`]],
  ["ls >&2 2>&1 3>&-", []],
  ["ls | tee -a a b", [`write ${S}/a`, `write ${S}/b`]],
  ["sed -i s/a/b/ f", [`write ${S}/f`]],
  ["sed -i.bak -e s/a/b/ f g", [`write ${S}/f`, `write ${S}/g`]],
  ["sed s/a/b/ f", [`read ${S}/f`]],
  ["sed -n '1w out' f", [`read ${S}/f`, `write ${S}/out`]],
  ["perl -pi -e s/a/b/ f", [`write ${S}/f`]],
  ["cp a b.txt", [`read ${S}/a`, `write ${S}/b.txt`]],
  ["cp -t d a b", [
    `write* ${S}/d`,
    `read ${S}/a`,
    `write ${S}/d/a`,
    `read ${S}/b`,
    `write ${S}/d/b`,
  ]],
  ["cp k ~/.ssh/", [`read ${S}/k`, "write /home/dev/.ssh", "write /home/dev/.ssh/k"]],
  ["mv a b.txt", [`delete ${S}/a`, `write ${S}/b.txt`]],
  ["rsync -a --delete a/ h:b/", [`read* ${S}/a`]],
  ["ln -s ~/.ssh/config c.txt; echo >> c.txt", [`write ${S}/c.txt`, "write /home/dev/.ssh/config"]],
  ["rm -rf a b", [`delete* ${S}/a`, `delete* ${S}/b`]],
  ["rm -- -x", [`delete ${S}/-x`]],
  ["rmdir a; unlink b; shred -u c; truncate -s 0 d", [
    `delete ${S}/a`,
    `delete ${S}/b`,
    `delete ${S}/c`,
    `write ${S}/d`,
  ]],
  ["dd if=/dev/zero of=/dev/sda", ["write /dev/sda"]],
  ["sort a -o b", [`write ${S}/b`, `read ${S}/a`]],
  ["git checkout -- a", [`write* ${S}/a`]],
  ["git -C sub rm -r x", [`delete* ${S}/sub/x`]],
  ["git clean -fd", [`delete* ${S}`]],
  ["git show HEAD:.env", [`read ${S}/.env`]],
  ["git diff --no-index /dev/null .env", [`read ${S}/.env`]],
  ["tar xf a.tar -C out", [`read ${S}/a.tar`, `write* ${S}/out`]],
  ["tar czf a.tgz src", [`write ${S}/a.tgz`, `read* ${S}/src`]],
  ["unzip a.zip -d out", [`write* ${S}/out`, `read ${S}/a.zip`]],
  ["curl -o a -T b -d @c http://x.test", [`write ${S}/a`, `read ${S}/b`, `read ${S}/c`]],
  ["curl -O http://x.test/dir/f.sh?x=1", [`write ${S}/f.sh`]],
  ["wget -O out http://x.test", [`write ${S}/out`]],
  ["chmod -R 777 /etc; chmod -x a; chown u b; touch c; mkdir -p d", [
    "write* /etc",
    `write ${S}/a`,
    `write ${S}/b`,
    `write ${S}/c`,
    `write ${S}/d`,
  ]],
  ["cat a; head -n 5 b; tail -3 c; less d", [
    `read ${S}/a`,
    `read ${S}/b`,
    `read ${S}/c`,
    `read ${S}/d`,
  ]],
  ["grep -E x .env; rg -n y src; grep -e x -r dir", [
    `read ${S}/.env`,
    `read* ${S}/src`,
    `read* ${S}/dir`,
  ]],
  ["base64 a; xxd b; jq .x c; awk '{print}' d", [
    `read ${S}/a`,
    `read ${S}/b`,
    `read ${S}/c`,
    `read ${S}/d`,
  ]],
  ["find src -name '*.o' -delete", [`delete* ${S}/src/**/*.o`]],
  ["find / -delete", ["delete* /"]],
  ["cd / && rm -rf *", ["delete* /*"]],
  ["cd $X && rm -rf y", ["delete* elsewhere y"]],
  ['rm -rf "$X"', ["delete* ?$X"]],
  ["ssh h 'rm /x'", ["delete elsewhere /x"]],
  ["rm 'C:\\x\\y'", ["delete C:/x/y"]],
  ["python3 -c \"import shutil; shutil.rmtree('/a')\"", ["delete* /a"]],
  ['python3 -c "import os\nos.remove(p)"', ["delete ?p"]],
  ["python3 -c \"open('a','w').write('x'); open('b').read()\"", [`write ${S}/a`, `read ${S}/b`]],
  ["python3 -c \"from pathlib import Path; Path('a').unlink(); Path('b').write_text('')\"", [
    `delete ${S}/a`,
    `write ${S}/b`,
  ]],
  ["node -e \"require('fs').rmSync('/a',{recursive:true})\"", ["delete* /a"]],
  ["node -e \"const fs=require('fs'); fs.writeFileSync('a','x'); fs.readFileSync('b')\"", [
    `write ${S}/a`,
    `read ${S}/b`,
  ]],
  ["deno eval \"Deno.removeSync('/a')\"", ["delete* /a"]],
  ['perl -e \'unlink "/a"; open(F, ">", "b")\'', ["delete /a", `write ${S}/b`]],
  ["ruby -rfileutils -e 'FileUtils.rm_rf(Dir.home)'", ["delete* /home/dev"]],
  ['php -r \'unlink("/a"); file_put_contents("b", "");\'', ["delete /a", `write ${S}/b`]],
  ["docker run -v /:/host img ls", ["write* /"]],
  ["patch a < fix.diff", [`read ${S}/fix.diff`, `write ${S}/a`]],
]; // deno-fmt-ignore

for (const [source, expected] of ROWS) {
  Deno.test(`files of ${JSON.stringify(source)}`, () => {
    assert.deepEqual(uses(read(source)), expected);
  });
}
