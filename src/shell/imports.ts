/**
 * Other names that code gives to modules and their functions: `import os as o`,
 * `from shutil import rmtree as r`, `const f = require("fs")`.
 */
import type { Chain } from "./expressions.ts";
import type { Token } from "./tokens.ts";

/** Notes every renaming in `tokens`: new name to the dotted name it stands for. */
export function noteImports(tokens: readonly Token[], aliases: Map<string, string>): void {
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token?.kind !== "name") continue;
    if (token.text === "import") i = noteImport(tokens, i + 1, "", aliases);
    else if (token.text === "from") {
      const module = dotted(tokens, i + 1);
      if (module !== undefined && tokens[module.end]?.text === "import") {
        i = noteImport(tokens, module.end + 1, `${module.name}.`, aliases);
      } else noteDefault(tokens, i, aliases);
    } else if (token.text === "require" && tokens[i + 1]?.text === "(") {
      noteRequire(tokens, i, aliases);
    }
  }
}

/** `a.b as c, d`, with or without brackets; gives the index of the last token. */
function noteImport(
  tokens: readonly Token[],
  from: number,
  prefix: string,
  aliases: Map<string, string>,
): number {
  let i = tokens[from]?.text === "(" ? from + 1 : from;
  for (;;) {
    const found = dotted(tokens, i);
    if (found === undefined) return Math.max(from, i - 1);
    i = found.end;
    const renames = tokens[i]?.text === "as" ? tokens[i + 1] : undefined;
    if (renames?.kind === "name") {
      aliases.set(renames.text, prefix + found.name);
      i += 2;
    } else if (prefix !== "") aliases.set(found.name, prefix + found.name);
    if (tokens[i]?.text !== ",") return i - 1;
    i++;
    while (tokens[i]?.text === "\n") i++;
  }
}

function dotted(tokens: readonly Token[], at: number): { name: string; end: number } | undefined {
  const first = tokens[at];
  if (first?.kind !== "name") return undefined;
  let name = first.text;
  let end = at + 1;
  while (tokens[end]?.text === "." && tokens[end + 1]?.kind === "name") {
    name += `.${tokens[end + 1]?.text}`;
    end += 2;
  }
  return { name, end };
}

/** `import f from "fs"`, `import * as f from "fs"`: the name stands right before `from`. */
function noteDefault(tokens: readonly Token[], from: number, aliases: Map<string, string>): void {
  const name = tokens[from - 1];
  const module = tokens[from + 1];
  if (name?.kind !== "name" || module?.kind !== "string") return;
  aliases.set(name.text, moduleName(module.text));
}

/** `f = require("fs")`. */
function noteRequire(tokens: readonly Token[], at: number, aliases: Map<string, string>): void {
  const name = tokens[at - 2];
  const module = tokens[at + 2];
  const plain = tokens[at - 1]?.text === "=" && tokens[at + 3]?.text === ")";
  if (
    !plain || name?.kind !== "name" || module?.kind !== "string" || tokens[at + 4]?.text === "."
  ) {
    return;
  }
  aliases.set(name.text, moduleName(module.text));
}

function moduleName(text: string): string {
  return text.replace(/^node:/, "").replace("/promises", "");
}

/** A chain with its first name replaced by what it stands for. */
export function renamed(chain: Chain, aliases: ReadonlyMap<string, string>): Chain {
  const first = chain.names[0] ?? "";
  const real = aliases.get(first);
  if (real === undefined) return chain;
  return { ...chain, names: [...real.split("."), ...chain.names.slice(1)] };
}
