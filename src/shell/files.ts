/**
 * Which files a program reads, writes and deletes, by the table in `tables/files.ts`; the few
 * programs that no table row can say are in `file_programs.ts`.
 */
import { basename } from "../system/paths.ts";
import { FILE_PROGRAMS, localOnly } from "./file_programs.ts";
import { knownWord } from "./frame.ts";
import { has, namesIn, readOptions, valueFor } from "./options.ts";
import type { Program } from "./program.ts";
import type { Word } from "./reading.ts";
import { remember } from "./redirections.ts";
import { resolvedPath } from "./sink.ts";
import { FILE_RULES, type FileRule, type Pick } from "./tables/files.ts";
import { outputOf } from "./output.ts";

/** Notes the files that the program touches. */
export function readFiles(program: Program): void {
  const name = program.name.startsWith("mkfs.") ? "mkfs" : plain(program.name);
  FILE_PROGRAMS.get(name)?.(program);
  const rule = FILE_RULES.get(name);
  if (rule !== undefined) applyRule(rule, { ...program, name });
  if (name === "tee") rememberTee(program);
}

/** `gsed` is sed, `gawk` and `mawk` are awk. */
function plain(name: string): string {
  if (/^(?:g|m|n)awk$/.test(name)) return "awk";
  return /^g(?:sed|cp|mv|rm|ln|tar|chmod|chown|dd|head|tail|sort|shred|truncate)$/.test(name)
    ? name.slice(1)
    : name;
}

function applyRule(rule: FileRule, program: Program): void {
  const { frame, name } = program;
  const all = [rule.valued, rule.readOptions, rule.writeOptions, rule.into, rule.script];
  const options = readOptions(program.args, all.filter((list) => list).join(" "), false);
  if (rule.idle !== undefined && has(options, ...namesIn(rule.idle))) return;
  const recursive = rule.recursive === "always" ||
    rule.recursive !== undefined && has(options, ...namesIn(rule.recursive));
  const { sink } = frame;
  for (const { name: option, value } of options.given) {
    if (value === undefined) continue;
    if (listed(rule.readOptions, option)) sink.file("read", value, name, frame);
    if (listed(rule.writeOptions, option)) sink.file("write", value, name, frame);
    if (listed(rule.into, option)) sink.file("write", value, name, frame, true);
  }
  let operands = options.operands;
  // `-x` is a mode to chmod, not an option, so every operand is a file.
  const mode = name === "chmod" && program.args.some((word) => /^-[rwxXst]+$/.test(word.text));
  if (rule.script !== undefined && !has(options, ...namesIn(rule.script))) {
    operands = operands.slice(1);
  }
  // An editor's `+command` is no file.
  if (/^(?:n?vim?|ex|nano|emacs)$/.test(name)) {
    operands = operands.filter((word) => !word.text.startsWith("+"));
  }
  if (name === "rsync" || name === "scp") operands = operands.map(localOnly);
  if (name === "chmod" && tightens(operands[0], recursive)) {
    operands = operands.filter((word) => !isOwnKey(word, program));
  }
  const into = rule.into === undefined ? undefined : valueFor(options, ...namesIn(rule.into));
  const inPlace = rule.inPlace !== undefined && has(options, ...namesIn(rule.inPlace));
  const roles: [FileRule["reads"], "read" | "write" | "delete"][] = [
    [rule.reads, inPlace ? "write" : "read"],
    [rule.deletes, "delete"],
    [rule.writes, "write"],
  ];
  if (rule.copies === true && into !== undefined) {
    for (const word of operands) {
      sink.file(rule.deletes === undefined ? "read" : "delete", word, name, frame, recursive);
      noteCopy(word, into, program, recursive);
    }
    return;
  }
  for (const [pick, how] of roles) {
    if (pick === undefined) continue;
    for (const word of picked(operands, mode ? "all" : pick)) {
      sink.file(how, word, name, frame, recursive);
    }
  }
  if (rule.copies === true) noteCopies(operands, program, recursive);
  if (name === "cp" || name === "mv") copyText(operands, program);
}

/** True for a mode that takes rights from all but the owner, who can still read. */
function tightens(mode: Word | undefined, recursive: boolean): boolean {
  const text = mode?.value ?? "";
  return /^(?:u=r[wx]*,)?(?:go|og)(?:-[rwx]+|=)$/.test(text) ||
    /^0?700$/.test(text) || !recursive && /^0?[456]00$/.test(text);
}

/** True for what lies in the home's `.ssh`, which programs refuse while others may read it. */
function isOwnKey(word: Word, { frame }: Program): boolean {
  const folder = `${frame.scope.home}/.ssh`;
  const path = resolvedPath(word.value, frame.scope);
  return !word.glob && (path === folder || path?.startsWith(`${folder}/`) === true);
}

function listed(list: string | undefined, name: string): boolean {
  return list !== undefined && namesIn(list).has(name);
}

function picked(operands: readonly Word[], pick: Pick): readonly Word[] {
  switch (pick) {
    case "all":
      return operands;
    case "first":
      return operands.slice(0, 1);
    case "rest":
      return operands.slice(1);
    case "last":
      return operands.slice(-1);
    case "init":
      return operands.slice(0, -1);
  }
}

/** A destination that may be a directory gets files named like the sources. */
function noteCopies(operands: readonly Word[], program: Program, recursive: boolean): void {
  const target = operands.at(-1);
  if (target?.value === undefined || target.value === "" || operands.length < 2) return;
  const name = basename(target.value.replace(/\/+$/, ""));
  const directory = /\/\.{0,2}$/.test(target.value) || /^\.{1,2}$/.test(name) ||
    operands.length > 2 || !name.slice(1).includes(".");
  if (!directory) return;
  for (const word of operands.slice(0, -1)) noteCopy(word, target, program, recursive);
}

function noteCopy(source: Word, target: Word, program: Program, recursive: boolean): void {
  if (source.value === undefined || target.value === undefined) return;
  const name = basename(source.value.replace(/\/+$/, ""));
  // `from/.` stands for all that the folder holds, and to rsync so does `from/`.
  const whole = /^\.{0,2}$/.test(name) || program.name === "rsync" && source.text.endsWith("/");
  const path = `${target.value.replace(/\/+$/, "")}/${whole ? "**" : name}`;
  const word = { ...knownWord(path, target.span), glob: whole || source.glob || target.glob };
  program.frame.sink.file("write", word, program.name, program.frame, recursive);
}

/** A copy of a file that this command line wrote has the same text. */
function copyText(operands: readonly Word[], program: Program): void {
  const { frame } = program;
  const [from, to] = operands;
  if (operands.length !== 2 || from === undefined || to === undefined) return;
  const source = resolvedPath(from.value, frame.scope) ?? "";
  const { written } = frame.scope.shared;
  if (written.has(source)) remember(to, written.get(source), false, frame);
}

function rememberTee(program: Program): void {
  const { frame } = program;
  const append = program.args.some((word) => /^(?:-[a-z]*a|--append)/.test(word.text));
  for (const word of program.args) {
    if (!word.text.startsWith("-")) remember(word, outputOf(program), append, frame);
  }
}
