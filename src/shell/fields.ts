/**
 * Puts the stretches of a word together, and splits them into fields where the shell would.
 */
import type { Frame } from "./frame.ts";
import { markOpen } from "./open_words.ts";
import type { Span, Word } from "./reading.ts";
import { markSpliced } from "./spliced_words.ts";

/** A stretch of a word: fixed text, text the shell splits into fields, or the fields of a list. */
export type Chunk =
  | {
    readonly kind: "fixed";
    readonly text: string;
    readonly known: boolean;
    readonly glob: boolean;
    /** True for an unquoted expansion that is not known: it may be no field or several. */
    readonly loose?: boolean;
    /** True for an expansion of a variable that nothing here sets: it may be empty. */
    readonly nothing?: boolean;
  }
  | { readonly kind: "split"; readonly text: string }
  | {
    readonly kind: "list";
    readonly quoted: boolean;
    readonly items: readonly (string | undefined)[];
    readonly shown: string;
  };

/** A carriage return at a word's end is an artefact of CRLF text, and would hide a target. */
export function bare(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

interface Field {
  text: string;
  known: boolean;
  glob: boolean;
  loose: boolean;
  /** The text where every unknown piece is empty; undefined where one of them cannot be. */
  rest: string | undefined;
}

/** `rest` with a chunk added that is known or may be empty; undefined for any other. */
export function restOf(
  rest: string | undefined,
  chunk: Extract<Chunk, { kind: "fixed" }>,
): string | undefined {
  if (rest === undefined || !chunk.known && chunk.nothing !== true) return undefined;
  return chunk.known ? rest + chunk.text : rest;
}

/** Puts chunks together and splits them where the shell would. */
export function fieldsOfChunks(chunks: readonly Chunk[], span: Span, frame: Frame): Word[] {
  const out: Word[] = [];
  let open: Field | undefined;
  const field = () => {
    return open ??= { text: "", known: true, glob: false, loose: false, rest: "" };
  };
  const close = () => {
    if (open === undefined) return;
    const text = bare(open.text);
    if (text !== "" || open.text === "") {
      const word = { text, value: open.known ? text : undefined, glob: open.glob, span };
      if (!open.known && open.rest !== undefined) markSpliced(word, bare(open.rest));
      out.push(open.loose ? markOpen(word) : word);
    }
    open = undefined;
  };
  const blanks = !/[^\s]/.test(String(frame.scope.vars.get("IFS")?.values[0] ?? ""));
  const splitInto = (text: string) => {
    const pieces = splitAt(text, frame);
    if (pieces === undefined) {
      const into = field();
      into.text += text;
      into.known = false;
      into.rest = undefined;
      return;
    }
    pieces.forEach((piece, i) => {
      if (i > 0) close();
      // A mark that is no blank keeps the empty field before it.
      if (piece === "" && (blanks || i === pieces.length - 1)) return;
      const into = field();
      into.text += piece;
      if (into.rest !== undefined) into.rest += piece;
      into.glob ||= /[*?[]/.test(piece);
    });
  };
  for (const chunk of chunks) {
    if (chunk.kind === "fixed") {
      const into = field();
      into.text += chunk.text;
      into.rest = restOf(into.rest, chunk);
      into.known &&= chunk.known;
      into.loose ||= chunk.loose === true;
      into.glob ||= chunk.glob;
    } else if (chunk.kind === "split") splitInto(chunk.text);
    else {
      chunk.items.forEach((item, i) => {
        if (i > 0) close();
        if (item !== undefined && !chunk.quoted) return splitInto(item);
        const into = field();
        into.text += item ?? chunk.shown;
        into.rest = item === undefined || into.rest === undefined ? undefined : into.rest + item;
        into.known &&= item !== undefined;
        into.loose ||= item === undefined;
      });
    }
  }
  close();
  frame.sink.step(Math.floor(out.length / 15));
  return out;
}

/** Splits text where `IFS` says; undefined where `IFS` itself is not known. */
function splitAt(text: string, frame: Frame): string[] | undefined {
  const bound = frame.scope.vars.get("IFS");
  if (bound === undefined) return text.split(/[ \t\n]+/);
  const marks = bound.values.length === 1 ? bound.values[0] : undefined;
  if (marks === undefined) return undefined;
  if (marks === null) return text.split(/[ \t\n]+/);
  if (marks === "") return [text];
  const out: string[] = [];
  let piece = "";
  for (const char of text) {
    if (marks.includes(char)) {
      out.push(piece);
      piece = "";
    } else piece += char;
  }
  return [...out, piece];
}
