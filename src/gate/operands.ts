/**
 * Guarded files among the words of a command whose program gitvow has no file table for: where only
 * readers are known to leave what they are given alone, every other program is asked about.
 */
import type { Finding } from "../domain/finding.ts";
import type { Invocation, Reading, Word } from "../shell/reading.ts";
import { isAbsolute, relativeTo } from "../system/paths.ts";
import type { GateContext } from "./context.ts";
import { matched } from "./findings.ts";
import { APPROVALS, EXECUTABLE, FOLDERS, guardedKind, guardedWords } from "./guarded.ts";
import {
  CHANGERS,
  CHANGING,
  DRIVEN,
  FOLLOWED,
  HARMLESS,
  isHarmless,
  LISTERS,
  RUNTIMES,
} from "./harmless.ts";
import { knownFolder } from "./paths.ts";
import { isOwnFile } from "./own_commands.ts";

/** Words of one text that are spelled; a text with more that look guarded is asked about. */
const WORDS = 512;
const TOO_MANY = `it names more than ${WORDS} paths that look guarded in one text`;

/** UTF-16 units of the longest word that is taken for a path as a whole. */
const WORD_LIMIT = 4096;

/** Operands of one command that are spelled, links and all; the rest is judged by its words. */
const SPELLED = 256;

/** Findings about the operands of a command line's programs. */
export function judgeOperands(reading: Reading, context: GateContext): Finding[] {
  const handsOn = reading.invocations.some(({ name, args }) =>
    CHANGERS.has(name ?? "") && args.some(({ value }) => value === undefined)
  );
  return reading.invocations.flatMap((invocation) => {
    if (invocation.place.kind === "elsewhere") return [];
    const found = judge(invocation, { reading, context, handsOn });
    return found === undefined ? [] : [found];
  });
}

interface Sight {
  readonly reading: Reading;
  readonly context: GateContext;
  /** True where some program changes files whose names are known only at run time. */
  readonly handsOn: boolean;
}

function judge(invocation: Invocation, sight: Sight): Finding | undefined {
  const harmless = isHarmless(invocation) &&
    !(sight.handsOn && LISTERS.has(invocation.name ?? ""));
  const at = directoryOf(invocation, sight.context);
  if (!harmless && isInside(at, sight) && !isFollowed(invocation, sight)) {
    return finding(invocation, "it works among gitvow's own files");
  }
  for (const [index, word] of invocation.args.entries()) {
    if (word.value !== undefined && runsAsCommand(word, invocation, sight)) continue;
    const paths = pathsOf(word, index < SPELLED);
    if (paths.length > WORDS && !harmless) return finding(invocation, TOO_MANY);
    for (const path of paths) {
      const what = whatOf(path, { invocation, sight, harmless });
      if (what !== undefined) return finding(invocation, `it names ${what}`);
    }
  }
  const uses = sight.reading.files.filter(({ path }) => path.value === undefined);
  for (const { path, by } of invocation.name === undefined ? [] : uses) {
    const folder = by === invocation.name ? knownFolder(path) : undefined;
    if (folder === undefined || !invocation.args.some(({ span }) => span === path.span)) continue;
    const { real, absolute } = spell(folder, invocation, sight.context);
    if (![real, absolute].some((one) => isSecretRead(one, true, sight.context))) continue;
    if (isInside(folder, sight)) return finding(invocation, `it may name ${APPROVALS}`);
  }
  for (const { target, operator } of invocation.redirections) {
    if (target.value !== undefined || !operator.includes(">")) continue;
    const what = kindOf(knownFront(target), invocation, sight.context);
    if (what !== undefined) return finding(invocation, `it writes to ${what}`);
  }
  if (!DRIVEN.has(invocation.name ?? "") || invocation.input.kind !== "text") return undefined;
  const words = guardedWords(invocation.input.text);
  if (words.length > WORDS) return finding(invocation, TOO_MANY);
  for (const path of words) {
    const what = kindOf(path, invocation, sight.context);
    if (what !== undefined) return finding(invocation, `its input names ${what}`);
  }
  return undefined;
}

function finding(invocation: Invocation, reason: string): Finding {
  return {
    outcome: "confirm",
    subject: `run ${invocation.name ?? invocation.program.text} on guarded files`,
    reason,
    evidence: [matched(invocation.source)],
    source: "gitvow's own guard",
  };
}

/**
 * The paths that a word may stand for: itself, and the words in it that look guarded. Where only its
 * front is known, the front.
 */
function pathsOf(word: Word, spelled: boolean): string[] {
  const text = knownFront(word);
  if (text === "") return [];
  if (text.length > WORD_LIMIT) return guardedWords(text);
  if (/^[^=]*=?@?(?!file:)[a-z][a-z0-9+.-]{0,15}:\/\//i.test(text)) return guardedWords(text);
  const whole = spelled && !/[\s]/.test(text) ? [text] : [];
  const glued = /^(?:-[A-Za-z]|--?[A-Za-z][\w-]*=|@|[a-z]+=@?)(.+)$/s.exec(text)?.[1];
  return [...new Set([...whole, ...(glued === undefined ? [] : [glued]), ...guardedWords(text)])];
}

/** The part of a word that is known, as far as the folder it ends in where more follows. */
function knownFront(word: Word): string {
  if (word.value !== undefined) return word.value;
  const front = /^[^$`]*/.exec(word.text)?.[0] ?? "";
  return front.slice(0, front.lastIndexOf("/") + 1);
}

interface Use {
  readonly invocation: Invocation;
  readonly sight: Sight;
  readonly harmless: boolean;
}

/** What a path is, where this program should not be given it unasked. */
function whatOf(path: string, { invocation, sight, harmless }: Use): string | undefined {
  if (harmless) return undefined;
  const { context, reading } = sight;
  const { absolute, real } = spell(path, invocation, context);
  const name = invocation.name ?? "";
  const what = kindOf(path, invocation, context);
  if (what === undefined) return undefined;
  const links = name === "ln" || name === "link" || name === "cp" && isLinking(invocation);
  const read = reading.files.find((use) => use.resolved === absolute || use.resolved === real);
  if (read !== undefined && read.by === name && !links && !HARMLESS.has(name)) {
    // What the tables say of an operand is judged as a file; code may do more than they see.
    if (!RUNTIMES.test(name)) return undefined;
    if (!invocation.args.some(({ text }) => CHANGING.test(text.replaceAll(path, "")))) {
      return undefined;
    }
  }
  return what;
}

function isLinking({ args }: Invocation): boolean {
  return args.some(({ text }) => /^-[A-Za-z]*l|^--link|^--symbolic|^-[A-Za-z]*s/.test(text));
}

/** What guarded thing a path is, or which folder of guarded things. */
function kindOf(path: string, invocation: Invocation, context: GateContext): string | undefined {
  if (path === "") return undefined;
  const { all, absolute, real } = spell(path, invocation, context);
  const what = guardedKind(all);
  if (what !== undefined) return what;
  if (isOwnFile(absolute, context) || isOwnFile(real, context)) {
    return RUNTIMES.test(invocation.name ?? "") ? undefined : EXECUTABLE;
  }
  const folder = FOLDERS.find((one) => absolute.endsWith(`/${one}`) || real.endsWith(`/${one}`));
  return folder === undefined ? undefined : "a folder of guarded files";
}

function spell(path: string, invocation: Invocation, context: GateContext) {
  const text = path.replace(/\/+$/, (end) => path === end ? "/" : "");
  return context.speller.spell(text, directoryOf(invocation, context));
}

function directoryOf({ place }: Invocation, context: GateContext): string {
  return place.kind === "here" && place.cwd !== undefined ? place.cwd : context.cwd;
}

/** True where a command that reads or changes what it is not told by name works in gitvow's folder. */
function isInside(directory: string, { context }: Sight): boolean {
  const own = `${context.home}/.gitvow`;
  const { absolute, real } = context.speller.spell(directory);
  return [absolute, real].some((path) => isAbsolute(path) && relativeTo(own, path) !== undefined);
}

/** True where the commands that this one starts are judged themselves. */
function isFollowed(invocation: Invocation, { reading }: Sight): boolean {
  const name = invocation.name ?? "";
  return isShellWord(name) ||
    reading.invocations.some(({ via }) => via.some((one) => one.split(" ", 1)[0] === name));
}

/** Programs of the shell that only run others. */
function isShellWord(name: string): boolean {
  return name === "eval" || name === "exec" || name === "source" || name === ".";
}

/** True where a word is, or holds, a command that is judged as an invocation of its own. */
function runsAsCommand(word: Word, invocation: Invocation, { reading }: Sight): boolean {
  const name = invocation.name ?? "";
  // `script FILE` and the like are read as commands too, but the file is what they write.
  const way = FOLLOWED.has(name)
    ? [name, `${name} -c`, `${name} -exec`]
    : name === "script" || name === "su"
    ? [`${name} -c`]
    : [];
  return reading.invocations.some((inner) =>
    inner !== invocation && inner.via.length > invocation.via.length &&
    (inner.place.kind === "elsewhere" || inner.via.some((one) => way.includes(one))) &&
    [inner.program, ...inner.args].some(({ span }) =>
      span.start >= word.span.start && span.end <= word.span.end
    )
  );
}

/** What a file that is only read is, where even that is asked about. */
export function isSecretRead(path: string, recursive: boolean, context: GateContext): boolean {
  const folder = `${context.home}/.gitvow/approvals`;
  if (relativeTo(folder, path) !== undefined) return true;
  if (!recursive || relativeTo(path, folder) === undefined) return false;
  return relativeTo(`${context.home}/.gitvow`, path) !== undefined ||
    context.system.files.lookAt(`${folder}/secret`) !== undefined;
}

/** Why reading the approvals is asked about, as a clause. */
export const SECRET_REASON = `it is ${APPROVALS}`;
