/**
 * Shell text in, syntax tree out: plain texts by our own small parser, all others by the package.
 *
 * The tree is never trusted as it comes; `guards.ts` says what in it cannot be.
 */
import type { ParsedScript, SyntaxNode } from "unbash";
import { parsePlain } from "./plain.ts";
import type * as Package from "./unbash.ts";

export type {
  AndOr,
  Assignment,
  Command,
  CommandNode,
  CompoundList,
  Function as FunctionNode,
  HereDoc,
  HereString,
  ParameterExpansionPart,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirect,
  Redirected,
  Redirection as RedirectionNode,
  Statement,
  SyntaxNode,
  TestExpression,
  Word as WordNode,
  WordPart,
} from "unbash";

/** Thrown where a text needs the parser package and `loadParser` has not been called. */
export class ParserMissing extends Error {}

let loaded: typeof Package | undefined;

/** Loads the parser package, for texts that are not plain. */
export async function loadParser(): Promise<void> {
  loaded ??= await import("./unbash.ts");
}

/**
 * Parses `source`; errors stand in the tree. Throws `ParserMissing`, and else only where the parser
 * itself breaks.
 */
export function parseShell(source: string): ParsedScript {
  const plain = parsePlain(source);
  if (plain !== undefined) return plain;
  if (loaded === undefined) throw new ParserMissing();
  return loaded.parse(source);
}

/** Calls `visit` for every direct child of a node, in the order of the text. */
export function forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => unknown): void {
  if (loaded !== undefined) {
    loaded.forEachChild(node, visit);
    return;
  }
  for (const child of plainChildren(node)) visit(child);
}

/** The children of a node of a plain tree: without the package there are no others. */
function plainChildren(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.type) {
    case "Script":
    case "Pipeline":
    case "AndOr":
      return node.commands;
    case "Statement":
      return [node.command];
    case "Command": {
      const name = node.name === undefined ? [] : [node.name];
      return [...node.prefix, ...name, ...node.suffix];
    }
    case "Redirect": {
      const target = node.target === undefined ? [] : [node.target];
      return node.descriptor === undefined ? target : [node.descriptor, ...target];
    }
    case "Word":
    case "DoubleQuoted":
      return node.parts ?? [];
    default:
      return [];
  }
}
