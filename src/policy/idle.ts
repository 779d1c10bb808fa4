/** Parts of rules that can never match: most often another tool's way to write them. */
import type { PolicyFile } from "./schema.ts";
import type { ShapeIssue } from "./shape.ts";

type Path = readonly (string | number)[];
type Names = string | readonly string[] | undefined;

/** The keys of a policy that hold rules of either kind. */
interface RuleKeys {
  readonly commands: readonly ("bash_deny" | "bash_confirm")[];
  readonly paths: readonly ("path_deny" | "path_confirm" | "read_deny" | "read_confirm")[];
}

/** Every name, flag and glob of a policy file that nothing can match, and why. */
export function idleParts(file: PolicyFile, keys: RuleKeys): ShapeIssue[] {
  const commands = keys.commands.flatMap((key) =>
    (file[key] ?? []).flatMap((rule, index) =>
      "pattern" in rule ? [] : [
        ...look([key, index, "program"], rule.program, idleProgram),
        ...look([key, index, "flags"], rule.flags, idleFlag),
        ...look([key, index, "unless", "flags"], rule.unless?.flags, idleFlag),
      ]
    )
  );
  const paths = keys.paths.flatMap((key) =>
    (file[key] ?? []).flatMap((rule, index) => [
      ...look([key, index, "glob"], "glob" in rule ? rule.glob : undefined, idleGlob),
      ...look([key, index, "unless", "glob"], rule.unless?.glob, idleGlob),
    ])
  );
  return [...commands, ...paths];
}

function look(path: Path, names: Names, why: (name: string) => string | undefined): ShapeIssue[] {
  const list: readonly (readonly [Path, string])[] = names === undefined
    ? []
    : typeof names === "string"
    ? [[path, names]]
    : names.map((name, index) => [[...path, index], name] as const);
  return list.flatMap(([place, name]) => {
    const message = why(name);
    return message === undefined
      ? []
      : [{ path: place, message: `never matches: ${JSON.stringify(name)} ${message}` }];
  });
}

function idleProgram(name: string): string | undefined {
  if (/\s/.test(name)) return 'has white space; write the words after the program as "verbs"';
  if (/[\\/]/.test(name)) return "has a folder, and programs are matched by their base name";
  // `[` and `[[` are programs.
  if (/[*?{}]|[^[]\[|\]/.test(name)) {
    return "is a glob, and programs are matched as they are written";
  }
  return undefined;
}

function idleFlag(flag: string): string | undefined {
  return /^[-/]/.test(flag)
    ? undefined
    : 'does not begin with - or /; words are matched by "verbs" and "args"';
}

function idleGlob(glob: string): string | undefined {
  if (glob.startsWith("!")) return 'begins with !, which negates nothing; write it as "unless"';
  if (glob.startsWith("../")) return "begins with ../, and files are matched from the top down";
  return glob.includes("//") ? "holds //, and no path does" : undefined;
}
