/**
 * What in a syntax tree cannot be trusted: errors at every depth, text that no node accounts for,
 * and the spellings the parser is known to misread. Each problem becomes a doubt.
 */
import { forEachChild, type ParsedScript, type SyntaxNode } from "./parse.ts";

/** One reason not to trust a tree, with its offset in the text that was parsed. */
export interface Problem {
  readonly what: string;
  readonly at: number;
}

interface Visit {
  readonly source: string;
  readonly problems: Problem[];
  /** Here-document bodies in the order of their starts: text that belongs to no gap. */
  readonly bodies: readonly Body[];
  quoted: boolean;
}

interface Body {
  readonly start: number;
  readonly end: number;
  /** The furthest end of this body and those before it. */
  readonly reach: number;
}

const PLAIN_DELIMITER = /^(?:\\?[\w.\-+:@%,/=!]+|'[^']*'|"[^"$`\\]*")\r?$/;
const LIVE = /`|\$\(|\$\{[ \t\n|]|[<>]\(/;
const LIVE_QUOTED = /`|\$\(|\$\{[ \t\n|]/;
const COMMENT = /(^|[\s;&|()<>])#[^\n]*/g;

/** Everything in `script` that may hide a command; empty for a tree that can be trusted. */
export function distrust(script: ParsedScript, source: string): Problem[] {
  const problems: Problem[] = [];
  const odd = source.indexOf("$\\\n");
  if (odd >= 0) problems.push({ what: "a line break inside an expansion", at: odd });
  visitScript(script, source, problems);
  return problems;
}

function visitScript(script: ParsedScript, source: string, problems: Problem[]): void {
  const own = script.source ?? source;
  const bodies: [number, number][] = [];
  collectBodies(script, bodies);
  let reach = 0;
  const sorted = bodies.sort((a, b) => a[0] - b[0]).map(([start, end]): Body => {
    return { start, end, reach: reach = Math.max(reach, end) };
  });
  visit(script, { source: own, problems, bodies: sorted, quoted: false });
}

function collectBodies(node: SyntaxNode, bodies: [number, number][]): void {
  forEachChild(node, (child) => {
    // Backtick scripts with escapes count in their own text.
    if (child.type === "Script" && child.source !== undefined) return;
    if (child.type === "HereDocBody") bodies.push([child.pos, child.end]);
    collectBodies(child, bodies);
  });
}

function visit(node: SyntaxNode, v: Visit): void {
  if (node.type === "Script" && node.errors !== undefined) {
    for (const error of node.errors) v.problems.push({ what: error.message, at: error.pos });
  }
  const misread = misreading(node, v.source);
  if (misread !== undefined) v.problems.push({ what: misread, at: node.pos });
  if (node.type === "SingleQuoted" || node.type === "AnsiCQuoted") return;

  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  checkGaps(node, children, v);

  const quoted = v.quoted;
  if (node.type === "DoubleQuoted" || node.type === "LocaleString") v.quoted = true;
  else if (node.type === "HereDocBody") v.quoted = true;
  for (const child of children) {
    if (child.type === "Script") visitNested(child, v);
    else visit(child, v);
  }
  v.quoted = quoted;
}

/** A nested script has its own text where backticks held escapes, and quotes do not reach into it. */
function visitNested(script: ParsedScript, v: Visit): void {
  if (script.source !== undefined) return visitScript(script, script.source, v.problems);
  const quoted = v.quoted;
  v.quoted = false;
  visit(script, v);
  v.quoted = quoted;
}

/** The text of `node` that no child covers must hold nothing that runs. */
function checkGaps(node: SyntaxNode, children: SyntaxNode[], v: Visit): void {
  if (node.type === "HereDocDelimiter") return;
  if (node.type === "HereDocBody" && node.parts === undefined) return;
  const inside = children.filter((child) => child.pos >= node.pos && child.end <= node.end);
  inside.sort((a, b) => a.pos - b.pos);
  let at = node.pos + opening(node, v.source);
  let before: SyntaxNode | undefined;
  const stop = node.end - closing(node, v.source);
  for (const child of [...inside, undefined]) {
    const next = child === undefined ? stop : child.pos;
    if (next > at) checkGap(at, next, before, node, v);
    else if (touching(before) && child !== undefined && child.type === "Word" && next === at) {
      if (node.type !== "Assignment" && node.type !== "Redirect") {
        v.problems.push({ what: "two words run together", at });
      }
    }
    if (child === undefined) break;
    // A backtick script with escapes counts in its own text, so its place here is unknown.
    if (child.type === "Script" && child.source !== undefined) return;
    at = Math.max(at, child.end);
    before = child;
  }
}

function touching(node: SyntaxNode | undefined): boolean {
  return node !== undefined && (node.type === "Word" || node.type === "Assignment");
}

/** True where the last thing in a node is a word, to which a `#` right after it belongs. */
function endsInWord(node: SyntaxNode | undefined): boolean {
  switch (node?.type) {
    case "Word":
    case "Assignment":
    case "Command":
    case "Redirect":
    case "HereString":
      return true;
    case "Statement":
      return endsInWord(node.command);
    case "Pipeline":
    case "AndOr":
      return endsInWord(node.commands.at(-1));
    default:
      return false;
  }
}

function checkGap(
  from: number,
  to: number,
  before: SyntaxNode | undefined,
  node: SyntaxNode,
  v: Visit,
): void {
  let text = "";
  let at = from;
  for (let i = firstReaching(v.bodies, at); i < v.bodies.length; i++) {
    const { start, end } = v.bodies[i]!;
    if (node.type === "HereDocBody" || start >= to) break;
    if (end <= at) continue;
    text += v.source.slice(at, Math.max(at, start)) + "\n";
    at = end;
  }
  if (at < to) text += v.source.slice(at, to);
  if (text.startsWith("#") && endsInWord(before)) {
    v.problems.push({ what: "a word runs into a #", at: from });
  }
  if (isList(node)) text = text.replace(COMMENT, "$1");
  text = text.replace(/\\[^]/g, "");
  if ((v.quoted || node.type === "DoubleQuoted" ? LIVE_QUOTED : LIVE).test(text)) {
    v.problems.push({ what: "text that belongs to no command", at: from });
  } else if (node.type === "Word" && node.parts === undefined && /\$[\w{@*#?!$-]/.test(text)) {
    v.problems.push({ what: "an expansion read as plain text", at: from });
  }
}

/** The index of the first body that reaches past `at`, found by halving. */
function firstReaching(bodies: readonly Body[], at: number): number {
  let low = 0;
  let high = bodies.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bodies[middle]?.reach ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isList(node: SyntaxNode): boolean {
  switch (node.type) {
    case "Script":
    case "CompoundList":
    case "Statement":
    case "Command":
    case "Pipeline":
    case "AndOr":
    case "If":
    case "Elif":
    case "For":
    case "Select":
    case "While":
    case "Case":
    case "CaseItem":
    case "Function":
    case "Subshell":
    case "BraceGroup":
    case "ArrayValue":
    case "Redirected":
    case "Coproc":
    case "ArithmeticFor":
      return true;
    default:
      return false;
  }
}

/** How many characters at the front of a node are its own opening, not text left unread. */
function opening(node: SyntaxNode, source: string): number {
  switch (node.type) {
    case "CommandExpansion":
    case "ArithmeticCommandExpansion":
      return source[node.pos] === "`" ? 1 : source.startsWith("${", node.pos) ? 3 : 2;
    case "ProcessSubstitution":
      return 2;
    case "ArithmeticExpansion":
      return 3;
    default:
      return 0;
  }
}

function closing(node: SyntaxNode, source: string): number {
  const backtick = node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion";
  return backtick && source[node.end - 1] === "`" ? 1 : 0;
}

/** A substitution that runs to the end of the text may lack its closing mark without an error. */
function isClosed(text: string): boolean {
  const close = text.startsWith("${") ? "}" : text.startsWith("`") ? "`" : ")";
  return text.length > 1 && text.endsWith(close);
}

/** The spellings that the parser takes for something else, without an error. */
function misreading(node: SyntaxNode, source: string): string | undefined {
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script === undefined || !isClosed(node.text)
        ? "a substitution that could not be read"
        : undefined;
    case "AnsiCQuoted":
      return /\\\n|\\x\{/.test(node.text) ? "an escape that shells read differently" : undefined;
    case "Redirect": {
      const target = node.target?.text ?? "";
      const moves = node.operator === "<&" || node.operator === ">&";
      return moves && /^-./.test(target) ? "text glued to a closed descriptor" : undefined;
    }
    case "Assignment": {
      if (node.index === undefined) return undefined;
      const index = source.slice(node.pos + node.name.length, node.index.end + 1);
      return /[\s<>|&;{}()]/.test(index.replace(/\$\{[\w@*#!]+\}/g, ""))
        ? "an index that may be no index"
        : undefined;
    }
    case "HereDocDelimiter":
      return PLAIN_DELIMITER.test(node.text) ? undefined : "an odd here-document delimiter";
    case "ArithmeticExpansion":
    case "ArithmeticCommand": {
      const text = source.slice(node.pos, node.end);
      const hereDoc = /\$\([^(]/.test(text) && /<<-?\s*['"\\A-Za-z_]/.test(text);
      return text.includes("`") || hereDoc ? "arithmetic that may be a command" : undefined;
    }
    case "ParameterExpansion":
      if (node.text.startsWith("${(")) return "an expansion flag of another shell";
      return node.operation?.type === "Unknown" ? "an expansion of unknown form" : undefined;
    case "ExtendedGlob":
      return /^e:/.test(node.pattern) ? "a pattern that runs code" : undefined;
    default:
      return undefined;
  }
}
