/**
 * git: the directory it works in, aliases, options that run commands, and the files its verbs touch.
 */
import { quoteWord } from "./command.ts";
import { changeDirectory } from "./directories.ts";
import { type Frame, knownWord, through } from "./frame.ts";
import { cut, has, readOptions, valueFor } from "./options.ts";
import type { Program } from "./program.ts";
import type { Word } from "./reading.ts";
import { readShellText } from "./shells.ts";
import type { Scope } from "./scope.ts";
import { splitWords } from "./wrappers.ts";

const GLOBAL_VALUED =
  "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source";

/** Settings whose value git runs as a command. */
const COMMAND_SETTING =
  /^(?:core\.(?:sshcommand|pager|editor|askpass|fsmonitor|gitproxy)|sequence\.editor|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|(?:merge|difftool|mergetool)\..*\.(?:driver|cmd)|credential\.helper|credential\..*\.helper|pager\..*|gpg\.program|interactive\.difffilter|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack)|browser\..*\.cmd|web\.browser)$/i;

/** The directory git works in once its `-C` options are followed. */
export function gitDirectory(args: readonly Word[], scope: Scope): string | undefined {
  const inner = scope.fork();
  for (const { name, value } of readOptions(args, GLOBAL_VALUED, true).given) {
    if (name === "-C" || name === "--work-tree") changeDirectory(value, inner);
  }
  return inner.cwd;
}

/** Reads what a git command runs and touches. */
export function readGit(program: Program): void {
  const options = readOptions(program.args, GLOBAL_VALUED, true);
  const scope = program.frame.scope.fork();
  scope.cwd = gitDirectory(program.args, scope);
  const frame: Frame = { ...program.frame, scope };
  for (const { name, value } of options.given) {
    if (name === "-c" && value !== undefined) setting(value, frame);
    if (name === "--config-env" && value !== undefined) {
      settingFromEnvironment(value, { ...program, frame });
    }
  }
  const verb = options.operands[0];
  if (verb?.value === undefined) return;
  const rest = options.operands.slice(1);
  const aliases = scope.shared.gitAliases;
  const key = verb.value.toLowerCase();
  if (aliases.has(key) && !scope.active.includes(`git ${key}`)) {
    const inner = through(frame, `git ${verb.value}`);
    scope.active = [...scope.active, `git ${key}`];
    return runAlias(aliases.get(key), rest, verb, { ...program, frame: inner });
  }
  readVerb(verb.value, rest, { ...program, frame });
}

function runAlias(
  text: string | undefined,
  rest: readonly Word[],
  verb: Word,
  program: Program,
): void {
  const { frame, call } = program;
  if (text === undefined) {
    frame.sink.doubt("unread code", `git alias "${verb.value}" of unknown content`, verb.span);
    return;
  }
  if (text.startsWith("!")) {
    const line = [text.slice(1), ...rest.map(quoteWord)].join(" ");
    frame.engine.text(line, frame, verb.span);
    return;
  }
  const words = splitWords(text).map((word) => knownWord(word, verb.span));
  frame.engine.words([knownWord("git", verb.span), ...words, ...rest], frame, call);
}

/** `-c name=value`. */
function setting(word: Word, frame: Frame): void {
  const at = word.text.indexOf("=");
  if (at > 0) set(word.text.slice(0, at), cut(word, at + 1), frame);
}

/** `--config-env=name=VARIABLE`. */
function settingFromEnvironment(word: Word, program: Program): void {
  const at = word.text.lastIndexOf("=");
  const variable = word.text.slice(at + 1);
  const given = program.call.assignments.find((assignment) => assignment.name === variable);
  const known = given === undefined ? program.frame.scope.lookup(variable)?.[0] : given.value;
  const value = typeof known === "string" ? known : undefined;
  set(word.text.slice(0, at), { ...word, text: value ?? `$${variable}`, value }, program.frame);
}

function set(name: string, value: Word, frame: Frame): void {
  const alias = /^alias\.(.+?)(?:\.command)?$/i.exec(name)?.[1];
  if (alias !== undefined) frame.scope.shared.gitAliases.set(alias.toLowerCase(), value.value);
  else if (COMMAND_SETTING.test(name)) {
    const text = cut(value, value.text.startsWith("!") ? 1 : 0);
    const plain = /^[\w./-]*$/.test(text.text);
    if (!plain) readShellText(text, [text], through(frame, `git -c ${name}`), "git");
  }
}

function readVerb(verb: string, args: readonly Word[], program: Program): void {
  const { frame, call } = program;
  const { sink } = frame;
  const by = `git ${verb}`;
  const run = (word: Word | undefined, what: string) => {
    if (word !== undefined) readShellText(word, [word], through(frame, what), by);
  };
  const dashes = args.findIndex((word) => word.value === "--");
  const paths = dashes < 0 ? [] : args.slice(dashes + 1);
  switch (verb) {
    case "config": {
      const options = readOptions(args, "-f --file --type --default --comment --value", false);
      const file = valueFor(options, "-f", "--file");
      if (file !== undefined) sink.file("write", file, by, frame);
      const words = options.operands[0]?.value === "set"
        ? options.operands.slice(1)
        : options.operands;
      const [name, value] = words;
      if (name?.value !== undefined && value !== undefined) set(name.value, value, frame);
      return;
    }
    case "rebase":
      for (const { name, value } of readOptions(args, "-x --exec -s -X --onto -C", false).given) {
        if (name === "-x" || name === "--exec") run(value, "git rebase --exec");
      }
      return;
    case "bisect":
      if (args[0]?.value === "run") {
        frame.engine.words(args.slice(1), through(frame, "git bisect run"), call);
      }
      return;
    case "submodule": {
      if (args[0]?.value !== "foreach") return;
      const words = readOptions(args.slice(1), "", true).operands;
      const text = words.map((word) => words.length === 1 ? word.text : quoteWord(word)).join(" ");
      const known = words.every((word) => word.value !== undefined);
      const word = { text, value: known ? text : undefined, glob: false, span: call.span };
      readShellText(word, words, through(elsewhereIn(frame), "git submodule foreach"), by);
      return;
    }
    case "filter-branch":
      for (const { name, value } of readOptions(args, FILTERS, false).given) {
        if (name.endsWith("-filter")) run(value, `git filter-branch ${name}`);
      }
      return;
    case "difftool":
      return run(valueFor(readOptions(args, "-x --extcmd -t", false), "-x", "--extcmd"), by);
    case "worktree":
    case "clone":
    case "fetch":
    case "pull":
    case "push":
    case "ls-remote":
    case "remote":
      readTransport(verb, args, program);
      return;
    case "rm": {
      const options = readOptions(args, "--pathspec-from-file", false);
      if (has(options, "--cached", "-n", "--dry-run")) return;
      for (const word of options.operands) {
        sink.file("delete", word, by, frame, has(options, "-r"));
      }
      return;
    }
    case "mv": {
      const { operands } = readOptions(args, "", false);
      for (const word of operands.slice(0, -1)) sink.file("delete", word, by, frame);
      for (const word of operands.slice(-1)) sink.file("write", word, by, frame);
      return;
    }
    case "clean": {
      const options = readOptions(args, "-e --exclude", false);
      if (has(options, "-n", "--dry-run")) return;
      const here = knownWord(".", call.span);
      for (const word of options.operands.length > 0 ? options.operands : [here]) {
        sink.file("delete", word, by, frame, true);
      }
      return;
    }
    case "checkout": {
      const options = readOptions(args, "-b -B --orphan --conflict", false);
      const direct = isPathspec(options.operands[0]) ? options.operands : options.operands.slice(1);
      const made = has(options, "-b", "-B", "--orphan");
      noteRestored(dashes >= 0 ? paths : made ? [] : direct, by, frame);
      return;
    }
    case "restore": {
      const options = readOptions(args, "-s --source --conflict --pathspec-from-file", false);
      const staged = options.given.some(({ name }) => name === "-S" || /^--stag/.test(name));
      const tree = options.given.some(({ name }) => name === "-W" || /^--work/.test(name));
      if (!staged || tree) noteRestored(options.operands, by, frame);
      return;
    }
    case "apply":
    case "am":
      for (
        const word of readOptions(args, "-p -C --directory --exclude --include", false).operands
      ) {
        sink.file("read", word, by, frame);
      }
      return;
    case "show":
    case "cat-file":
      for (const word of args) readRevision(word, by, frame);
      return;
    case "blame":
    case "annotate":
      for (const word of readOptions(args, "-L -S -C -M", false).operands) {
        sink.file("read", word, by, frame);
      }
      return;
    case "diff": {
      if (!args.some((word) => word.value === "--no-index")) return;
      for (const word of readOptions(args, "-U -O", false).operands) {
        sink.file("read", word, by, frame);
      }
      return;
    }
    case "archive":
    case "bundle":
    case "format-patch": {
      const options = readOptions(args, "-o --output --output-directory --format --prefix", false);
      const file = valueFor(options, "-o", "--output", "--output-directory");
      if (file !== undefined) sink.file("write", file, by, frame);
      return;
    }
  }
}

/** True where the first operand of a checkout is a file by its looks, and no branch. */
function isPathspec(word: Word | undefined): boolean {
  return /^[.:]|\/$|\/\.|\.[a-z]\w*$/i.test(word?.value ?? "");
}

/** Files written over from git's store; a folder named as one brings all that lies below it. */
function noteRestored(words: readonly Word[], by: string, frame: Frame): void {
  for (const word of words) {
    frame.sink.file("write", word, by, frame, true);
    if (!/^\.{1,2}$|\/\.{0,2}$/.test(word.value ?? "")) continue;
    const all = `${word.value?.replace(/\/+$/, "")}/**`;
    frame.sink.file("write", { ...word, text: all, value: all, glob: true }, by, frame, true);
  }
}

const FILTERS = "--env-filter --tree-filter --index-filter --parent-filter --msg-filter " +
  "--commit-filter --tag-name-filter --subdirectory-filter --original -d";

/** A submodule's directory is not known, but it lies in this repository. */
function elsewhereIn(frame: Frame): Frame {
  const scope = frame.scope.fork();
  scope.cwd = undefined;
  return { ...frame, scope };
}

/** `HEAD:path` names a file of the repository; its content is read whatever the revision. */
function readRevision(word: Word, by: string, frame: Frame): void {
  const at = word.text.indexOf(":");
  if (at < 0 || word.text.startsWith("-")) return;
  const path = cut(word, at + 1);
  if (path.text !== "" && !path.text.startsWith("/")) frame.sink.file("read", path, by, frame);
}

/** `ext::CMD` remotes and `--upload-pack CMD` run commands. */
function readTransport(verb: string, args: readonly Word[], program: Program): void {
  const { frame } = program;
  const options = readOptions(args, "--upload-pack --receive-pack --exec -c --config -b -o", false);
  const pack = valueFor(options, "--upload-pack", "--receive-pack", "--exec");
  if (pack !== undefined) readShellText(pack, [pack], through(frame, `git ${verb} pack`), "git");
  for (const { name, value } of options.given) {
    if (verb === "clone" && (name === "-c" || name === "--config") && value !== undefined) {
      setting(value, frame);
    }
  }
  for (const word of options.operands) {
    if (!/^ext::/.test(word.text)) continue;
    const text = cut(word, 5);
    readShellText(text, [text], through(frame, "git remote ext::"), "git");
  }
}
