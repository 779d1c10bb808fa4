/**
 * The one place that knows the parser package: shell text in, syntax tree out.
 *
 * The tree is never trusted as it comes; `guards.ts` says what in it cannot be.
 */
import { parse, type ParsedScript } from "unbash";

export { forEachChild } from "unbash";
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

/** Parses `source`; errors stand in the tree. Throws only where the parser itself breaks. */
export function parseShell(source: string): ParsedScript {
  return parse(source);
}
