/**
 * The name that `mktemp` prints, its `X`s left as they are: the directory is what a rule judges.
 */
import type { Output } from "./frame.ts";
import type { Program } from "./program.ts";

const DEFAULT_TEMPLATE = "tmp.XXXXXXXXXX";
const DEFAULT_DIRECTORY = "/tmp";

/**
 * The line that `mktemp` prints, or undefined where its directory is not known: what follows the
 * name (`$(mktemp -d -p ~)/../x`) would else be judged in a place that it does not reach.
 * Source of the options: GNU coreutils' manual, "mktemp invocation".
 */
export function tempName(program: Program): Output {
  const templates: string[] = [];
  let directory: string | undefined;
  let suffix = "";
  let legacy = false;
  let inDirectory = false;
  let optionsOver = false;
  const args = program.args.values();
  for (const arg of args) {
    const word = arg.value;
    if (word === undefined || arg.glob) return undefined;
    if (optionsOver || !word.startsWith("-")) templates.push(word);
    else if (word === "--") optionsOver = true;
    else if (word === "--tmpdir") inDirectory = true;
    else if (word.startsWith("--tmpdir=")) directory = word.slice("--tmpdir=".length);
    else if (word.startsWith("--suffix=")) suffix = word.slice("--suffix=".length);
    else if (/^-[dqu]*t$/.test(word)) legacy = true;
    else if (/^-[dqut]*p/.test(word)) {
      legacy ||= word.slice(0, word.indexOf("p")).includes("t");
      const attached = word.slice(word.indexOf("p") + 1);
      const next = attached === "" ? args.next().value : undefined;
      if (next?.glob) return undefined;
      directory = attached === "" ? next?.value : attached;
      if (directory === undefined) return undefined;
    } else if (!/^(?:-[dqut]+|--(?:directory|dry-run|quiet))$/.test(word)) return undefined;
    else legacy ||= !word.startsWith("--") && word.includes("t");
  }
  // With `-t` the environment's directory goes before the one of `-p`.
  if (templates.length > 1 || (legacy && directory !== undefined)) return undefined;
  const [template] = templates;
  const name = `${template ?? DEFAULT_TEMPLATE}${suffix}`;
  if (template !== undefined && directory === undefined && !legacy && !inDirectory) {
    return `${name}\n`;
  }
  const place = directory || environmentDirectory(program);
  return place === undefined ? undefined : `${place}/${name}\n`;
}

/** `$TMPDIR` as the command line sets it, else the usual place; undefined where not known. */
function environmentDirectory({ call, frame }: Program): string | undefined {
  const given = call.assignments.findLast(({ name }) => name === "TMPDIR");
  if (given !== undefined) return given.value === "" ? DEFAULT_DIRECTORY : given.value;
  const values = frame.scope.vars.get("TMPDIR")?.values ?? [null];
  if (values.length > 1 || values[0] === undefined) return undefined;
  return values[0] || DEFAULT_DIRECTORY;
}
