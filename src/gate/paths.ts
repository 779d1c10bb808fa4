/** The path stage: rules about the files an edit tool or a command writes, deletes or reads. */
import type { HookCall } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import { type Glob, globLiesBelow, globMatches, globMayReach } from "../policy/glob.ts";
import { search, searchNow } from "../policy/pattern.ts";
import type { FileMatch, PathRule, PolicyLayer } from "../policy/policy.ts";
import type { FileUse, Reading, Word } from "../shell/reading.ts";
import type { GateContext } from "./context.ts";
import { matched, outcomeOf, sourceOf, timedOut } from "./findings.ts";
import type { Spelled, Speller } from "./spellings.ts";

/** Files one call may touch before the rest is asked about unread. */
export const FILE_LIMIT = 256;

/** One file that the call touches, however it does so. */
export interface Touched {
  readonly verb: "read" | "write" | "delete";
  readonly path: string;
  readonly glob: boolean;
  readonly recursive: boolean;
  readonly spelled: Spelled;
  /** The program that does it; undefined for a tool. */
  readonly by: string | undefined;
}

/** Every file that the call's actions and commands touch, spelled. Files known only at run time are not among them. */
export function touchedFiles(context: GateContext, speller: Speller): Touched[] {
  const touched: Touched[] = [];
  for (const action of context.actions) {
    if (action.kind !== "read" && action.kind !== "write") continue;
    touched.push({
      verb: action.kind,
      path: action.path,
      glob: action.kind === "read" && /[*?[{]/.test(action.path),
      recursive: false,
      spelled: speller.spell(action.path),
      by: undefined,
    });
  }
  for (const { reading } of context.commands) {
    for (const use of reading.files) {
      const spelled = spelledUse(use, reading, speller);
      if (spelled === undefined) continue;
      touched.push({
        verb: use.how,
        path: use.path.text,
        glob: use.path.glob,
        recursive: use.recursive,
        spelled,
        by: use.by,
      });
    }
  }
  return touched;
}

/**
 * The spellings of a command's file, undefined where its path is known only at run time. One with `..` in it is spelled as written from the directory
 * of its command, because after a link `..` leads elsewhere than the resolved path says.
 */
export function spelledUse(
  use: FileUse,
  reading: Reading,
  speller: Speller,
): Spelled | undefined {
  const { value } = use.path;
  if (use.resolved === undefined) return value === undefined ? undefined : speller.spell(value);
  if (value?.includes("..")) {
    for (const { place } of reading.invocations) {
      if (place.kind !== "here" || place.cwd === undefined) continue;
      const spelled = speller.spell(value, place.cwd);
      if (spelled.absolute === use.resolved) return spelled;
    }
  }
  return speller.spell(use.resolved);
}

/** What the path and read rules have to say. */
export async function pathStage(_call: HookCall, context: GateContext): Promise<Finding[]> {
  const touched = touchedFiles(context, context.speller);
  const findings: Finding[] = touched.length > FILE_LIMIT ? [tooMany(touched.length)] : [];
  for (const file of touched.slice(0, FILE_LIMIT)) {
    for (const layer of context.policy.layers) {
      for (const [list, rules] of rulesFor(file, layer)) {
        for (const rule of rules) {
          const found = await judge(file, rule, list);
          if (found !== undefined) findings.push(found);
        }
      }
    }
  }
  return [...findings, ...await frontFindings(context)];
}

/** What the rules have to say about files of which only the folder is known: `cat ~/.ssh/$KEY`. */
async function frontFindings(context: GateContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  const fronts = context.commands.flatMap(({ reading }) =>
    reading.files.filter(({ path }) => path.value === undefined)
  );
  for (const use of fronts.slice(0, FILE_LIMIT)) {
    const folder = knownFolder(use.path);
    if (folder === undefined) continue;
    const spelled = context.speller.spell(`${folder}/x`);
    const folders = context.speller.spell(folder).all.filter((one) =>
      !/^(?:[.~/]|\.\/.*)$/.test(one)
    );
    const { by, how, recursive, path } = use;
    const file = { verb: how, path: path.text, glob: false, recursive, spelled, by };
    for (const layer of context.policy.layers) {
      for (const [list, rules] of rulesFor(file, layer)) {
        for (const rule of rules) {
          const named = rule.match.globs.some(({ source }) =>
            folders.includes(source.replace(/\/?[^/]*[*?[{].*$|\/[^/]*$/s, ""))
          );
          if (!named && await holds(file, rule) === "none") continue;
          findings.push({
            outcome: outcomeOf(list, rule.when) === "observe" ? "observe" : "confirm",
            subject: `${VERBS[how]} ${path.text}`,
            reason: `a word known only at run time could make this: ${rule.reason}`,
            evidence: [matched(path.text)],
            source: sourceOf(rule.origin),
          });
        }
      }
    }
  }
  return findings;
}

/** The folder at the front of a word whose rest is known only at run time, where it names one. */
export function knownFolder({ text }: Word): string | undefined {
  const front = text.slice(0, Math.max(0, text.search(/[$`]/)));
  const end = front.lastIndexOf("/");
  return end > 0 ? front.slice(0, end) : undefined;
}

function rulesFor(
  file: Touched,
  layer: PolicyLayer,
): (readonly ["deny" | "confirm", readonly PathRule[]])[] {
  return file.verb === "read"
    ? [["deny", layer.readDeny], ["confirm", layer.readConfirm]]
    : [["deny", layer.pathDeny], ["confirm", layer.pathConfirm]];
}

async function judge(
  file: Touched,
  rule: PathRule,
  list: "deny" | "confirm",
): Promise<Finding | undefined> {
  const subject = subjectOf(file);
  const hit = await holds(file, rule);
  if (hit === "none") return undefined;
  if (hit === "timeout") return timedOut(rule.origin, subject);
  return {
    outcome: outcomeOf(list, rule.when),
    subject,
    reason: rule.reason,
    evidence: [matched(file.path)],
    source: sourceOf(rule.origin),
  };
}

async function holds(file: Touched, rule: PathRule): Promise<"match" | "none" | "timeout"> {
  const hit = await meets(file, file.spelled.all, rule.match);
  if (hit !== "match" || rule.unless === undefined) return hit;
  // An operand with wildcards may name files on both sides of the exception.
  if (file.glob) return hit;
  // Both the name and the file it leads to must be excepted: a link lifts nothing.
  for (const group of file.spelled.groups) {
    if (await meets(file, group, rule.unless) !== "match") return hit;
  }
  return "none";
}

async function meets(
  file: Touched,
  spellings: readonly string[],
  match: FileMatch,
): Promise<"match" | "none" | "timeout"> {
  if (match.globs.some((glob) => reaches(file, glob, spellings))) return "match";
  const { pattern } = match;
  if (pattern === undefined) return "none";
  for (const spelling of spellings) {
    const result = searchNow(pattern, spelling) ?? await search(pattern, spelling);
    if (result.kind !== "none") return result.kind;
  }
  return "none";
}

/** Programs that with an option change everything below a folder. */
const SWEEPING: ReadonlySet<string> = new Set(["chmod", "chown", "chgrp", "chattr", "setfacl"]);

/** True where the file goes with everything below it: `rm -r`, `mv`, `chmod -R`. */
export function takesAllBelow(file: Touched): boolean {
  if (file.verb === "delete") return file.recursive || file.by === "mv";
  return file.verb === "write" && file.recursive && SWEEPING.has(file.by ?? "");
}

/** True where a glob may hold for the file, or for what goes with it; a shell's leading wildcard takes no dot. */
export function reaches(
  file: Touched,
  glob: Glob,
  spellings: readonly string[] = file.spelled.all,
): boolean {
  if (!file.glob) {
    return globMatches(glob, spellings) ||
      (takesAllBelow(file) && globLiesBelow(glob, spellings));
  }
  const hidden = file.by === undefined;
  return spellings.some((spelling) => globMayReach(glob, spelling, hidden));
}

const VERBS: Record<FileUse["how"], string> = { read: "read", write: "edit", delete: "delete" };

/** `edit .github/workflows/ci.yml`: relative inside a repository, else under `~`, else absolute. */
export function subjectOf(file: Touched): string {
  const { all, absolute, repositories } = file.spelled;
  const relative = all.find((one) => !/^(?:[/~]|\.\.?(?:\/|$))/.test(one));
  const tilde = all.find((one) => one.startsWith("~"));
  const shown = repositories.length > 0 ? relative ?? tilde : tilde;
  return `${VERBS[file.verb]} ${shown ?? absolute}`;
}

function tooMany(count: number): Finding {
  return {
    outcome: "confirm",
    subject: "touch many files",
    reason: `the call names ${count} files, and only ${FILE_LIMIT} of them were judged`,
    evidence: [],
    source: "gitvow",
  };
}
