/**
 * Parses the plain commands that most calls are made of, without the parser package: words,
 * quotes without expansions, `|`, `&&`, `||`, `;`, line ends and simple redirections.
 *
 * Measured: loading and running the whole parser costs a hook 3 to 4 ms. What is not plain beyond
 * doubt is left to it, and a property test holds both trees equal, node for node.
 */
import type {
  AndOr,
  CommandNode,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirect,
  Statement,
  WordNode,
  WordPart,
} from "./parse.ts";

/** Everything a plain text may hold: no expansion, glob, brace, tilde, comment, escape or group. */
const PLAIN = /^(?:[\w./:@%+,=\-\s|&;<>]|'[^'\n]*'|"[^"$`\\!\n]*")*$/;

const BARE = /[\w./:@%+,=-]+/y;
const REDIRECTION = /(\d*)(>>|>&|>|<)[ \t]*/y;

/** Words that begin something other than a simple command. */
const RESERVED = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "for",
  "while",
  "until",
  "do",
  "done",
  "case",
  "esac",
  "in",
  "select",
  "function",
  "time",
  "coproc",
]);

/** Builtins whose arguments may be assignments. */
const DECLARING = new Set(["export", "declare", "typeset", "local", "readonly", "alias", "let"]);

/** The tree of a plain text, as the parser package would give it; undefined for any other text. */
export function parsePlain(source: string): ParsedScript | undefined {
  if (source.length > 4096 || !PLAIN.test(source)) return undefined;
  const commands = new PlainParser(source).statements();
  if (commands === undefined) return undefined;
  return { type: "Script", pos: 0, end: source.length, shebang: undefined, commands };
}

type Maybe<T> = T | undefined;

/** A simple command; the package's own has these two lists as getters. */
type SimpleCommand = Extract<CommandNode, { type: "Command" }>;

class PlainParser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  statements(): Maybe<Statement[]> {
    const found: Statement[] = [];
    this.#skip(/[\s]*/y);
    while (this.#at < this.#source.length) {
      const command = this.#chain();
      if (command === undefined) return undefined;
      const { pos, end } = command;
      found.push({ type: "Statement", pos, end, command, background: undefined });
      if (this.#at === this.#source.length) break;
      if (!this.#skip(/(?:;(?!;)|\n)\s*/y)) return undefined;
    }
    return found;
  }

  #chain(): Maybe<PipelineNode | AndOr> {
    const commands: PipelineNode[] = [];
    const operators: ("&&" | "||")[] = [];
    for (;;) {
      const next = this.#pipeline();
      if (next === undefined) return undefined;
      commands.push(next);
      const operator = this.#take(/(?:&&|\|\|)(?=\s*[^\s|&;<>]|\s*\d*[<>])/y);
      if (operator === undefined) break;
      operators.push(operator as "&&" | "||");
      this.#skip(/\s*/y);
    }
    return joined("AndOr", commands, operators) as Maybe<PipelineNode | AndOr>;
  }

  #pipeline(): Maybe<PipelineNode> {
    const commands: CommandNode[] = [];
    const operators: "|"[] = [];
    for (;;) {
      const next = this.#command();
      if (next === undefined) return undefined;
      commands.push(next);
      if (this.#take(/\|(?![|&])(?=\s*[^\s|&;<>])/y) === undefined) break;
      operators.push("|");
      this.#skip(/\s*/y);
    }
    return joined("Pipeline", commands, operators) as Maybe<Pipeline | CommandNode>;
  }

  /** One simple command, up to an operator or the end; undefined for one that is not plain. */
  #command(): Maybe<SimpleCommand> {
    const pos = this.#at;
    let end = pos;
    let name: Maybe<WordNode>;
    const prefix: Redirect[] = [];
    const suffix: (WordNode | Redirect)[] = [];
    for (;;) {
      const redirect = this.#redirect();
      if (redirect === "odd") return undefined;
      const next = redirect ?? this.#word();
      if (next === undefined) break;
      if (next.type === "Redirect") (name === undefined ? prefix : suffix).push(next);
      else if (name !== undefined) suffix.push(next);
      else if (isCommandName(next)) name = next;
      else return undefined;
      end = next.end;
      this.#skip(/[ \t]+/y);
    }
    if (
      name === undefined || !/^(?:$|[|;\n]|&&)/.test(this.#source.slice(this.#at, this.#at + 2))
    ) {
      return undefined;
    }
    const args = suffix.filter((one): one is WordNode => one.type === "Word");
    const redirects = [...prefix, ...suffix.filter((one): one is Redirect => one.type !== "Word")];
    return { type: "Command", pos, end, name, prefix, suffix, args, redirects };
  }

  #word(): Maybe<WordNode> {
    const pos = this.#at;
    const parts: WordPart[] = [];
    let value = "";
    let quoted = false;
    for (;;) {
      const start = this.#at;
      const bare = this.#take(BARE);
      const text = bare ?? this.#take(/'[^']*'|"[^"]*"/y);
      if (text === undefined) break;
      const part = partOf(text, start, bare === undefined);
      value += bare ?? text.slice(1, -1);
      quoted ||= bare === undefined;
      parts.push(part);
    }
    if (parts.length === 0) return undefined;
    const text = this.#source.slice(pos, this.#at);
    return { type: "Word", text, value, pos, end: this.#at, parts: quoted ? parts : undefined };
  }

  /** A redirection; `odd` for one that is not plain, undefined where there is none. */
  #redirect(): Maybe<Redirect | "odd"> {
    const pos = this.#at;
    REDIRECTION.lastIndex = pos;
    const match = REDIRECTION.exec(this.#source);
    if (match === null) return undefined;
    const digits = match[1] ?? "";
    const operator = match[2] as ">>" | ">&" | ">" | "<";
    this.#at = REDIRECTION.lastIndex;
    const target = this.#word();
    if (
      target === undefined || digits.length > 3 || operator === ">&" && !/^[0-9]$/.test(target.text)
    ) return "odd";
    if (/^[<>]/.test(this.#source.slice(this.#at))) return "odd";
    const descriptor = digits === "" ? undefined : {
      type: "FileDescriptor" as const,
      pos,
      end: pos + digits.length,
      value: Number(digits),
    };
    return { type: "Redirect", pos, end: target.end, operator, descriptor, target };
  }

  #take(pattern: RegExp): Maybe<string> {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match[0];
  }

  #skip(pattern: RegExp): boolean {
    return this.#take(pattern) !== undefined;
  }
}

/** True where a word can only be the name of a program: bare, no assignment, no reserved word. */
function isCommandName(word: WordNode): boolean {
  return word.parts === undefined && !word.text.includes("=") && !RESERVED.has(word.text) &&
    !DECLARING.has(word.text);
}

function partOf(text: string, pos: number, quoted: boolean): WordPart {
  const end = pos + text.length;
  if (!quoted) return { type: "Literal", pos, end, value: text, text };
  const value = text.slice(1, -1);
  if (text.startsWith("'")) return { type: "SingleQuoted", pos, end, value, text };
  const literal = { type: "Literal", pos: pos + 1, end: end - 1, value, text: value } as const;
  return { type: "DoubleQuoted", pos, end, text, parts: [literal] };
}

function joined(
  type: "AndOr" | "Pipeline",
  commands: readonly PipelineNode[],
  operators: readonly string[],
): Maybe<unknown> {
  const [first] = commands;
  const last = commands.at(-1);
  if (first === undefined || last === undefined || operators.length === 0) return first;
  const ends = { pos: first.pos, end: last.end };
  return type === "AndOr"
    ? { type, ...ends, commands, operators }
    : { type, ...ends, prefixes: [], commands, operators };
}
