/** Appending: parallel writers lose nothing, and whatever goes wrong leaves whole lines. */
import assert from "node:assert/strict";
import { Failure } from "../../src/domain/failure.ts";
import { appendLine, type AppendTarget, writeWhole } from "../../src/system/append.ts";

const CHILD = new URL("./append_child.ts", import.meta.url).pathname;

function withDirectory<T>(use: (directory: string) => T): T {
  const directory = Deno.makeTempDirSync();
  const clean = () => Deno.removeSync(directory, { recursive: true });
  const result = use(directory);
  if (result instanceof Promise) return result.finally(clean) as T;
  clean();
  return result;
}

function start(path: string, name: string, ...rest: string[]): Deno.ChildProcess {
  const args = ["run", "-A", "--no-lock", CHILD, path, name, ...rest];
  return new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "inherit" }).spawn();
}

function linesOf(path: string): unknown[] {
  const text = Deno.readTextFileSync(path);
  assert.ok(text.endsWith("\n"));
  return text.slice(0, -1).split("\n").map((line) => JSON.parse(line));
}

Deno.test("a line is appended with one line end, to a file of the given mode", () => {
  withDirectory((directory) => {
    const path = `${directory}/a`;
    appendLine(path, "one", 0o600);
    appendLine(path, "two\nlines\r\n", 0o600);
    assert.equal(Deno.readTextFileSync(path), "one\ntwo lines \n");
    if (Deno.build.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  });
});

Deno.test("a line torn by an earlier crash is ended first", () => {
  withDirectory((directory) => {
    const path = `${directory}/a`;
    Deno.writeTextFileSync(path, '{"torn":');
    appendLine(path, "{}", 0o600);
    assert.equal(Deno.readTextFileSync(path), '{"torn":\n{}\n');
  });
});

Deno.test("a link, a directory and a device are refused and stay as they were", () => {
  withDirectory((directory) => {
    Deno.writeTextFileSync(`${directory}/target`, "kept");
    Deno.symlinkSync(`${directory}/target`, `${directory}/link`);
    Deno.symlinkSync(`${directory}/nothing`, `${directory}/dangling`);
    Deno.mkdirSync(`${directory}/folder`);
    for (const name of ["link", "dangling", "folder"]) {
      assert.throws(() => appendLine(`${directory}/${name}`, "x", 0o600), Failure, name);
    }
    assert.throws(() => appendLine("/dev/null", "x", 0o600), Failure);
    assert.equal(Deno.readTextFileSync(`${directory}/target`), "kept");
    assert.throws(() => Deno.lstatSync(`${directory}/nothing`), Deno.errors.NotFound);
  });
});

Deno.test("40 processes with a line each and 4 with 200 lines lose nothing", async () => {
  await withDirectory(async (directory) => {
    const path = `${directory}/a`;
    const many = ["a", "b", "c", "d"].map((name) => start(path, name, "200"));
    const single = Array.from({ length: 40 }, (_, i) => start(path, `s${i}`, "1"));
    for (const child of [...many, ...single]) assert.ok((await child.status).success);
    const lines = linesOf(path) as { name: string; i: number }[];
    assert.equal(lines.length, 840);
    assert.equal(new Set(lines.map(({ name, i }) => `${name} ${i}`)).size, 840);
  });
});

Deno.test("a process killed at any moment leaves whole lines, and the next line follows", async () => {
  await withDirectory(async (directory) => {
    const path = `${directory}/a`;
    for (let round = 0; round < 4; round++) {
      const child = start(path, `r${round}`, "0", "endless");
      const before = size(path);
      while (size(path) < before + 20_000) await new Promise((done) => setTimeout(done, 3));
      child.kill("SIGKILL");
      await child.status;
      appendLine(path, JSON.stringify({ name: "after", i: round }), 0o600);
    }
    const lines = linesOf(path) as { name: string }[];
    assert.equal(lines.filter(({ name }) => name === "after").length, 4);
  });
});

Deno.test("a lock that is never given back delays a line by two seconds and no longer", () => {
  withDirectory((directory) => {
    const path = `${directory}/a`;
    appendLine(path, "one", 0o600);
    const holder = Deno.openSync(path, { read: true, write: true });
    holder.lockSync(true);
    const began = performance.now();
    appendLine(path, "two", 0o600);
    const ms = performance.now() - began;
    holder.close();
    assert.ok(ms >= 1900 && ms < 3000, `${ms} ms`);
    assert.equal(Deno.readTextFileSync(path), "one\ntwo\n");
  });
});

/** A file in memory on which `room` more bytes fit; `intrude` is added by another after a write. */
class SmallDisk implements AppendTarget {
  text: string;
  constructor(text: string, private room: number, private readonly intrude = "") {
    this.text = text;
  }
  writeSync(bytes: Uint8Array): number {
    if (this.room === 0) throw new Error("No space left on device");
    const written = Math.min(bytes.length, this.room);
    this.text += new TextDecoder().decode(bytes.subarray(0, written)) + this.intrude;
    this.room -= written;
    return written;
  }
  truncateSync(length = 0): void {
    this.text = this.text.slice(0, length);
  }
  readSync(bytes: Uint8Array): number {
    bytes[0] = this.text.charCodeAt(this.text.length - 1);
    return 1;
  }
  seekSync(): number {
    return 0;
  }
  statSync(): { size: number } {
    return { size: this.text.length };
  }
}

Deno.test("a line that the disk takes in part is taken back, unless another's line follows it", () => {
  for (const locked of [true, false]) {
    for (const room of [0, 1, 3]) {
      const disk = new SmallDisk("one\n", room);
      assert.throws(() => writeWhole(disk, "two", locked), Failure);
      assert.equal(disk.text, "one\n", `${room} bytes of room`);
    }
  }
  const shared = new SmallDisk("one\n", 2, "\nthree\n");
  assert.throws(() => writeWhole(shared, "two", false), Failure);
  assert.equal(shared.text, "one\ntw\nthree\n");
});

/** Mounts a file system of 64 KiB at `path`; false where this user or system cannot. */
function mountSmall(path: string): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    const args = ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path];
    return new Deno.Command("mount", { args, stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test("a full disk refuses the line and keeps the lines before it whole", async (t) => {
  await withDirectory(async (directory) => {
    const mounted = mountSmall(directory);
    await t.step({
      name: "on a file system of 64 KiB",
      ignore: !mounted,
      fn() {
        const path = `${directory}/a`;
        const line = JSON.stringify({ fill: "x".repeat(1000) });
        assert.throws(() => {
          for (let i = 0; i < 100; i++) appendLine(path, line, 0o600);
        }, (thrown: unknown) => thrown instanceof Failure && /Cannot write/.test(thrown.message));
        const whole = linesOf(path).length;
        assert.ok(whole >= 40 && whole < 100);
        appendLineFails(path, line);
        assert.equal(linesOf(path).length, whole);
      },
    });
    if (mounted) new Deno.Command("umount", { args: [directory] }).outputSync();
  });
});

function appendLineFails(path: string, line: string): void {
  assert.throws(() => appendLine(path, line, 0o600), Failure);
}

Deno.test("a line takes less than a millisecond", () => {
  withDirectory((directory) => {
    const path = `${directory}/a`;
    const line = JSON.stringify({ fill: "x".repeat(800) });
    const times = Array.from({ length: 200 }, () => {
      const began = performance.now();
      appendLine(path, line, 0o600);
      return performance.now() - began;
    }).sort((a, b) => a - b);
    assert.ok((times[100] ?? 0) < 1, `median ${times[100]} ms, first ${times[199]} ms`);
  });
});

function size(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return 0;
  }
}
