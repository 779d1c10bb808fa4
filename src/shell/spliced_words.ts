/**
 * Words that are put together from text and variables which nothing here has set: such a variable
 * may well be empty, and the word is then what is left of it (`r${x}m`, `--for${x}ce`).
 */
import type { Chunk } from "./fields.ts";
import type { Frame } from "./frame.ts";
import { readOptions } from "./options.ts";
import type { Word } from "./reading.ts";

const left = new WeakMap<Word, string>();

/** Variables that the environment of every shell has, or that the shell itself keeps. */
const ALWAYS_SET = new Set(
  ("HOME PWD OLDPWD USER LOGNAME TMPDIR PATH SHELL LANG TERM HOSTNAME UID EUID PPID IFS RANDOM " +
    "SECONDS LINENO BASH BASH_VERSION OSTYPE MACHTYPE HOSTTYPE COLUMNS LINES ? $ # 0").split(" "),
);

/** Programs whose first operand says what they do. */
const VERBED: ReadonlySet<string> = new Set(
  ("git gitvow kubectl oc docker podman gh glab helm terraform tofu aws gcloud az systemctl " +
    "dropdb npm cargo vault pulumi heroku flyctl").split(" "),
);

/** Programs of which a short option, too, must be known whole. */
const EXACT: ReadonlySet<string> = new Set([...VERBED, "rm", "dd", "chmod", "chown", "find"]);

/** Marks what only running will tell of `$name` as text that may be nothing. */
export function maybeNothing(chunks: Chunk[], name: string, whole: string, frame: Frame): Chunk[] {
  const cut = /^\$\{0:/.test(whole);
  if (!cut && (ALWAYS_SET.has(name) || frame.scope.vars.has(name))) return chunks;
  return chunks.map((chunk) => {
    return chunk.kind === "fixed" && !chunk.known ? { ...chunk, nothing: true } : chunk;
  });
}

/** Remembers what is left of `word` where every unknown piece of it is empty. */
export function markSpliced(word: Word, rest: string): Word {
  if (rest !== "") left.set(word, rest);
  return word;
}

/** What is left of a word where its unknown pieces are empty; undefined where that is not said. */
export function withoutUnknown(word: Word): string | undefined {
  return left.get(word);
}

/** The same for a path, where the unknown piece is glued into a name and not a whole folder. */
export function splicedPath(word: Word): string | undefined {
  const rest = left.get(word);
  if (rest === undefined || /^["']?\$/.test(word.text)) return undefined;
  return /[^/]\$|\$(?:\{[^{}]*\}|\w+|[@*])[^/$]/.test(word.text) ? rest : undefined;
}

/**
 * The command with the words that decide what it does taken as if their unknown pieces were empty:
 * its program, its verb, and options. Undefined where there are none.
 */
export function withoutPieces(
  words: readonly Word[],
  name: string | undefined,
): readonly Word[] | undefined {
  let found = false;
  const [program, ...args] = words;
  if (program === undefined) return undefined;
  const filled = (word: Word): Word => {
    const rest = left.get(word);
    if (rest === undefined) return word;
    found = true;
    return { ...word, text: rest, value: rest };
  };
  const partly = name === undefined && /[^/]$/.test(left.get(program) ?? "");
  const first = partly ? filled(program) : program;
  const called = (name ?? first.text).replace(/^.*\//, "");
  const verb = VERBED.has(called) ? verbOf(args) : undefined;
  const rest = args.map((word) => {
    const text = left.get(word) ?? "";
    const option = /^-[^=]*[^=-]/.test(text) && !/^--?[\w-]+=/.test(word.text);
    return option || word === verb ? filled(word) : word;
  });
  return found ? [first, ...rest] : undefined;
}

/** The first operand of a command, the values of git's and kubectl's own options stepped over. */
function verbOf(args: readonly Word[]): Word | undefined {
  return readOptions(args, "-C -c -n --namespace --context --git-dir --work-tree -R --repo", true)
    .operands[0];
}

/** `pus[h]` as `push`: a bracket around one character stands for that character. */
export function unbracketed(word: Word): Word {
  if (!word.glob || word.value === undefined || !word.value.includes("[")) return word;
  const value = word.value.replace(/\[([^\]!^])\]/g, "$1");
  return value === word.value ? word : { ...word, text: value, value, glob: /[*?[]/.test(value) };
}

/** Words that decide what the command does, with their brackets taken away where they say one. */
export function decided(args: readonly Word[], name: string): readonly Word[] {
  if (!args.some((word) => word.glob)) return args;
  const verb = VERBED.has(name) ? verbOf(args) : undefined;
  return args.map((word) => {
    return word === verb || word.text.startsWith("-") ? unbracketed(word) : word;
  });
}

/** The first word that decides what the command does and holds a wildcard; undefined if none. */
export function undecided(args: readonly Word[], name: string): Word | undefined {
  if (!args.some((word) => word.glob)) return undefined;
  const verb = VERBED.has(name) ? verbOf(args) : undefined;
  const stop = args.findIndex((word) => word.value === "--");
  return args.slice(0, stop < 0 ? args.length : stop).find((word) => {
    if (!word.glob) return false;
    if (word === verb || /^--[\w-]*[*?[]/.test(word.text)) return true;
    return EXACT.has(name) && /^-[A-Za-z]*[*?[]/.test(word.text);
  });
}
