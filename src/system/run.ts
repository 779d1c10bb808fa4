/**
 * Runs one child process without a shell, within a time and an amount of output.
 *
 * The child leads a process group of its own, so that everything it started can be killed with it,
 * and its pipes are let go when the answer is known, so that nothing it left behind delays that.
 */
import type { RunOutcome, RunRequest } from "./system.ts";

/** Bytes of standard error kept: the last ones, where programs say why they gave up. */
const STDERR_KEPT = 64 * 1024;

/** Milliseconds that output may still arrive after the child has exited. */
const DRAIN_MS = 50;

/** Milliseconds to wait for a killed child to be reaped. */
const REAP_MS = 20;

/** The longest delay a timer takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const WINDOWS = Deno.build.os === "windows";

/** A promise resolved by a timer that can be stopped. */
function timer<T>(ms: number, value: T): { readonly fired: Promise<T>; readonly stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  const id = setTimeout(() => resolve(value), Math.min(ms, LONGEST_TIMER_MS));
  return { fired: promise, stop: () => clearTimeout(id) };
}

/** Gives each chunk of a pipe to `take` until the end, an error, or `take` says false. */
async function drain(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  take: (chunk: Uint8Array) => boolean,
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !take(value)) return;
    }
  } catch {
    // The pipe broke or was let go: what came before is what there is.
  }
}

/** Writes the child's standard input; a child that does not read it is none of our concern. */
async function feed(writer: WritableStreamDefaultWriter<Uint8Array>, text: string): Promise<void> {
  try {
    if (text !== "") await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The child closed its standard input or is gone.
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** The last `STDERR_KEPT` bytes of a stream. */
class Tail {
  #chunks: Uint8Array[] = [];
  #size = 0;

  add(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      const first = this.#chunks[0];
      if (first === undefined || this.#size - first.length < STDERR_KEPT) return true;
      this.#chunks.shift();
      this.#size -= first.length;
    }
  }

  text(): string {
    return new TextDecoder().decode(joined(this.#chunks, this.#size).subarray(-STDERR_KEPT));
  }
}

/** Kills the child and everything in its process group; what is gone already is no error. */
function killTree(child: Deno.ChildProcess): void {
  try {
    if (WINDOWS) {
      const args = ["/PID", String(child.pid), "/T", "/F"];
      new Deno.Command("taskkill", { args, stdin: "null", stdout: "null", stderr: "null" })
        .spawn().unref();
    } else {
      Deno.kill(-child.pid, "SIGKILL");
    }
  } catch {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

/** Lets this process end before the child does. */
function letGo(child: Deno.ChildProcess): void {
  try {
    child.unref();
  } catch {
    // The runtime throws where the child has just ended and its status is not yet handed out.
  }
}

const SIGNALS: readonly Deno.Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Children not yet accounted for: a group of its own does not get the signals this process gets. */
const living = new Set<Deno.ChildProcess>();

const handlers = SIGNALS.map((signal) => ({
  signal,
  handle(): void {
    for (const child of living) killTree(child);
    watchSignals(false);
    Deno.kill(Deno.pid, signal);
  },
}));

/** Makes this process's end by a signal the end of its children, or leaves signals alone again. */
function watchSignals(on: boolean): void {
  if (WINDOWS) return;
  for (const { signal, handle } of handlers) {
    if (on) Deno.addSignalListener(signal, handle);
    else Deno.removeSignalListener(signal, handle);
  }
}

/** Why a program could not be started, for a person. */
function whyNotStarted(request: RunRequest, error: unknown): string {
  const { program, cwd } = request;
  const stat = (path: string): Deno.FileInfo | undefined => {
    try {
      return Deno.statSync(path);
    } catch {
      return undefined;
    }
  };
  if (stat(cwd)?.isDirectory !== true) return `there is no directory "${cwd}" to run it in`;
  if (!program.includes("/") && error instanceof Deno.errors.NotFound) {
    return `there is no program "${program}" on PATH`;
  }
  const info = stat(program.startsWith("/") ? program : `${cwd}/${program}`);
  if (info?.isDirectory) return `"${program}" is a directory`;
  if (error instanceof Deno.errors.NotFound) {
    return info === undefined
      ? `there is no program "${program}"`
      : `"${program}" names an interpreter that is not there`;
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return (info?.mode ?? 0) & 0o111
      ? `permission to run "${program}" is denied`
      : `"${program}" is not executable`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s*\(os error \d+\).*/s, "");
}

/**
 * Runs a program and tells how it ended; never throws.
 *
 * At the time-out or past the output limit the child and its whole process group are killed. After
 * a normal exit what the child left behind may hold its pipes for 50 ms; then what came is taken,
 * and the rest of the group is killed too.
 */
export async function run(request: RunRequest): Promise<RunOutcome> {
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  if (!(request.timeoutMs > 0)) return { kind: "timed out", ms: 0, stderr: "" };
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(request.program, {
      args: [...request.args],
      cwd: request.cwd,
      ...(request.env !== undefined && { env: { ...request.env }, clearEnv: true }),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: !WINDOWS,
    }).spawn();
  } catch (error) {
    return { kind: "not started", why: whyNotStarted(request, error) };
  }

  const timeout = timer(request.timeoutMs, "late" as const);
  if (living.size === 0) watchSignals(true);
  living.add(child);

  const limit = request.stdoutLimit;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const tail = new Tail();
  const full = Promise.withResolvers<"full">();
  const writer = child.stdin.getWriter();
  const out = child.stdout.getReader();
  const err = child.stderr.getReader();
  const fed = feed(writer, request.stdin);
  const read = Promise.all([
    drain(out, (chunk) => {
      size += chunk.length;
      if (size > limit) full.resolve("full");
      else chunks.push(chunk);
      return size <= limit;
    }),
    drain(err, (chunk) => tail.add(chunk)),
  ]).then(() => true);

  const ended = child.status.then(async (status) => {
    // Two timers in a row: between them a busy event loop takes up what is waiting in the pipes.
    const half = timer(DRAIN_MS / 2, false);
    let complete = await Promise.race([read, half.fired]);
    half.stop();
    if (!complete) {
      const rest = timer(DRAIN_MS / 2, false);
      complete = await Promise.race([read, rest.fired]);
      rest.stop();
    }
    return { status, complete };
  });
  const first = await Promise.race([ended, full.promise, timeout.fired]);
  timeout.stop();
  const ms = elapsed();

  if (typeof first === "string" || !first.complete) {
    killTree(child);
    void out.cancel().catch(() => {});
    void err.cancel().catch(() => {});
    const reaped = timer(REAP_MS, undefined);
    await Promise.race([child.status, reaped.fired]);
    reaped.stop();
  }
  void writer.abort().catch(() => {});
  void fed;
  letGo(child);
  living.delete(child);
  if (living.size === 0) watchSignals(false);

  if (size > limit) return { kind: "too much output", limit, ms };
  if (typeof first === "string") return { kind: "timed out", ms, stderr: tail.text() };
  const { code, signal } = first.status;
  return signal === null
    ? { kind: "exited", code, stdout: joined(chunks, size), stderr: tail.text(), ms }
    : { kind: "killed", signal, stderr: tail.text(), ms };
}
