/**
 * The words of a PowerShell command line: plain ones, strings, groups in brackets, and marks.
 */

/** One word or mark, with its place in the text. */
export interface Piece {
  readonly text: string;
  readonly known: boolean;
  /** A bracketed expression, a script block or a quoted string, or a plain word. */
  readonly kind: "word" | "string" | "group" | "mark";
  readonly start: number;
  readonly end: number;
}

/** What to do with commands that stand inside a word: their text, how they got there, their place. */
export interface PieceReader {
  readonly home: string;
  inside(text: string, link: string, start: number, end: number): void;
}

/** The pieces of `source`, in order; commands inside them are handed to `reader` on the way. */
export function pieces(source: string, reader: PieceReader): Piece[] {
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
    } else i = readPiece(source, i, out, reader);
  }
  return out;
}

const CLOSE: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/** One word: quoted pieces, plain text, and groups, whose commands are read on the way. */
function readPiece(
  source: string,
  from: number,
  out: Piece[],
  reader: PieceReader,
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
        readSubexpressions(body, reader, i, end);
      }
      quoted = true;
      i = end;
    } else if (CLOSE[open] !== undefined && (open !== "[" || text === "")) {
      const at = open === char ? i : i + 1;
      const end = groupEnd(source, at);
      const body = source.slice(at + 1, end - 1);
      if (open !== "[") {
        if (!/^\s*['"][^'"]*['"]\s*(?:,|$)/.test(body)) {
          reader.inside(body, open === "{" ? "{…}" : "(…)", at, end);
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
    text = text.replace(/^\$(?:HOME|env:USERPROFILE|env:HOME)/i, () => reader.home);
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

function readSubexpressions(body: string, reader: PieceReader, start: number, stop: number): void {
  for (let at = body.indexOf("$("); at >= 0; at = body.indexOf("$(", at + 2)) {
    const end = groupEnd(body, at + 1);
    reader.inside(body.slice(at + 2, end - 1), "$(…)", start, stop);
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
