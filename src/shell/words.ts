/**
 * What the shell would make of the words of a command: quotes removed, expansions done where the
 * text tells their value, split into fields; the rest marked as known only at run time.
 */
import { expandBraces } from "./braces.ts";
import { bare, type Chunk, fieldsOfChunks, restOf } from "./fields.ts";
import { expandParameter, expandSimple } from "./parameters.ts";
import { forked, type Frame, spanOf, through } from "./frame.ts";
import {
  forEachChild,
  parseShell,
  type SyntaxNode,
  type WordNode,
  type WordPart,
} from "./parse.ts";
import type { Span, Word } from "./reading.ts";
import { markSpliced, maybeNothing } from "./spliced_words.ts";

/** Text that stands as it is. */
export function fixed(text: string): Chunk {
  return { kind: "fixed", text, known: true, glob: false };
}

/** Something only running will tell, shown as `text`. */
export function unclear(text: string): Chunk {
  return { kind: "fixed", text, known: false, glob: false };
}

/** Known text that stands whole inside quotes and is split outside them. */
export function expanded(text: string, quoted: boolean): Chunk {
  return quoted ? fixed(text) : { kind: "split", text };
}

/** The fields a word of a command stands for: none, one or several. */
export function fieldsOf(node: WordNode, frame: Frame): Word[] {
  const span = spanOf(frame, node.pos, node.end);
  const parts = node.parts;
  const texts = node.text.includes("{") && /,|\.\./.test(node.text)
    ? expandBraces(node.text)
    : [node.text];
  if (texts?.length !== 1) {
    if (texts === undefined) {
      const chunks = parts === undefined
        ? [fixed(node.text)]
        : parts.flatMap((part) => chunksOf(part, frame, false));
      return [{ text: glue(chunks).text, value: undefined, glob: false, span }];
    }
    const inner: Frame = { ...frame, doc: { source: "", base: span } };
    return texts.flatMap((text) => braceless(text, inner, span));
  }
  return fieldsOfChunks(wordChunks(node, frame, true), span, frame);
}

/** One word that came out of a brace expansion, read again from its text. */
function braceless(text: string, frame: Frame, span: Span): Word[] {
  if (text === "") return [];
  frame.sink.step(2);
  const source = `: ${text.startsWith("#") ? "\\" : ""}${text}`;
  const command = parseShell(source).commands[0]?.command;
  if (command?.type !== "Command") return [{ text, value: undefined, glob: false, span }];
  return command.suffix.flatMap((node) => {
    if (node.type === "Word") return fieldsOfChunks(wordChunks(node, frame, true), span, frame);
    if (node.type === "Assignment") {
      return fieldsOfChunks(argumentChunks(node, source, frame), span, frame);
    }
    return [];
  });
}

/** A word that the shell does not split: an assignment, a redirection's target, a `case` subject. */
export function wholeWord(node: WordNode, frame: Frame): Word {
  const span = spanOf(frame, node.pos, node.end);
  const { text, known, glob, rest } = glue(wordChunks(node, frame, true));
  const word = { text: bare(text), value: known ? bare(text) : undefined, glob, span };
  return known || rest === undefined ? word : markSpliced(word, bare(rest));
}

/** `NAME=value` standing as an argument (`dd of=x`), as the word the program gets. */
export function assignmentWord(
  node: {
    readonly pos: number;
    readonly end: number;
    readonly text: string;
    readonly value: unknown;
  },
  frame: Frame,
): Word[] {
  return fieldsOfChunks(
    argumentChunks(node, frame.doc.source, frame),
    spanOf(frame, node.pos, node.end),
    frame,
  );
}

function argumentChunks(
  node: { readonly pos: number; readonly text: string; readonly value: unknown },
  source: string,
  frame: Frame,
): Chunk[] {
  const value = node.value as SyntaxNode;
  if (value.type !== "Word") return [unclear(node.text)];
  const name = source === "" ? node.text.slice(0, node.text.indexOf("=") + 1) : source.slice(
    node.pos,
    value.pos,
  );
  return [fixed(name), ...wordChunks(value, frame, true)];
}

/** What the expansions in a here-document's body give, or undefined where not all are known. */
export function bodyText(parts: readonly WordPart[], frame: Frame): string | undefined {
  const { text, known } = glue(parts.flatMap((part) => chunksOf(part, frame, true)));
  return known ? text : undefined;
}

function wordChunks(node: WordNode, frame: Frame, tilde: boolean): Chunk[] {
  const parts = node.parts;
  const chunks = parts === undefined
    ? [fixed(node.value)]
    : parts.flatMap((part) => loosened(part, chunksOf(part, frame, false)));
  return tilde ? expandTilde(node, chunks, frame) : chunks;
}

/** `~`, `~/x`, `~user` at the front of a word or after its first `=`, where they stand unquoted. */
function expandTilde(node: WordNode, chunks: Chunk[], frame: Frame): Chunk[] {
  const first = chunks[0];
  const source = node.parts === undefined ? node.text : node.parts[0]?.text ?? "";
  if (first?.kind !== "fixed" || !first.known) return chunks;
  const match = /^([-\w]+=)?~([A-Za-z_][\w.-]*|[+-])?(\/|:|\r?$)/.exec(source);
  if (match === null) return chunks;
  const [whole, key = "", user = "", stop = ""] = match;
  if (stop === ":" && key === "" && user !== "") return chunks;
  if (stop !== "/" && stop !== ":" && chunks.length > 1) return chunks;
  const home = frame.scope.homeOf(user);
  if (home === undefined) return chunks;
  const rest = first.text.slice(whole.length - stop.length);
  return [{ ...first, text: key + home + rest }, ...chunks.slice(1)];
}

/** What one part of a word gives; commands inside it are read on the way. */
export function chunksOf(part: WordPart, frame: Frame, quoted: boolean): Chunk[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [fixed(part.value)];
    case "Glob":
    case "ExtendedGlob":
      readInside(part, frame);
      return [{ kind: "fixed", text: part.text, known: true, glob: true }];
    case "DoubleQuoted":
    case "LocaleString":
      return quotedChunks(part.parts.flatMap((child) => chunksOf(child, frame, true)));
    case "SimpleExpansion":
      return maybeNothing(
        expandSimple(part.text, frame, quoted),
        part.text.slice(1),
        part.text,
        frame,
      );
    case "ParameterExpansion":
      return maybeNothing(
        expandParameter(part, frame, quoted),
        part.parameter,
        part.text,
        frame,
      );
    case "CommandExpansion": {
      if (part.script === undefined) return [unclear(part.text)];
      const inner = substituted(frame, part.script.source, part);
      const output = frame.engine.script(part.script, through(inner, "$(…)"));
      return [output === undefined ? unclear(part.text) : expanded(trimmed(output), quoted)];
    }
    case "ArithmeticExpansion": {
      readInside(part, frame);
      const number = /^\$\(\(\s*(\d+)\s*\)\)$/.exec(part.text)?.[1];
      return [number === undefined ? unclear(part.text) : fixed(number)];
    }
    case "ProcessSubstitution": {
      if (part.script === undefined) return [unclear(part.text)];
      const inner = forked(through(frame, `${part.operator}(…)`));
      const seen = frame.sink.invocations.length;
      const output = frame.engine.script(part.script, {
        ...inner,
        input: part.operator === ">" ? { kind: "pipe", from: [undefined] } : { kind: "none" },
      });
      const path = frame.sink.descriptor();
      frame.scope.shared.written.set(path, output);
      if (output === undefined) {
        const names = frame.sink.invocations.slice(seen).map((invocation) => invocation.name);
        frame.scope.shared.feeds.set(path, names);
      }
      return [fixed(path)];
    }
    case "BraceExpansion":
      readInside(part, frame);
      return [unclear(part.text)];
  }
}

/** Marks what an expansion outside quotes left unknown. */
function loosened(part: WordPart, chunks: Chunk[]): Chunk[] {
  switch (part.type) {
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
      return chunks.map((chunk) => {
        return chunk.kind === "fixed" && !chunk.known ? { ...chunk, loose: true } : chunk;
      });
    default:
      return chunks;
  }
}

/** Quotes make a field even of nothing, but for `"$@"` where there are no arguments. */
function quotedChunks(chunks: Chunk[]): Chunk[] {
  const nothing = chunks.every((chunk) => {
    return chunk.kind === "list" ? chunk.items.length === 0 : chunk.text === "";
  });
  return nothing && chunks.some((chunk) => chunk.kind === "list") ? [] : [fixed(""), ...chunks];
}

function trimmed(output: string): string {
  return output.replace(/\n+$/, "");
}

/** A substitution's own shell: what it sets stays in it, and its input is not the command's. */
function substituted(frame: Frame, own: string | undefined, part: WordPart): Frame {
  const inner = forked({ ...frame, input: { kind: "none" } });
  if (own === undefined) return inner;
  return { ...inner, doc: { source: own, base: spanOf(frame, part.pos, part.end) } };
}

/** Reads the commands anywhere below a node whose value does not matter. */
export function readInside(node: SyntaxNode, frame: Frame): void {
  forEachChild(node, (child) => {
    if (child.type === "Script") {
      const base = child.source === undefined
        ? frame.doc
        : { source: child.source, base: spanOf(frame, node.pos, node.end) };
      frame.engine.script(child, through(forked({ ...frame, doc: base }), "$(…)"));
    } else readInside(child, frame);
  });
}

function glue(chunks: readonly Chunk[]): {
  text: string;
  known: boolean;
  glob: boolean;
  rest: string | undefined;
} {
  let text = "";
  let rest: string | undefined = "";
  let known = true;
  let glob = false;
  for (const chunk of chunks) {
    if (chunk.kind === "list") {
      if (chunk.items.includes(undefined)) known = false;
      rest = undefined;
      text += chunk.items.includes(undefined) ? chunk.shown : chunk.items.join(" ");
      continue;
    }
    text += chunk.text;
    if (chunk.kind !== "fixed") {
      if (rest !== undefined) rest += chunk.text;
      continue;
    }
    rest = restOf(rest, chunk);
    if (!chunk.known) known = false;
    if (chunk.glob) glob = true;
  }
  return { text, known, glob, rest };
}
