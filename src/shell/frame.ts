/**
 * What the reading of one command needs to know: where it stands, what is set, what feeds it.
 */
import type { ParsedScript } from "./parse.ts";
import type { Input, Redirection, Span, Word } from "./reading.ts";
import type { Scope } from "./scope.ts";
import type { Sink } from "./sink.ts";

/** A text being read; `base` is the span of the word that held it, undefined for the outermost. */
export interface Doc {
  readonly source: string;
  readonly base: Span | undefined;
}

/** What a command prints as far as its text tells, undefined where only running it will show. */
export type Output = string | undefined;

/** The reader's own steps, handed down so that files need not import each other in circles. */
export interface Engine {
  /** Walks a parsed script in `frame` and gives what it prints. */
  script(script: ParsedScript, frame: Frame): Output;
  /** Reads a text found inside a command, one level deeper; `holder` is the word it stood in. */
  text(text: string, frame: Frame, holder: Span): Output;
  /** Reads the words of a command that stands in the text. */
  command(words: readonly Word[], frame: Frame, call: Call): Output;
  /** Reads words that a program would run as a command, one level deeper. */
  words(words: readonly Word[], frame: Frame, call: Call): Output;
}

/** The surroundings of one command. Frames are copied, scopes are shared until forked. */
export interface Frame {
  readonly engine: Engine;
  readonly sink: Sink;
  readonly scope: Scope;
  readonly doc: Doc;
  readonly via: readonly string[];
  readonly depth: number;
  readonly input: Input;
}

/** What stands around the words of one command. */
export interface Call {
  readonly assignments: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly redirections: readonly Redirection[];
  readonly span: Span;
  readonly source: string;
}

/** The place in the outermost text of `[start, end)` of the frame's own text. */
export function spanOf(frame: Frame, start: number, end: number): Span {
  return frame.doc.base ?? { start, end };
}

/** The frame with one more link in the chain that led to a command. */
export function through(frame: Frame, link: string): Frame {
  return { ...frame, via: [...frame.via, link] };
}

/** The frame with its own copy of everything that is set. */
export function forked(frame: Frame): Frame {
  return { ...frame, scope: frame.scope.fork() };
}

/** A word whose value is known. */
export function knownWord(value: string, span: Span, glob = false): Word {
  return { text: value, value, glob, span };
}

/** A word that only running will tell; `text` is what to show for it. */
export function unknownWord(text: string, span: Span): Word {
  return { text, value: undefined, glob: false, span };
}
