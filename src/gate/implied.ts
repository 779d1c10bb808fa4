/**
 * Invocations that a call implies without naming a program: files deleted by inline code, and
 * statements handed to a database tool. They are judged by the rules about `rm` and `psql`.
 */
import type { FileUse, Invocation, Reading, Word } from "../shell/reading.ts";
import type { ReadCommand } from "./context.ts";

/** Programs whose inline code the shell reader looks into. */
const CODE = /^(?:python|pypy|node|nodejs|deno|bun|tsx|ruby|perl|php|lua|awk|gawk|\[)/;

/** The reading with an `rm` for every file that inline code deletes. */
export function withDeletions(reading: Reading): Reading {
  const implied = reading.files.filter((file) => file.how === "delete" && CODE.test(file.by))
    .map(asRemoval);
  return implied.length === 0
    ? reading
    : { ...reading, invocations: [...reading.invocations, ...implied] };
}

function asRemoval(file: FileUse): Invocation {
  // Code that deletes what it computes may delete many files, as a loop over a folder does.
  const whole = file.recursive || file.path.value === undefined;
  const path: Word = file.resolved === undefined
    ? file.path
    : { ...file.path, text: file.resolved, value: file.resolved };
  return invocation("rm", [...(whole ? [word("-r", file)] : []), path], {
    span: file.span,
    via: [`code of ${file.by}`],
    source: `delete ${file.path.text}`,
    cwd: undefined,
  });
}

/** Database statements as the command that would run them. */
export function readStatements(statements: string, cwd: string): ReadCommand {
  const span = { start: 0, end: statements.length };
  const texts = [...new Set([statements, blanked(statements)])];
  const args = texts.flatMap((text) => [word("-c", { span }), word(text, { span })]);
  const psql = invocation("psql", args, {
    span,
    via: ["the tool's query"],
    source: statements.slice(0, 300),
    cwd,
  });
  return {
    command: statements,
    reading: { invocations: [psql], files: [], doubts: [], bareWords: undefined },
  };
}

/**
 * Statements with their comments as blanks, those that stand in one another too; what MySQL runs
 * although it stands in a comment (`/*!50000 DROP *\/`) stays.
 */
function blanked(statements: string): string {
  let out = "";
  let depth = 0;
  const marks = /\/\*(!\d*)?|\*\/|--[^\n]*|#[^\n]*|[^/*#-]+|[^]/g;
  for (const [text, live] of statements.matchAll(marks)) {
    if (text.startsWith("/*")) {
      if (live === undefined) depth++;
      out += " ";
    } else if (text === "*/") {
      depth = Math.max(0, depth - 1);
      out += " ";
    } else if (depth === 0) out += /^(?:--|#)/.test(text) ? " " : text;
  }
  return out;
}

function word(text: string, { span }: Pick<Word, "span">): Word {
  return { text, value: text, glob: false, span };
}

function invocation(
  name: string,
  args: readonly Word[],
  rest: Pick<Invocation, "span" | "via" | "source"> & { readonly cwd: string | undefined },
): Invocation {
  return {
    name,
    program: word(name, rest),
    args,
    assignments: [],
    redirections: [],
    input: { kind: "none" },
    place: { kind: "here", cwd: rest.cwd },
    via: rest.via,
    span: rest.span,
    source: rest.source,
  };
}
