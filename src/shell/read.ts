/**
 * Reads a command line: everything it would run, every file it would touch, and what could not be
 * followed. Pure and total: nothing is looked up, and no text makes it throw.
 */
import { messageOf } from "../domain/failure.ts";
import { walkBody } from "./command.ts";
import type { Engine, Frame, Output } from "./frame.ts";
import { distrust } from "./guards.ts";
import { loadParser, ParserMissing, parseShell } from "./parse.ts";
import type { ReadContext, Reading, Span } from "./reading.ts";
import { runWords } from "./run.ts";
import { Scope, type Shared } from "./scope.ts";
import { BoundReached, Sink } from "./sink.ts";
import { walkAll } from "./walk.ts";

/** Longest text that is read, in UTF-16 units. */
export const MAX_LENGTH = 128 * 1024;
/** How deep texts and substitutions may stand inside each other. */
export const MAX_DEPTH = 16;

const MAX_BARE_WORDS = 5_000;

/** `readShell`, with the parser package loaded where the text needs it. */
export async function readCommand(source: string, context: ReadContext): Promise<Reading> {
  try {
    return readShell(source, context);
  } catch (thrown) {
    if (!(thrown instanceof ParserMissing)) throw thrown;
    await loadParser();
    return readShell(source, context);
  }
}

/**
 * Reads `source` as a POSIX-like shell would; see `Reading` for what comes of it. Throws nothing
 * but `ParserMissing`, where a text is not plain and `loadParser` has not been called.
 */
export function readShell(source: string, context: ReadContext): Reading {
  const sink = new Sink();
  const whole: Span = { start: 0, end: source.length };
  if (source.length > MAX_LENGTH) {
    sink.doubt("bound", `the command is longer than ${MAX_LENGTH} characters`, whole);
    return finish(sink, bareWords(source));
  }
  const strain = strains(source);
  if (strain !== undefined) {
    sink.doubt("bound", strain, whole);
    return finish(sink, bareWords(source));
  }
  let unread = false;
  try {
    const frame = frameFor(sink, context, source);
    unread = !readText(source, frame);
    readUncalled(frame);
  } catch (thrown) {
    if (thrown instanceof ParserMissing) throw thrown;
    if (thrown instanceof BoundReached) {
      sink.doubt("bound", `the command does more than is followed: ${thrown.message}`, whole);
    } else {
      // A parser or reader that gave up may have been made to: never judged by words alone.
      sink.doubt("bound", `the command could not be read: ${messageOf(thrown)}`, whole);
    }
    unread = true;
  }
  if (!unread) return finish(sink, undefined);
  const words = bareWords(source);
  if (words.length >= MAX_BARE_WORDS) {
    sink.doubt("bound", `more than ${MAX_BARE_WORDS} words in a text that does not parse`, whole);
  }
  return finish(sink, words);
}

const MAX_OPEN = 200;
const MAX_HERE_DOCUMENTS = 100;

/** What in a text would cost the parser more time than there is: judged before it is parsed. */
function strains(source: string): string | undefined {
  let open = 0;
  let documents = 0;
  let braces = 0;
  for (let i = 0; i < source.length; i++) {
    const char = source.charCodeAt(i);
    if (char === 40) {
      if (++open > MAX_OPEN) return `more than ${MAX_OPEN} brackets stand open`;
    } else if (char === 41) open = Math.max(0, open - 1);
    else if (char === 125) braces = Math.max(0, braces - 1);
    else if (char === 36 && source.charCodeAt(i + 1) === 123) {
      if (++braces > MAX_OPEN) return `more than ${MAX_OPEN} expansions stand open`;
    } else if (char === 10) documents = 0;
    else if (char === 60 && source.charCodeAt(i + 1) === 60) {
      if (++documents > MAX_HERE_DOCUMENTS) return `more than ${MAX_HERE_DOCUMENTS} << on one line`;
    }
  }
  return undefined;
}

function finish(sink: Sink, words: readonly string[] | undefined): Reading {
  return {
    invocations: sink.invocations,
    files: sink.files,
    doubts: sink.doubts,
    bareWords: words,
  };
}

/** The frame that an outermost text is read in. */
export function frameFor(sink: Sink, context: ReadContext, source: string): Frame {
  const shared: Shared = {
    links: new Map(),
    written: new Map(),
    feeds: new Map(),
    hashed: new Map(),
    gitAliases: new Map(),
    called: new Set(),
    defined: new Map(),
    visited: new Set(),
  };
  return {
    engine,
    sink,
    scope: new Scope(context.home, context.cwd, shared),
    doc: { source, base: undefined },
    via: [],
    depth: 0,
    input: { kind: "none" },
  };
}

const engine: Engine = {
  script(script, frame): Output {
    if (!deeper(frame)) return undefined;
    return walkAll(script.commands, { ...frame, depth: frame.depth + 1 });
  },
  text(text, frame, holder): Output {
    if (!deeper(frame)) return undefined;
    if (text.length > MAX_LENGTH) {
      frame.sink.doubt("bound", `a text inside is longer than ${MAX_LENGTH} characters`, holder);
      return undefined;
    }
    const inner: Frame = {
      ...frame,
      depth: frame.depth + 1,
      doc: { source: text, base: frame.doc.base ?? holder },
    };
    const strain = strains(text);
    if (strain !== undefined) {
      frame.sink.doubt("bound", strain, holder);
      return undefined;
    }
    const read = parseShell(text);
    doubtProblems(distrust(read, text), inner);
    return walkAll(read.commands, inner);
  },
  command: runWords,
  words(words, frame, call): Output {
    if (!deeper(frame)) return undefined;
    return runWords(words, { ...frame, depth: frame.depth + 1 }, call);
  },
};

function deeper(frame: Frame): boolean {
  frame.sink.step();
  if (frame.depth < MAX_DEPTH) return true;
  const span = frame.doc.base ?? { start: 0, end: frame.doc.source.length };
  frame.sink.doubt("bound", `commands stand more than ${MAX_DEPTH} deep inside each other`, span);
  return false;
}

/** Parses and walks the outermost text; false where it was not readable as a whole. */
function readText(source: string, frame: Frame): boolean {
  const script = parseShell(source);
  const problems = distrust(script, source);
  doubtProblems(problems, frame);
  walkAll(script.commands, frame);
  return problems.length === 0;
}

function doubtProblems(problems: readonly { what: string; at: number }[], frame: Frame): void {
  for (const problem of problems.slice(0, 20)) {
    const span = frame.doc.base ?? { start: problem.at, end: problem.at };
    frame.sink.doubt("unreadable", problem.what, span);
  }
}

/** A function that nothing here calls may still be called by what was not read. */
function readUncalled(frame: Frame): void {
  const { defined, called } = frame.scope.shared;
  for (const [node, { doc, scope }] of defined) {
    if (called.has(node)) continue;
    const inner: Frame = {
      ...frame,
      scope: scope.fork(),
      via: [`function ${node.name.value}`],
    };
    inner.scope.positional = undefined;
    inner.scope.active = [node.name.value];
    walkBody({ node, doc }, inner);
  }
}

/** The words of a text by blanks and operators alone, quotes dropped. */
export function bareWords(source: string): string[] {
  const out: string[] = [];
  for (const match of source.matchAll(/[^\s;&|()<>`"'{}]+/g)) {
    out.push(match[0].replace(/^\$+/, ""));
    if (out.length >= MAX_BARE_WORDS) break;
  }
  return out;
}
