/**
 * A small reader of PowerShell command lines: words, quotes, pipes and separators. What it cannot
 * follow it says.
 */
import { type Frame, knownWord, through } from "./frame.ts";
import type { Input, ReadContext, Reading, Span, Word } from "./reading.ts";
import { bareWords, frameFor, MAX_LENGTH } from "./read.ts";
import { BoundReached, Sink } from "./sink.ts";
import { CMDLETS, POWERSHELL_ALIASES } from "./tables/powershell.ts";

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

interface Piece {
  readonly text: string;
  readonly known: boolean;
  /** A bracketed expression, a script block or a quoted string, or a plain word. */
  readonly kind: "word" | "string" | "group" | "mark";
  readonly start: number;
  readonly end: number;
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
  for (const piece of pieces(source, frame, base)) {
    if (piece.kind === "mark" && /^(?:[;\n]|&&|\|\||\||&)$/.test(piece.text)) {
      if (piece.text === "&" && command.length === 0) command.push(piece);
      else flush(piece.text === "|");
    } else command.push(piece);
  }
  flush(false);
}

function pieces(source: string, frame: Frame, base: Span | undefined): Piece[] {
  const out: Piece[] = [];
  let i = 0;
  while (i < source.length) {
    const start = i;
    const char = source[i] ?? "";
    if (char === "\n" || char === ";") {
      out.push({ text: char, known: true, kind: "mark", start, end: ++i });
    } else if (/\s/.test(char)) i++;
    else if (char === "`" && /^`\r?\n/.test(source.slice(i, i + 3))) {
      i = source.indexOf("\n", i) + 1;
    } else if (char === "#") {
      const end = source.indexOf("\n", i);
      i = end < 0 ? source.length : end;
    } else if (/^(?:&&|\|\||[|&]|\d?>>?)/.test(source.slice(i, i + 3))) {
      const text = /^(?:&&|\|\||[|&]|\d?>>?)/.exec(source.slice(i, i + 3))?.[0] ?? char;
      i += text.length;
      if (source.startsWith("&1", i) && text.includes(">")) i += 2;
      else out.push({ text, known: true, kind: "mark", start, end: i });
    } else i = readPiece(source, i, out, frame, base);
  }
  return out;
}

const CLOSE: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/** One word: quoted pieces, plain text, and groups, whose commands are read on the way. */
function readPiece(
  source: string,
  from: number,
  out: Piece[],
  frame: Frame,
  base: Span | undefined,
): number {
  let i = from;
  let text = "";
  let known = true;
  let quoted = false;
  let group = false;
  while (i < source.length && !/[\s;|,]/.test(source[i] ?? "")) {
    const char = source[i] ?? "";
    const open = char === "$" || char === "@" ? source[i + 1] ?? "" : char;
    if (char === ">" || char === "&" && text !== "") break;
    if (char === "'" || char === '"') {
      const end = stringEnd(source, i);
      const body = source.slice(i + 1, end - 1);
      if (char === "'") text += body.replaceAll("''", "'");
      else {
        text += body.replace(/`(.)/g, "$1").replaceAll('""', '"');
        if (/(?<!`)\$[\w({]/.test(body)) known = false;
        readSubexpressions(body, frame, base ?? { start: i, end });
      }
      quoted = true;
      i = end;
    } else if (CLOSE[open] !== undefined && (open !== "[" || text === "")) {
      const at = open === char ? i : i + 1;
      const end = groupEnd(source, at);
      const body = source.slice(at + 1, end - 1);
      if (open !== "[") {
        const deeper = through({ ...frame, depth: frame.depth + 1 }, open === "{" ? "{…}" : "(…)");
        if (!/^\s*['"][^'"]*['"]\s*(?:,|$)/.test(body)) {
          readPowerShellText(body, deeper, base ?? { start: at, end });
        }
        known = false;
        group = true;
      }
      text += source.slice(i, end);
      i = end;
    } else if (char === "`") {
      text += source[i + 1] ?? "";
      i += 2;
    } else {
      if (char === "$" && /\w/.test(source[i + 1] ?? "")) known = false;
      text += char;
      i++;
    }
  }
  if (source[i] === ",") i++;
  if (text.startsWith("$") && /^\$(?:HOME|env:USERPROFILE|env:HOME)(?=$|[\\/])/i.test(text)) {
    text = text.replace(/^\$(?:HOME|env:USERPROFILE|env:HOME)/i, () => frame.scope.home);
    known = !text.includes("$");
  }
  if (i === from) i++;
  else {out.push({
      text,
      known,
      kind: group ? "group" : quoted ? "string" : "word",
      start: from,
      end: i,
    });}
  return i;
}

function readSubexpressions(body: string, frame: Frame, span: Span): void {
  for (let at = body.indexOf("$("); at >= 0; at = body.indexOf("$(", at + 2)) {
    const end = groupEnd(body, at + 1);
    readPowerShellText(
      body.slice(at + 2, end - 1),
      through({ ...frame, depth: frame.depth + 1 }, "$(…)"),
      span,
    );
  }
}

function stringEnd(source: string, at: number): number {
  const mark = source[at];
  for (let i = at + 1; i < source.length; i++) {
    if (source[i] === "`" && mark === '"') i++;
    else if (source[i] === mark) {
      if (source[i + 1] === mark) i++;
      else return i + 1;
    }
  }
  return source.length + 1;
}

function groupEnd(source: string, at: number): number {
  const close = CLOSE[source[at] ?? ""] ?? ")";
  const open = source[at];
  let depth = 0;
  for (let i = at; i < source.length; i++) {
    const char = source[i];
    if (char === "'" || char === '"') i = stringEnd(source, i) - 1;
    else if (char === open) depth++;
    else if (char === close && --depth === 0) return i + 1;
  }
  return source.length + 1;
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
  if (name !== undefined) readCmdlet(name, words, frame, span);
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

/** Parameters that take no value, so that the next word stays an operand. */
const SWITCH =
  /^-(?:r|re|rec\w*|fo|for\w*|f|confirm|whatif|wi|v|verbose|append|noclobber|nonewline|raw|pass\w*|usebasic\w*|leaf)(?::.*)?$/i;

function readCmdlet(name: string, words: readonly Word[], frame: Frame, span: Span): void {
  if (name === "invoke-expression") {
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
    return;
  }
  if (name === "set-location" && words.length > 0) frame.scope.cwd = undefined;
  const cmdlet = CMDLETS.get(name);
  if (cmdlet === undefined) return;
  const operands: Word[] = [];
  let recursive = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (/^-r(?:e\w*)?(?::\$true)?$/i.test(word.text)) recursive = true;
    if (!/^-[A-Za-z]/.test(word.text)) operands.push(word);
    else if (/^-(?:path|literalpath|filepath|outfile|destination|pspath)$/i.test(word.text)) {
      const value = words[++i];
      if (value !== undefined) operands.push(value);
    } else if (!SWITCH.test(word.text)) i++;
  }
  const target = cmdlet.moves === true ? operands[1] : undefined;
  const sources = cmdlet.moves === true || cmdlet.only === true ? operands.slice(0, 1) : operands;
  for (const word of sources) {
    frame.sink.file(cmdlet.how, windowsPath(word), name, frame, recursive);
  }
  if (target !== undefined) frame.sink.file("write", windowsPath(target), name, frame, recursive);
}

function windowsPath(word: Word): Word {
  const fold = (text: string) => text.replaceAll("\\", "/");
  return {
    ...word,
    text: fold(word.text),
    value: word.value === undefined ? undefined : fold(word.value),
  };
}

/** `[System.IO.File]::Delete('x')`, named `[io.file]::delete`. */
function readStatic(text: string, frame: Frame, span: Span): string {
  const match = /^\[([\w.]+)\]::(\w+)\s*\(?([^]*?)\)?$/.exec(text);
  const type = (match?.[1] ?? "").toLowerCase().replace(/^system\./, "");
  const name = `[${type}]::${(match?.[2] ?? "").toLowerCase()}`;
  const args = [...(match?.[3] ?? "").matchAll(/'((?:''|[^'])*)'|"([^"]*)"|([^,\s]+)/g)].map(
    (m) => {
      const value = m[1]?.replaceAll("''", "'") ?? m[2];
      const known = value !== undefined && !(m[2] ?? "").includes("$");
      return { text: value ?? m[3] ?? "", value: known ? value : undefined, glob: false, span };
    },
  );
  frame.sink.invocation({
    name,
    program: knownWord(name, span),
    args,
    assignments: [],
    redirections: [],
    input: frame.input,
    place: { kind: "here", cwd: frame.scope.cwd },
    via: frame.via,
    span,
    source: text.slice(0, 300),
  });
  const first = args[0];
  if (first === undefined || !/^\[io\.(?:file|directory)\]::/.test(name)) return name;
  if (name.endsWith("::delete")) {
    frame.sink.file("delete", windowsPath(first), name, frame, type === "io.directory");
  } else if (/::(?:write|append|create|set|open)/.test(name)) {
    frame.sink.file("write", windowsPath(first), name, frame);
  } else if (/::read/.test(name)) frame.sink.file("read", windowsPath(first), name, frame);
  else if (/::(?:move|copy)/.test(name)) {
    frame.sink.file(name.endsWith("move") ? "delete" : "read", windowsPath(first), name, frame);
    if (args[1] !== undefined) frame.sink.file("write", windowsPath(args[1]), name, frame);
  }
  return name;
}
