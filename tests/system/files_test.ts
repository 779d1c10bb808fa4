/** The file system as gitvow sees it: what can be read, what is refused and why, whole writes. */
import assert from "node:assert/strict";
import { denoSystem } from "../../src/system/deno.ts";
import { keepRuntime, linkOrCopy } from "../../src/system/keep.ts";
import { after } from "../../src/system/timer.ts";
import { fromFileUrl } from "../support/urls.ts";

const { files } = denoSystem();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Runs `body` with an empty folder, removed afterwards. */
async function inFolder(body: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "gitvow-files-" }));
  try {
    await body(folder);
  } finally {
    new Deno.Command("chmod", { args: ["-R", "u+rwx", folder] }).outputSync();
    Deno.removeSync(folder, { recursive: true });
  }
}

function why(path: string, limit = 100): string {
  const read = files.read(path, limit);
  return read.kind === "unreadable" ? read.why : read.kind;
}

Deno.test("a file is read whole up to its limit, and not at all past it", () =>
  inFolder((folder) => {
    const path = `${folder}/a`;
    for (const size of [0, 1, 99, 100, 16 * 1024, 16 * 1024 + 1, 100_000]) {
      const bytes = crypto.getRandomValues(new Uint8Array(Math.min(size, 60_000)));
      const content = new Uint8Array(size);
      content.set(bytes);
      Deno.writeFileSync(path, content);
      const read = files.read(path, size);
      assert.ok(read.kind === "read");
      assert.deepEqual(read.bytes, content);
      if (size > 0) assert.equal(why(path, size - 1), `it is larger than ${size - 1} bytes`);
    }
  }));

Deno.test("what cannot be read says why, and only what is not there is missing", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "x");
    Deno.symlinkSync("file", `${folder}/link`);
    Deno.symlinkSync("none", `${folder}/dangling`);
    Deno.symlinkSync("none", `${folder}/dangling-folder`);
    Deno.symlinkSync("loop", `${folder}/loop`);
    Deno.symlinkSync("/dev/zero", `${folder}/zero`);
    new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).outputSync();
    const rows: readonly [string, RegExp][] = [
      ["file", /^read$/],
      ["link", /^read$/],
      ["none", /^missing$/],
      ["none/below", /^missing$/],
      ["", /^it is a directory$/],
      ["file/below", /^a folder on the way to it is a file$/],
      ["dangling", /^dangling is a link to nothing$/],
      ["dangling-folder/policy.json", /^dangling-folder is a link to nothing$/],
      ["loop", /loop/],
      ["pipe", /^it is not a plain file$/],
      ["zero", /^it is not a plain file$/],
    ];
    for (const [name, expected] of rows) assert.match(why(`${folder}/${name}`), expected, name);
  }));

Deno.test(
  "a file without permission is unreadable",
  { ignore: Deno.uid() === 0 },
  () =>
    inFolder((folder) => {
      Deno.writeTextFileSync(`${folder}/secret`, "x", { mode: 0 });
      assert.equal(why(`${folder}/secret`), "permission denied");
    }),
);

Deno.test("looking follows no final link, and never throws", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "abc", { mode: 0o640 });
    Deno.linkSync(`${folder}/file`, `${folder}/second`);
    Deno.symlinkSync("file", `${folder}/link`);
    Deno.symlinkSync(".", `${folder}/here`);
    const info = files.lookAt(`${folder}/file`);
    assert.deepEqual(
      [info?.kind, info?.size, (info?.mode ?? 0) & 0o777, info?.links],
      ["file", 3, 0o640, 2],
    );
    const kinds = ["link", "here", "", "none", "file/below"].map((name) =>
      files.lookAt(`${folder}/${name}`)?.kind
    );
    assert.deepEqual(kinds, ["symlink", "symlink", "directory", undefined, undefined]);
    assert.equal(files.isDirectory(`${folder}/here`), true);
    assert.equal(files.isDirectory(`${folder}/file`), false);
    assert.equal(files.isDirectory(`${folder}/none`), false);
    assert.equal(files.realPath(`${folder}/here/link`), `${folder}/file`);
    assert.equal(files.realPath(`${folder}/none`), undefined);
    assert.equal(files.readLink(`${folder}/link`), "file");
    assert.equal(files.readLink(`${folder}/file`), undefined);
    assert.deepEqual(files.list(folder), ["file", "here", "link", "second"]);
    assert.deepEqual(files.list(`${folder}/none`), []);
    assert.deepEqual(files.list(`${folder}/file`), []);
  }));

Deno.test("a whole write replaces the file, sets its mode and leaves nothing beside it", () =>
  inFolder((folder) => {
    const path = `${folder}/a`;
    for (const [text, mode] of [["one", 0o600], ["", 0o644], ["three", 0o755]] as const) {
      files.writeAtomic(path, encoder.encode(text), mode);
      assert.equal(Deno.readTextFileSync(path), text);
      assert.equal((Deno.statSync(path).mode ?? 0) & 0o7777, mode);
      assert.deepEqual(files.list(folder), ["a"]);
    }
    Deno.linkSync(path, `${folder}/b`);
    files.writeAtomic(path, encoder.encode("four"), 0o600);
    assert.equal(Deno.readTextFileSync(`${folder}/b`), "three");
  }));

Deno.test("a write that fails leaves the old content and no temporary file", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/taken/full`, { recursive: true });
    assert.throws(() => files.writeAtomic(`${folder}/taken`, encoder.encode("x"), 0o600));
    assert.throws(() => files.writeAtomic(`${folder}/none/a`, encoder.encode("x"), 0o600));
    assert.deepEqual(files.list(folder), ["taken"]);
  }));

Deno.test("a writer killed at any moment leaves one whole content", () =>
  inFolder(async (folder) => {
    const path = `${folder}/a`;
    Deno.writeTextFileSync(path, "-".repeat(200_000));
    const script = fromFileUrl(new URL("./write_child.ts", import.meta.url));
    for (const [round, letter] of [..."abcdefgh"].entries()) {
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", script, path, letter],
        stdout: "null",
        stderr: "null",
      }).spawn();
      for (let waits = 0; waits < 2000; waits++) {
        if (Deno.readTextFileSync(path).startsWith(letter)) break;
        await after(5);
      }
      await after(round * 3);
      child.kill("SIGKILL");
      await child.status;
      assert.equal(Deno.readTextFileSync(path), letter.repeat(200_000));
    }
  }));

Deno.test("exactly one of two removers is told that it removed", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/a`, "x");
    assert.deepEqual([files.remove(`${folder}/a`), files.remove(`${folder}/a`)], [true, false]);
    Deno.mkdirSync(`${folder}/d/below`, { recursive: true });
    assert.throws(() => files.remove(`${folder}/d`));
    Deno.symlinkSync(`${folder}/d`, `${folder}/link`);
    files.removeTree(`${folder}/link`);
    assert.deepEqual(files.list(folder), ["d"]);
    files.removeTree(`${folder}/d`);
    files.removeTree(`${folder}/d`);
    assert.deepEqual(files.list(folder), []);
  }));

Deno.test("new folders get the mode asked for, old ones keep theirs", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/old`, { mode: 0o755 });
    files.makeDirectory(`${folder}/old/new/deeper`, 0o700);
    const mode = (path: string) => (Deno.statSync(`${folder}/${path}`).mode ?? 0) & 0o777;
    assert.deepEqual(["old", "old/new", "old/new/deeper"].map(mode), [0o755, 0o700, 0o700]);
    files.makeDirectory(`${folder}/old`, 0o700);
    assert.equal(mode("old"), 0o755);
  }));

Deno.test("a runtime in a cache is kept beside the program, one elsewhere is used where it is", () =>
  inFolder((folder) => {
    const kept = `${folder}/kept`;
    Deno.mkdirSync(kept);
    for (const cache of ["node_modules/x", ".npm/_npx/1", ".cache/deno", "Caches/x"]) {
      Deno.mkdirSync(`${folder}/${cache}`, { recursive: true });
      Deno.writeTextFileSync(`${folder}/${cache}/deno`, cache);
      assert.equal(keepRuntime(`${folder}/${cache}/deno`, kept), `${kept}/deno`);
      assert.equal(Deno.readTextFileSync(`${kept}/deno`), cache);
      Deno.removeSync(`${folder}/${cache}/deno`);
      assert.equal(Deno.readTextFileSync(`${kept}/deno`), cache);
    }
    assert.deepEqual(files.list(kept), ["deno"]);
  }));

Deno.test("linking a program replaces the one that is there, and can be done twice", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/from`, "new", { mode: 0o755 });
    Deno.writeTextFileSync(`${folder}/to`, "old");
    linkOrCopy(`${folder}/from`, `${folder}/to`);
    linkOrCopy(`${folder}/from`, `${folder}/to`);
    assert.equal(decoder.decode(Deno.readFileSync(`${folder}/to`)), "new");
    assert.equal((Deno.statSync(`${folder}/to`).mode ?? 0) & 0o111, 0o111);
    assert.deepEqual(files.list(folder), ["from", "to"]);
  }));

Deno.test("waiting takes about as long as said", async () => {
  const started = performance.now();
  await after(30);
  const ms = performance.now() - started;
  assert.ok(ms >= 25 && ms < 2000, `${ms}`);
});
