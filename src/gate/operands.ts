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
import { isOwnFile } from "./own_commands.ts";

/** Programs that read, list, speak or hold what they are given, and change none of it. */
const HARMLESS: ReadonlySet<string> = new Set(
  ("ls cat bat head tail less more grep egrep fgrep rg ag ack find fd stat file wc diff cmp comm " +
    "echo printf jq yq tree du df sha256sum shasum md5sum cksum b2sum test [ [[ cd pushd popd dirs " +
    "pwd gitvow which type command whereis realpath readlink basename dirname export local " +
    "declare typeset readonly set unset alias true false : read wait exit return shift hash man " +
    "apropos tldr gh glab jira strings od hexdump nl cut uniq column getfacl lsattr lsof exa eza " +
    "Get-Content Get-ChildItem Get-Item Test-Path Select-String Write-Output Write-Host gc gci " +
    "sls").toLowerCase().split(" "),
);

/** Commands of git that leave the files in the working tree and in `.git` alone. */
const HARMLESS_GIT: ReadonlySet<string> = new Set(
  ("status diff log show add commit grep blame ls-files ls-tree cat-file check-ignore rev-parse " +
    "rev-list describe shortlog reflog fetch annotate whatchanged check-attr diff-tree " +
    "diff-index name-rev tag branch push").split(" "),
);

/** Programs that list names, which a loop or `xargs` may hand on to others. */
const LISTERS: ReadonlySet<string> = new Set("ls find fd echo printf tree git".split(" "));

/** Programs that change what they are handed. */
const CHANGERS: ReadonlySet<string> = new Set(
  "rm unlink shred mv cp install tee dd truncate chmod chown ln sed perl rsync patch touch".split(
    " ",
  ),
);

/** Programs that run the text on their standard input. */
const DRIVEN: ReadonlySet<string> = new Set(
  "sqlite3 sqlite psql mysql mariadb duckdb ed ex vi vim nvim patch gdb lldb bc dc m4 cmake make"
    .split(" "),
);

/** Programs that run code, in which gitvow sees the files that are opened. */
const RUNTIMES =
  /^(?:python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ruby|perl|php|lua|sh|bash|zsh|dash|ksh|fish)$/;

/** Programs that run the command among their words, which is judged as one of its own. */
const FOLLOWED: ReadonlySet<string> = new Set(
  ("sudo doas env command exec builtin nohup nice ionice time timeout stdbuf setsid xargs parallel " +
    "watch flock chroot unshare strace ltrace bash sh zsh dash ksh ash fish eval find busybox " +
    "runuser chrt taskset systemd-run caffeinate").split(" "),
);

/** What code does that changes files, besides reading them. */
const CHANGING =
  /writ|cop[yi]|mov[ei]|renam|replac|unlink|remov|rmtree|\brm|delet|dump|save|put|link|chmod|trunc|append|system|exec|spawn|open\([^)]*,\s*(?:mode\s*=\s*)?['"][^'"]*[wax+]/i;

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
    for (const path of pathsOf(word, index < SPELLED)) {
      const what = whatOf(path, { invocation, sight, harmless });
      if (what !== undefined) return finding(invocation, `it names ${what}`);
    }
  }
  for (const { target, operator } of invocation.redirections) {
    if (target.value !== undefined || !operator.includes(">")) continue;
    const what = kindOf(knownFront(target), invocation, sight.context);
    if (what !== undefined) return finding(invocation, `it writes to ${what}`);
  }
  if (!DRIVEN.has(invocation.name ?? "") || invocation.input.kind !== "text") return undefined;
  for (const path of guardedWords(invocation.input.text)) {
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

/** True for a program that changes nothing with these options. */
function isHarmless({ name, args }: Invocation): boolean {
  const program = name?.toLowerCase();
  const has = (pattern: RegExp) => args.some(({ text }) => pattern.test(text));
  switch (program) {
    case undefined:
      return false;
    case "git": {
      const verb = args.find(({ text }) => !text.startsWith("-"))?.text;
      const known = args.find(({ text }) => HARMLESS_GIT.has(text));
      return known !== undefined &&
        (verb === known.text || has(/^-[Cc]$|^--git-dir|^--work-tree/)) &&
        !has(/^--?o(?:u(?:t(?:p(?:ut?)?)?)?)?(?:$|=)|^--output-directory|^-O/);
    }
    case "find":
    case "fd":
      return !has(/^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls|x|X)$|^--exec/);
    case "jq":
    case "yq":
      return !has(/^-[A-Za-z]*i|^--in-?place/);
    case "tree":
      return !has(/^-o/);
    default:
      return HARMLESS.has(program);
  }
}

/**
 * The paths that a word may stand for: itself, and the words in it that look guarded. Where only its
 * front is known, the front.
 */
function pathsOf(word: Word, spelled: boolean): string[] {
  const text = knownFront(word);
  if (text === "") return [];
  const whole = spelled && !/[\s]/.test(text) && text.length < 4096 ? [text] : [];
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
  const { context, reading } = sight;
  const { absolute, real } = spell(path, invocation, context);
  const name = invocation.name ?? "";
  if (harmless) return undefined;
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
  const way = FOLLOWED.has(name) ? [name, `${name} -c`, `${name} -exec`] : [`${name} -c`];
  if (way.length === 1 && name !== "script" && name !== "su") return false;
  return reading.invocations.some((inner) =>
    inner !== invocation && inner.via.length > invocation.via.length &&
    inner.via.some((one) => way.includes(one)) &&
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
