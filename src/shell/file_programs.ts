/**
 * The programs whose use of files no table row can say: `dd`, `ln`, `tar`, `curl` and a few more.
 */
import { basename } from "../system/paths.ts";
import { knownWord } from "./frame.ts";
import { cut, has, type Options, readOptions, valueFor } from "./options.ts";
import type { Program } from "./program.ts";
import type { Word } from "./reading.ts";
import { remember } from "./redirections.ts";
import { resolvedPath } from "./sink.ts";

/** An operand `host:path` names no file here. */
export function localOnly(word: Word): Word {
  return /^[^/]*:/.test(word.value ?? "") && !/^[A-Za-z]:[\\/]/.test(word.value ?? "")
    ? { ...word, value: "", text: "" }
    : word;
}

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

/** `openssl VERB -in FILE`: certificates and requests hold no secret. */
function readOpenssl(program: Program): void {
  const { frame, args } = program;
  if (/^(?:x509|crl|req|ocsp)$/.test(args[0]?.value ?? "")) return;
  const file = valueFor(readOptions(args.slice(1), "-in", false), "-in");
  if (file !== undefined) frame.sink.file("read", file, "openssl", frame);
}

/** `rsync --delete` removes what the source does not have. */
function readRsync(program: Program): void {
  const { frame } = program;
  if (!program.args.some((word) => /^--(?:delete|del$|remove-source)/.test(word.text))) return;
  const target = program.args.at(-1);
  if (target !== undefined) frame.sink.file("delete", localOnly(target), "rsync", frame, true);
}

/** Readers of files by program name. */
export const FILE_PROGRAMS: ReadonlyMap<string, (program: Program) => void> = new Map([
  ["dd", readDd],
  ["ln", readLn],
  ["tar", readTar],
  ["bsdtar", readTar],
  ["curl", readCurl],
  ["wget", rememberWget],
  ["perl", readInPlace],
  ["ruby", readInPlace],
  ["install", readInstall],
  ["openssl", readOpenssl],
  ["rsync", readRsync],
]);
