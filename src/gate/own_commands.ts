/**
 * Running gitvow's own commands: the ones that grant, trust or remove are for a person alone.
 *
 * gitvow is recognised however it is started: by name, by path, through a link, through the runtime
 * or another program that runs what it is given, or as a copy made by the same command line. Text
 * that only speaks of it is left alone.
 */
import type { Finding } from "../domain/finding.ts";
import type { Invocation, Reading, Word } from "../shell/reading.ts";
import { basename, dirname, isAbsolute, relativeTo, resolve } from "../system/paths.ts";
import { argumentsOf } from "./arguments.ts";
import type { GateContext } from "./context.ts";
import { matched } from "./findings.ts";
import { realPathOf } from "./spellings.ts";

/** Commands of gitvow that only a person may run. */
const PERSONAL: ReadonlySet<string> = new Set(["approve", "trust", "uninstall", "install"]);

/** Programs that run a script of JavaScript or TypeScript. */
const RUNTIMES: ReadonlySet<string> = new Set("deno node nodejs bun tsx runtime".split(" "));

/** gitvow as a package that a runtime or a package runner fetches. */
const OWN_PACKAGE = /^(?:npm:|jsr:)?@gitvow\/gitvow(?:@.*)?$/i;

/** A code as `approve` takes it. */
const CODE = /^[2-9A-HJ-NP-Za-hj-np-z]{4,6}$/;

/** Programs whose `approve` is a command of their own. */
const APPROVE_OTHERS: ReadonlySet<string> = new Set("glab jira az aws gcloud terraform".split(" "));

/** Programs that hand words on which are not seen here. */
const HANDS_ON = /^(?:xargs|parallel|find)\b/;

/** What gitvow's program files are called. */
const OWN_NAME = /^gitvow(?:\.exe|\.js)?$/i;

/** Programs that take names and text and start none of them, however the words may look. */
const RUN_NOTHING: ReadonlySet<string> = new Set(
  ("echo printf grep egrep fgrep rg ag ack man apropos whatis tldr info which whereis type hash " +
    "ls cat bat less more head tail wc file stat du find fd tree readlink realpath basename " +
    "dirname sha256sum shasum md5sum diff cmp sort uniq cut sed awk jq touch mkdir rmdir rm cp mv " +
    "ln install tar zip unzip rsync scp chmod chown git hg gh make ninja cmake npm pnpm yarn pip " +
    "pip3 cargo gem bundle brew apt apt-get dnf yum pacman apk curl wget cd pushd export read test")
    .split(" "),
);

/** Programs that make a copy of a file, or another name for it. */
const COPIES: ReadonlySet<string> = new Set(
  ("cp ln mv install dd rsync tee > >> >| cat link scp").split(" "),
);

/** Words of one command whose links are followed. */
const LOOKED_UP = 256;

/** What gitvow itself has to say about the commands of one command line. */
export function judgeOwnCommands(reading: Reading, context: GateContext): Finding[] {
  const copies = copiesIn(reading, context);
  return reading.invocations.flatMap((invocation) => {
    const found = judge(invocation, copies, context);
    return found === undefined ? [] : [found];
  });
}

function judge(
  invocation: Invocation,
  copies: ReadonlySet<string>,
  context: GateContext,
): Finding | undefined {
  const words = [invocation.program, ...invocation.args];
  if (invocation.name === "ln" && words.some((word) => namesProgram(word, invocation, context))) {
    return secondName(invocation);
  }
  if (!words.some((word) => word.value === undefined || PERSONAL.has(word.value))) return undefined;
  if (invocation.name !== undefined && OWN_NAME.test(invocation.name)) {
    return verbFinding(invocation, 0);
  }
  const runsNothing = RUN_NOTHING.has(invocation.name ?? "");
  for (const [index, word] of words.entries()) {
    if (runsNothing && index > 0) return undefined;
    if (!isGitvow(word, index, invocation, copies, context)) continue;
    const found = verbFinding(invocation, index);
    if (found?.outcome === "deny") return found;
  }
  return runsNothing ? undefined : approval(invocation);
}

/** The finding where a program that may be gitvow under another name is told to approve a code. */
function approval(invocation: Invocation): Finding | undefined {
  const { args, name, source } = invocation;
  if (APPROVE_OTHERS.has(name ?? "")) return undefined;
  const at = args.findIndex(({ value }) => value === "approve");
  if (at < 0) return undefined;
  const code = args[at + 1];
  const unknown = name === undefined || invocation.program.value === undefined;
  const handed = code === undefined && invocation.via.some((one) => HANDS_ON.test(one));
  const given = code !== undefined &&
    (unknown || code.value === undefined || CODE.test(code.value));
  if (!handed && !given) return undefined;
  return {
    outcome: "confirm",
    subject: `run ${invocation.program.text} approve`,
    reason: "it may be gitvow under another name, and only a person may approve",
    evidence: [matched(source)],
    source: "gitvow's own guard",
  };
}

function namesProgram({ value }: Word, invocation: Invocation, context: GateContext): boolean {
  return value !== undefined &&
    isOwnFile(resolve(directoryOf(invocation, context), value), context);
}

function secondName(invocation: Invocation): Finding {
  return {
    outcome: "confirm",
    subject: "run ln",
    reason: "it gives gitvow's executable a second name",
    evidence: [matched(invocation.source)],
    source: "gitvow's own guard",
  };
}

/** The finding where gitvow stands at `words[at]`, by the verb that follows it. */
function verbFinding(invocation: Invocation, at: number): Finding | undefined {
  const rest: Invocation = { ...invocation, name: "gitvow", args: invocation.args.slice(at) };
  const first = argumentsOf(rest).verbPlaces.map((place) => place[0]);
  const verb = first.find((word) => word !== undefined && PERSONAL.has(word.text))?.text;
  const evidence = [matched(invocation.source)];
  const source = "gitvow's own guard";
  if (verb !== undefined && at === 0 && changesNothing(invocation, verb)) return undefined;
  if (verb !== undefined) {
    const reason = `only a person may run gitvow ${verb}, at their own terminal`;
    return { outcome: "deny", subject: `run gitvow ${verb}`, reason, evidence, source };
  }
  if (rest.args.length === 0 || first[0]?.value !== undefined) return undefined;
  return {
    outcome: "confirm",
    subject: "run gitvow",
    reason: "which of its commands is known only at run time",
    evidence,
    source,
  };
}

/** True where gitvow is asked for the help of a command, or only to show what it would do. */
function changesNothing({ args, via }: Invocation, verb: string): boolean {
  // Every word must be known, and none can be added by a program that hands words on.
  if (args.some(({ value, glob }) => value === undefined || glob)) return false;
  if (via.some((one) => HANDS_ON.test(one)) || args[0]?.value !== verb) return false;
  if (args[1]?.value === "--help" || args[1]?.value === "-h") return true;
  if (verb !== "install" && verb !== "uninstall") return false;
  const dry = args.filter(({ value }) => /dry-?run/i.test(value ?? ""));
  return dry.length === 1 && dry[0]?.value === "--dry-run" &&
    args.every(({ value }) => value !== "--") &&
    args[args.indexOf(dry[0]) - 1]?.value !== "--agent";
}

function isGitvow(
  word: Word,
  index: number,
  invocation: Invocation,
  copies: ReadonlySet<string>,
  context: GateContext,
): boolean {
  const { value } = word;
  if (value === undefined || value === "" || value.includes("://")) return false;
  const { system, executables } = context;
  const path = resolve(directoryOf(invocation, context), value);
  if (copies.has(path) || (index === 0 && copies.has(value))) return true;
  if (OWN_PACKAGE.test(value)) return true;
  if (index > 0 && isOwnSource(path, invocation, context)) return true;
  const named = OWN_NAME.test(basename(value));
  const known = executables.includes(path);
  if (named || known) return known || index === 0 || !system.files.isDirectory(path);
  if (!value.includes("/") || index > LOOKED_UP) return false;
  const real = realPathOf(system, path);
  return real !== path && (OWN_NAME.test(basename(real)) || executables.includes(real));
}

/** Folders above a script in which gitvow's `deno.json` is looked for. */
const ABOVE = 3;

/** True for a script that stands in a tree of gitvow's sources and is given to a runtime. */
function isOwnSource(path: string, { name }: Invocation, { system }: GateContext): boolean {
  if (!RUNTIMES.has(name ?? "runtime") || !/\.[cm]?[jt]sx?$/i.test(path)) return false;
  let folder = dirname(realPathOf(system, path));
  for (let up = 0; up < ABOVE; up++, folder = dirname(folder)) {
    for (const manifest of ["deno.json", "deno.jsonc", "package.json"]) {
      const file = system.files.read(`${folder}/${manifest}`, 256 * 1024);
      if (file.kind !== "read") continue;
      const text = new TextDecoder().decode(file.bytes);
      if (/"name"\s*:\s*"@gitvow\/gitvow"/.test(text)) return true;
    }
  }
  return false;
}

function directoryOf({ place }: Invocation, context: GateContext): string {
  return place.kind === "here" && place.cwd !== undefined ? place.cwd : context.cwd;
}

/**
 * Paths and names that the command line gives to a copy of gitvow: what it writes with a copying
 * program, where it names gitvow's program anywhere.
 */
function copiesIn(reading: Reading, context: GateContext): ReadonlySet<string> {
  const copies = new Set<string>();
  const named = reading.files.some((use) => isOwnFile(use.resolved, context)) ||
    reading.invocations.some(({ args }) => args.some(({ text }) => /gitvow(?:\W|$)/i.test(text)));
  if (!named) return copies;
  for (const use of reading.files) {
    if (use.how !== "write" || use.resolved === undefined || !COPIES.has(use.by)) continue;
    copies.add(use.resolved);
    copies.add(basename(use.resolved));
  }
  return copies;
}

/** True for an absolute path of gitvow's program, wherever it was built or installed. */
export function isOwnFile(path: string | undefined, context: GateContext): boolean {
  if (path === undefined || !isAbsolute(path)) return false;
  if (context.executables.some((own) => relativeTo(own, path) !== undefined)) return true;
  const installed = `${context.home}/.gitvow/`;
  return path.startsWith(`${installed}bin/`) || path.startsWith(`${installed}lib/`);
}
