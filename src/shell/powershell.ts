/**
 * A small reader of PowerShell command lines: words, quotes, pipes and separators. What it cannot
 * follow it says.
 */
import { type Frame, knownWord, through } from "./frame.ts";
import type { Input, ReadContext, Reading, Span, Word } from "./reading.ts";
import { bareWords, frameFor, MAX_LENGTH } from "./read.ts";
import { BoundReached, Sink } from "./sink.ts";
import { readCmdlet, readStatic } from "./powershell_cmdlets.ts";
import { type Piece, pieces } from "./powershell_words.ts";
import { loadParser } from "./parse.ts";
import { POWERSHELL_ALIASES } from "./tables/powershell.ts";

/** `readPowerShell`, with the parser package loaded for POSIX texts inside. */
export async function readPowerShellCommand(
  source: string,
  context: ReadContext,
): Promise<Reading> {
  await loadParser();
  return readPowerShell(source, context);
}

/** Reads a PowerShell command; invocations bear the lower-case name of the command (`remove-item`). */
export function readPowerShell(source: string, context: ReadContext): Reading {
  const sink = new Sink();
  const span = { start: 0, end: source.length };
  let words: readonly string[] | undefined;
  try {
    if (source.length > MAX_LENGTH) throw new BoundReached("too long");
    readPowerShellText(source, frameFor(sink, context, source), undefined);
  } catch (thrown) {
    const bound = thrown instanceof BoundReached;
    sink.doubt(
      bound ? "bound" : "unreadable",
      "the PowerShell command could not be read whole",
      span,
    );
    words = bareWords(source);
  }
  return {
    invocations: sink.invocations,
    files: sink.files,
    doubts: sink.doubts,
    bareWords: words,
  };
}

/** Reads a text inside `frame`; `base` is the span to give everything, undefined for its own. */
export function readPowerShellText(source: string, frame: Frame, base: Span | undefined): void {
  frame.sink.step();
  if (frame.depth > 16) {
    frame.sink.doubt(
      "bound",
      "commands stand too deep inside each other",
      base ?? { start: 0, end: source.length },
    );
    return;
  }
  const place = (piece: Piece): Span => base ?? { start: piece.start, end: piece.end };
  let command: Piece[] = [];
  let from: (string | undefined)[] = [];
  const flush = (piped: boolean) => {
    if (command.length > 0) {
      const input: Input = from.length > 0 ? { kind: "pipe", from: [...from] } : { kind: "none" };
      const name = readCommandPieces(command, { ...frame, input }, source, place);
      if (piped) from.push(name);
    }
    if (!piped) from = [];
    command = [];
  };
  const inside = (text: string, link: string, start: number, end: number) => {
    const deeper = through({ ...frame, depth: frame.depth + 1 }, link);
    readPowerShellText(text, deeper, base ?? { start, end });
  };
  for (const piece of pieces(source, { home: frame.scope.home, inside })) {
    if (piece.kind === "mark" && /^(?:[;\n]|&&|\|\||\||&)$/.test(piece.text)) {
      if (piece.text === "&" && command.length === 0) command.push(piece);
      else flush(piece.text === "|");
    } else command.push(piece);
  }
  flush(false);
}

const KEYWORD =
  /^(?:if|else|elseif|foreach|for|while|do|try|catch|finally|switch|function|return|param)$/i;

/** One command; gives its name for what it is piped into. */
function readCommandPieces(
  command: readonly Piece[],
  frame: Frame,
  source: string,
  place: (piece: Piece) => Span,
): string | undefined {
  frame.sink.step();
  let parts = command.filter((piece) => piece.kind !== "mark" || piece.text !== "&");
  const called = parts.length < command.length;
  // `$x = command …`
  if (/^\$[\w:]+$/.test(parts[0]?.text ?? "") && /^[+]?=$/.test(parts[1]?.text ?? "")) {
    parts = parts.slice(2);
  }
  const head = parts[0];
  if (head === undefined || KEYWORD.test(head.text)) return undefined;
  const first = place(head);
  const span: Span = {
    start: first.start,
    end: Math.max(first.end, place(parts[parts.length - 1]!).end),
  };
  const words: Word[] = [];
  for (let i = 1; i < parts.length; i++) {
    const piece = parts[i]!;
    if (piece.kind === "mark" && piece.text.includes(">")) {
      const target = parts[++i];
      if (target !== undefined) frame.sink.file("write", wordOf(target, place), piece.text, frame);
    } else words.push(wordOf(piece, place));
  }
  if (/^\[[^\]]+\]::/.test(head.text)) {
    return readStatic(source.slice(head.start, parts[parts.length - 1]!.end), frame, span);
  }
  if (
    head.kind === "string" && !called || /^\$/.test(head.text) && !called ||
    head.kind === "group" && !called
  ) {
    return undefined;
  }
  const typed = head.text.replace(/^.*[\\/]/, "").replace(/\.(?:exe|cmd|bat|ps1)$/i, "")
    .toLowerCase();
  const known = head.known && head.kind !== "group";
  const name = known ? POWERSHELL_ALIASES.get(typed) ?? typed : undefined;
  const call = {
    assignments: [],
    redirections: [],
    span,
    source: source.slice(head.start, parts[parts.length - 1]!.end).slice(0, 300),
  };
  if (name === undefined) {
    frame.sink.doubt("indirect", `program known only at run time: ${head.text.slice(0, 80)}`, span);
  } else if (!name.includes("-") || name === "wsl") {
    // A program of the system rather than a cmdlet: read like anywhere else.
    frame.engine.words([knownWord(name, first), ...words], frame, call);
    return name;
  }
  frame.sink.invocation({
    name,
    program: { ...wordOf(head, place), text: name ?? head.text },
    args: words,
    ...call,
    input: frame.input,
    place: { kind: "here", cwd: frame.scope.cwd },
    via: frame.via,
  });
  if (name === "invoke-expression") readInvoked(words, frame, span);
  else if (name !== undefined) readCmdlet(name, words, frame);
  return name;
}

function wordOf(piece: Piece, place: (piece: Piece) => Span): Word {
  const glob = piece.kind !== "string" && /[*?]/.test(piece.text);
  return {
    text: piece.text,
    value: piece.known ? piece.text : undefined,
    glob,
    span: place(piece),
  };
}

/** `Invoke-Expression TEXT`: read where the text is known. */
function readInvoked(words: readonly Word[], frame: Frame, span: Span): void {
  const code = words.find((word) => !word.text.startsWith("-"));
  if (code?.value !== undefined) {
    readPowerShellText(
      code.value,
      through({ ...frame, depth: frame.depth + 1, input: { kind: "none" } }, "iex"),
      code.span,
    );
  } else {
    const piped = frame.input.kind === "pipe";
    const what = code?.text.slice(0, 80) ?? (piped ? "its input" : "nothing");
    frame.sink.doubt(
      "unread code",
      `Invoke-Expression runs text of unknown content: ${what}`,
      span,
    );
  }
}
