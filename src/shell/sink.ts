/**
 * Where a reading is gathered: invocations, files and doubts, each once, up to a bound.
 */
import { isAbsolute, resolve } from "../system/paths.ts";
import type { Frame } from "./frame.ts";
import type { Doubt, FileUse, Invocation, Span, Word } from "./reading.ts";
import type { Scope } from "./scope.ts";
import { splicedPath } from "./spliced_words.ts";

/** Thrown inside the reader, and caught by it, where a command line is more than it will follow. */
export class BoundReached extends Error {}

const MAX_INVOCATIONS = 2_000;
const MAX_STEPS = 20_000;
const NO_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|tty|zero|u?random|full|fd\/.*)$/;

/** Gathers a reading. */
export class Sink {
  readonly invocations: Invocation[] = [];
  readonly files: FileUse[] = [];
  readonly doubts: Doubt[] = [];
  /** The paths, as globs, that the last `find` read prints; undefined where it does more. */
  listed: readonly Word[] | undefined;
  readonly #seen = new Set<string>();
  #steps = 0;
  #descriptor = 64;

  /** Counts units of work. Throws `BoundReached` past the bound. */
  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > MAX_STEPS) throw new BoundReached("too many steps");
  }

  /** A name for the next process substitution, as bash would give it. */
  descriptor(): string {
    return `/dev/fd/${--this.#descriptor}`;
  }

  invocation(found: Invocation): void {
    const words = [found.program, ...found.args].map((word) => `${word.value} ${word.text}`);
    const where = found.place.kind === "here" ? found.place.cwd : found.place.by;
    if (this.#repeated("i", words.join("\0"), where, found.via.join("\0"), found.span.start)) {
      return;
    }
    if (this.invocations.length >= MAX_INVOCATIONS) throw new BoundReached("too many commands");
    this.invocations.push(found);
  }

  doubt(kind: Doubt["kind"], what: string, span: Span): void {
    if (this.#repeated("d", kind, what, span.start)) return;
    if (this.doubts.length < MAX_INVOCATIONS) this.doubts.push({ kind, what, span });
  }

  /** Notes that `by` reads, writes or deletes `word`; devices that hold nothing are left out. */
  file(how: FileUse["how"], word: Word, by: string, frame: Frame, recursive = false): void {
    if (word.value === "" || word.value === "-") return;
    if (word.value !== undefined && NO_FILE.test(word.value)) return;
    if (word.value !== undefined && /^(?:[A-Za-z]:)?\\/.test(word.value)) {
      const folded = word.value.replace(/\\+/g, "/");
      return this.file(how, { ...word, text: folded, value: folded }, by, frame, recursive);
    }
    const spliced = word.value === undefined ? splicedPath(word) : undefined;
    if (spliced !== undefined) {
      this.file(how, { ...word, text: spliced, value: spliced }, by, frame, recursive);
    }
    const resolved = resolvedPath(word.value, frame.scope);
    const value = word.value === undefined || frame.scope.elsewhere !== undefined ||
        isAbsolute(word.value) || frame.scope.cwd === undefined
      ? word.value
      : `${frame.scope.cwd}/${word.value}`;
    const path = value === undefined ? word : { ...word, value, text: value };
    const key = `${resolved} ${path.text}`;
    if (this.#repeated("f", how, key, by, word.span.start, recursive)) return;
    if (this.files.length >= MAX_INVOCATIONS) throw new BoundReached("too many files");
    this.files.push({ how, recursive, path, resolved, by, span: word.span });
  }

  #repeated(...key: unknown[]): boolean {
    const text = key.join("\u0001");
    if (this.#seen.has(text)) return true;
    this.#seen.add(text);
    return false;
  }
}

/** `path` absolute and normal, links made by the same command line followed; undefined if unknown. */
export function resolvedPath(path: string | undefined, scope: Scope): string | undefined {
  if (path === undefined || scope.elsewhere !== undefined) return undefined;
  if (!isAbsolute(path) && scope.cwd === undefined) return undefined;
  let at = resolve(scope.cwd ?? "/", path);
  for (let hops = 0; hops < 8; hops++) {
    const link = [...scope.shared.links].find(([name]) => at === name || at.startsWith(`${name}/`));
    if (link === undefined) break;
    at = resolve("/", link[1] + at.slice(link[0].length));
  }
  return at;
}
