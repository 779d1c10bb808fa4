/**
 * gitvow's own guard: what an agent may not change about the gate itself. Not configurable.
 *
 * Changing gitvow's files or an agent's hook configuration is asked about; running the commands
 * that grant, trust or remove is denied, since only a person may (`own_commands.ts`).
 */
import type { HookCall } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import { compileGlob, globMatches, globMayReach } from "../policy/glob.ts";
import { dirname, relativeTo } from "../system/paths.ts";
import type { GateContext } from "./context.ts";
import { matched } from "./findings.ts";
import { EXECUTABLE, FOLDERS, guarded, guardedKind } from "./guarded.ts";
import { isSecretRead, judgeOperands, SECRET_REASON } from "./operands.ts";
import { isOwnFile, judgeOwnCommands } from "./own_commands.ts";
import { reaches, subjectOf, takesAllBelow, type Touched, touchedFiles } from "./paths.ts";

/** Programs that copy whole folders. */
const COPY_TREES: ReadonlySet<string> = new Set(["cp", "rsync", "scp", "tar", "zip", "mv", "ln"]);

/** Programs that unpack an archive into a folder, whatever it holds. */
const UNPACKERS: ReadonlySet<string> = new Set("tar bsdtar unzip 7z 7za 7zz cpio unar".split(" "));

/** What gitvow itself has to say about a call. */
export function guardStage(_call: HookCall, context: GateContext): Promise<Finding[]> {
  const findings = context.commands.flatMap(({ reading }) => [
    ...judgeOwnCommands(reading, context),
    ...judgeOperands(reading, context),
  ]);
  for (const file of touchedFiles(context, context.speller)) {
    const reason = whyGuarded(file, context);
    if (reason === undefined) continue;
    findings.push({
      outcome: "confirm",
      subject: subjectOf(file),
      reason,
      evidence: [matched(file.path)],
      source: "gitvow's own guard",
    });
  }
  return Promise.resolve(findings);
}

/** Why a file is guarded, as a clause: what it is, or what lies below it. */
function whyGuarded(file: Touched, context: GateContext): string | undefined {
  const sweeps = takesAllBelow(file);
  if (reachesProgram(file, sweeps, context)) return `it is ${EXECUTABLE}`;
  if (file.verb === "read") return readsSecret(file, context) ? SECRET_REASON : undefined;
  if (unpacksOver(file, context)) {
    return "what is unpacked there may take the place of gitvow's files";
  }
  // `build/**/*.o` could name anything anywhere below: what is there on disk decides.
  const deep = file.glob && file.path.includes("**");
  if (!deep) {
    for (const { what, globs } of guarded()) {
      // What lies below a folder that goes whole is looked up on disk.
      const hit = globs.some((glob) =>
        file.glob ? reaches(file, glob) : globMatches(glob, file.spelled.all)
      );
      if (hit) return `it is ${what}`;
    }
  }
  const below = sweeps || deep ? guardedBelow(file, context) : undefined;
  return below === undefined ? undefined : `it holds ${below}`;
}

/**
 * True where gitvow's program is written, or read by a command: a copy of it under another name
 * would slip past the rule about its commands.
 */
function reachesProgram(file: Touched, sweeps: boolean, context: GateContext): boolean {
  const places = placesOf(file);
  if (file.verb === "read" && file.by === undefined) return false;
  if (places.some((path) => isOwnFile(path, context))) return true;
  const copied = file.verb === "read" && file.recursive && COPY_TREES.has(file.by ?? "");
  if (!sweeps && !copied) return false;
  const own = [...context.executables, `${context.home}/.gitvow/bin`];
  return own.some((path) =>
    places.some((place) => relativeTo(place, path) !== undefined) ||
    (file.glob && sweeps && !file.path.includes("**") && isNamed(path, file))
  );
}

/** Programs that say where files are, and not what is in them. */
const TELL_NAMES: ReadonlySet<string> = new Set("ls find fd du tree stat test [ cd".split(" "));

function readsSecret(file: Touched, context: GateContext): boolean {
  if (file.by !== undefined && TELL_NAMES.has(file.by)) return false;
  const own = `${context.home}/.gitvow`;
  return placesOf(file).some((place) => {
    const path = file.glob ? fixedPart(place) : place;
    // A tool that searches a folder reads what is below it, and so does a pattern with wildcards.
    const searched = file.by === undefined && relativeTo(own, path) !== undefined;
    return isSecretRead(path, (file.recursive && !file.glob) || searched, context);
  });
}

/** True where an archive is unpacked into the home, or a folder above it. */
function unpacksOver(file: Touched, context: GateContext): boolean {
  return file.verb === "write" && file.recursive && UNPACKERS.has(file.by ?? "") &&
    placesOf(file).some((place) => relativeTo(place, context.home) !== undefined);
}

function placesOf({ spelled }: Touched): readonly string[] {
  return [spelled.absolute, spelled.real];
}

/** What guarded thing on disk lies below the file, or is named by its wildcards. */
function guardedBelow(file: Touched, context: GateContext): string | undefined {
  const places = placesOf(file).map((place) => file.glob ? fixedPart(place) : place);
  for (const folder of guardedFolders(places, context)) {
    for (const name of context.system.files.list(folder)) {
      const path = `${folder}/${name}`;
      const what = guardedKind([path]);
      if (what !== undefined && (!file.glob || isNamed(path, file))) return what;
    }
  }
  return undefined;
}

/** The folder in front of a path's first wildcard. */
function fixedPart(path: string): string {
  return dirname(path.replace(/[*?[{].*$/s, ""));
}

/** Folders for guarded files that stand at or below one of the places, each top listed once. */
function guardedFolders(places: readonly string[], context: GateContext): string[] {
  const tops = [
    context.home,
    ...context.policy.layers.map((layer) => dirname(dirname(layer.path))),
  ];
  if (context.repo !== undefined) tops.push(context.repo);
  return [...new Set([...tops, ...places, ...places.map(dirname)])].flatMap((top) => {
    const below = top === "/" ? "" : top;
    const wanted = FOLDERS.filter((folder) =>
      places.some((place) => relativeTo(place, `${below}/${folder}`) !== undefined)
    );
    if (wanted.length === 0) return [];
    const names = new Set(context.system.files.list(top));
    return wanted.filter((folder) => names.has(folder.split("/", 1)[0] ?? ""))
      .map((folder) => `${below}/${folder}`);
  });
}

/** True where an operand with wildcards may name the path or a folder above it. */
function isNamed(path: string, file: Touched): boolean {
  for (let at = path; at !== "/"; at = dirname(at)) {
    const glob = compileGlob(at.replace(/[\\*?[\]{}]/g, "\\$&"));
    if (file.spelled.all.some((one) => globMayReach(glob, one, one.includes("**")))) return true;
  }
  return false;
}
