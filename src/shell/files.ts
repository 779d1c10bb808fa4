/**
 * Which files a program reads, writes and deletes, by the table in `tables/files.ts`; the few
 * programs that no table row can say are below.
 */
import { basename } from "../system/paths.ts";
import { knownWord } from "./frame.ts";
import { cut, has, namesIn, type Options, readOptions, valueFor } from "./options.ts";
import type { Program } from "./program.ts";
import type { Word } from "./reading.ts";
import { remember } from "./redirections.ts";
import { resolvedPath } from "./sink.ts";
import { FILE_RULES, type FileRule, type Pick } from "./tables/files.ts";
import { outputOf } from "./output.ts";

/** Notes the files that the program touches. */
export function readFiles(program: Program): void {
  const name = program.name.startsWith("mkfs.") ? "mkfs" : plain(program.name);
  const special = SPECIAL[name];
  if (special !== undefined) special(program);
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
  if (name === "rsync" || name === "scp") operands = operands.map(localOnly);
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
    for (const word of picked(operands, mode ? "all" : pick)) sink.file(how, word, name, frame, recursive);
  }
  if (rule.copies === true) noteCopies(operands, program, recursive);
  if (name === "cp" || name === "mv") copyText(operands, program);
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

/** An operand `host:path` names no file here. */
function localOnly(word: Word): Word {
  return /^[^/]*:/.test(word.value ?? "") && !/^[A-Za-z]:[\\/]/.test(word.value ?? "")
    ? { ...word, value: "", text: "" }
    : word;
}

/** A destination that may be a directory gets files named like the sources. */
function noteCopies(operands: readonly Word[], program: Program, recursive: boolean): void {
  const target = operands.at(-1);
  if (target?.value === undefined || operands.length < 2) return;
  const name = basename(target.value.replace(/\/+$/, ""));
  const directory = /\/\.{0,2}$/.test(target.value) || /^\.{1,2}$/.test(name) ||
    operands.length > 2 || !name.slice(1).includes(".");
  if (!directory) return;
  for (const word of operands.slice(0, -1)) noteCopy(word, target, program, recursive);
}

function noteCopy(source: Word, target: Word, program: Program, recursive: boolean): void {
  if (source.value === undefined || target.value === undefined) return;
  const name = basename(source.value.replace(/\/+$/, ""));
  if (name === "" || name === "." || name === "..") return;
  const path = `${target.value.replace(/\/+$/, "")}/${name}`;
  const word = { ...knownWord(path, target.span), glob: source.glob || target.glob };
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

const SPECIAL: Readonly<Record<string, (program: Program) => void>> = {
  dd: readDd,
  ln: readLn,
  tar: readTar,
  bsdtar: readTar,
  curl: readCurl,
  wget: rememberWget,
  perl: readInPlace,
  ruby: readInPlace,
  install: readInstall,
  rsync: readRsync,
};

function readDd(program: Program): void {
  for (const word of program.args) {
    const match = /^(if|of)=/.exec(word.text);
    if (match === null) continue;
    const how = match[1] === "of" ? "write" : "read";
    program.frame.sink.file(how, cut(word, 3), "dd", program.frame);
  }
}

function readLn(program: Program): void {
  const { frame } = program;
  const options = readOptions(program.args, "-t -S --target-directory --suffix", false);
  const symbolic = has(options, "-s", "--symbolic");
  const [target, ...names] = options.operands;
  if (target === undefined) return;
  const name = names.at(-1) ??
    (target.value === undefined ? target : knownWord(basename(target.value), target.span));
  if (!symbolic) {
    for (const word of options.operands.slice(0, -1)) {
      frame.sink.file("read", word, "ln", frame);
    }
  }
  frame.sink.file("write", name, "ln", frame);
  const from = resolvedPath(name.value, frame.scope);
  if (from === undefined || target.value === undefined) return;
  // A relative target counts from the directory that holds the link.
  const base = from.slice(0, from.lastIndexOf("/"));
  const to = target.value.startsWith("/") ? target.value : `${base}/${target.value}`;
  frame.scope.shared.links.set(from, to);
}

/** Bundles of tar's first word, with or without a dash. */
function readTar(program: Program): void {
  const { frame } = program;
  const first = program.args[0];
  const bundle = first !== undefined && /^[A-Za-z]+$/.test(first.value ?? "")
    ? [{ ...first, text: `-${first.text}`, value: `-${first.value}` }, ...program.args.slice(1)]
    : program.args;
  const options = readOptions(
    bundle,
    "-f -C -b -X -T -K -N -g -I --file --directory --exclude --exclude-from --files-from " +
      "--transform --to-command --checkpoint-action --use-compress-program",
    false,
  );
  const archive = valueFor(options, "-f", "--file");
  const directory = valueFor(options, "-C", "--directory");
  const extracts = has(options, "-x", "--extract", "--get");
  const creates = has(options, "-c", "-r", "-u", "--create", "--append", "--update");
  if (archive !== undefined && archive.value !== "-") {
    frame.sink.file(creates ? "write" : "read", archive, "tar", frame);
  }
  if (extracts && !has(options, "-O", "--to-stdout")) {
    const into = directory ?? knownWord(".", program.call.span);
    frame.sink.file("write", into, "tar", frame, true);
  }
  if (!creates) return;
  for (const word of options.operands) {
    const value = directory?.value === undefined || word.value?.startsWith("/") === true
      ? word.value
      : word.value === undefined
      ? undefined
      : `${directory.value}/${word.value}`;
    frame.sink.file("read", { ...word, value, text: value ?? word.text }, "tar", frame, true);
  }
}

const CURL_VALUED =
  "-o --output -T --upload-file -d --data --data-binary --data-raw --data-urlencode --data-ascii " +
  "-F --form -H --header -X --request -u --user -A --user-agent -b --cookie -c --cookie-jar -e " +
  "--referer -K --config -E --cert --key --cacert -x --proxy -m --max-time --connect-timeout -w " +
  "--write-out -r --range -C --continue-at --resolve --retry --output-dir -D --dump-header --url --json";

function readCurl(program: Program): void {
  const { frame } = program;
  const options = readOptions(program.args, CURL_VALUED, false);
  for (const { name, value } of options.given) {
    if (name === "-O" || name === "--remote-name") noteRemoteName(options, program);
    if (value === undefined) continue;
    if (/^(?:-o|--output|-c|--cookie-jar|-D|--dump-header)$/.test(name)) {
      frame.sink.file("write", value, "curl", frame);
      remember(value, undefined, false, frame);
    } else if (/^(?:-T|--upload-file|-K|--config|-E|--cert|--key|--cacert)$/.test(name)) {
      frame.sink.file("read", value, "curl", frame);
    } else if (
      /^(?:-d|--data|--data-binary|--data-ascii|--data-urlencode|-F|--form|--json|-H|-b)$/.test(
        name,
      )
    ) {
      const at = /^(?:[\w-]*=)?[@<]/.exec(value.text)?.[0].length;
      if (at !== undefined) frame.sink.file("read", upTo(cut(value, at), ";"), "curl", frame);
    }
  }
}

function upTo(word: Word, mark: string): Word {
  const at = word.text.indexOf(mark);
  return at < 0 ? word : { ...word, text: word.text.slice(0, at), value: word.value?.slice(0, at) };
}

function noteRemoteName(options: Options, program: Program): void {
  for (const word of options.operands) {
    if (word.value === undefined) continue;
    const name = basename(word.value.replace(/[?#].*$/, ""));
    const path = knownWord(name, word.span);
    program.frame.sink.file("write", path, program.name, program.frame);
    remember(path, undefined, false, program.frame);
  }
}

function rememberWget(program: Program): void {
  const options = readOptions(
    program.args,
    "-O --output-document -o -P -U --header --tries -t",
    false,
  );
  const file = valueFor(options, "-O", "--output-document");
  if (file === undefined) noteRemoteName(options, program);
  else if (file.value !== "-") remember(file, undefined, false, program.frame);
}

/** `perl -pi -e …` and `ruby -i`: every operand is rewritten; otherwise operands are read. */
function readInPlace(program: Program): void {
  const { frame, args, name } = program;
  const options = readOptions(args, "-e -E -I -M -m -r -0 -F", false);
  if (!has(options, "-e", "-E")) return;
  const how = has(options, "-i") ? "write" : "read";
  for (const word of options.operands) frame.sink.file(how, word, name, frame);
}

function readInstall(program: Program): void {
  if (!program.args.some((word) => word.value === "-d" || word.value === "--directory")) return;
  for (const word of readOptions(program.args, "-m -o -g", false).operands) {
    program.frame.sink.file("write", word, "install", program.frame);
  }
}

/** `rsync --delete` removes what the source does not have. */
function readRsync(program: Program): void {
  const { frame } = program;
  if (!program.args.some((word) => /^--(?:delete|del$|remove-source)/.test(word.text))) return;
  const target = program.args.at(-1);
  if (target !== undefined) frame.sink.file("delete", localOnly(target), "rsync", frame, true);
}
