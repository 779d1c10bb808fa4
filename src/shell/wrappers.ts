/**
 * Looks through programs that run another command: `sudo`, `env`, `timeout`, `xargs`, `parallel` …
 */
import { quoteWord } from "./command.ts";
import { type Frame, knownWord, type Output, through, unknownWord } from "./frame.ts";
import { has, namesIn, readOptions, valueFor } from "./options.ts";
import type { Program } from "./program.ts";
import type { Word } from "./reading.ts";
import { changeDirectory } from "./directories.ts";
import { readShellText } from "./shells.ts";
import { PLAIN_DASHES, type Wrapper, WRAPPERS } from "./tables/wrappers.ts";

/** Reads what a wrapper runs; undefined where the program is none. */
export function unwrap(program: Program): { readonly output: Output } | undefined {
  switch (program.name) {
    case "env":
      return { output: readEnv(program) };
    case "xargs":
      return { output: readXargs(program) };
    case "parallel":
      return { output: readParallel(program) };
    case "su":
      return { output: readSu(program) };
  }
  const wrapper = WRAPPERS.get(program.name);
  if (wrapper !== undefined) return { output: readWrapper(program, wrapper) };
  readAfterDashes(program);
  return undefined;
}

function readWrapper(program: Program, wrapper: Wrapper): Output {
  const { frame, name } = program;
  let args = program.args;
  if (wrapper.verbs !== undefined) {
    const outer = readOptions(args, wrapper.valued ?? "", true);
    readTexts(program, wrapper, args);
    const verb = outer.operands[0]?.value;
    if (verb === undefined || !namesIn(wrapper.verbs).has(verb)) return undefined;
    args = outer.operands.slice(1);
  }
  const options = readOptions(args, wrapper.valued ?? "", true);
  const idle = wrapper.idle === undefined ? [] : [...namesIn(wrapper.idle)];
  if (idle.length > 0 && has(options, ...idle)) return undefined;
  if (readTexts(program, wrapper, args)) return undefined;
  let rest = options.operands;
  if (wrapper.dashes === true) {
    const at = args.findIndex((word) => /^(?:--|--args|-c|--command)$/.test(word.value ?? ""));
    rest = at < 0 ? [] : args.slice(at + 1);
  }
  if (wrapper.skip !== undefined) rest = afterSkipped(rest, wrapper);
  let inner = through(frame, name);
  const directory = wrapper.directory === undefined
    ? undefined
    : valueFor(options, ...namesIn(wrapper.directory));
  if (directory !== undefined) {
    inner = { ...inner, scope: inner.scope.fork() };
    changeDirectory(directory, inner.scope);
  }
  let call = program.call;
  if (wrapper.assigns === true) {
    const taken = takeAssignments(rest);
    rest = taken.rest;
    call = { ...call, assignments: [...call.assignments, ...taken.assignments] };
  }
  if (name === "exec" && rest.length === 0) return undefined;
  if (rest[0]?.value === "--") rest = rest.slice(1);
  if (rest.length === 0) {
    const opens = wrapper.opens === true && options.operands.length > 0 || name === "unshare" ||
      name === "sudo" && has(options, "-i", "-s", "--login", "--shell");
    if (opens) openShell(program);
    return undefined;
  }
  if (wrapper.joined === true) {
    const text = rest.map((word) => word.value ?? word.text).join(" ");
    return readShellText({ ...knownWord(text, rest[0]!.span) }, rest, inner, name);
  }
  return frame.engine.words(rest, inner, call);
}

/** Steps over the operands that come before the command, with options that may follow them. */
function afterSkipped(rest: readonly Word[], wrapper: Wrapper): readonly Word[] {
  const after = rest.slice(wrapper.skip ?? 0);
  return readOptions(after, wrapper.valued ?? "", true).operands;
}

/** Options that hold a command line; true where there was one. */
function readTexts(program: Program, wrapper: Wrapper, args: readonly Word[]): boolean {
  if (wrapper.text === undefined) return false;
  const names = namesIn(wrapper.text);
  let found = false;
  for (const { name, value } of readOptions(args, wrapper.valued ?? "", false).given) {
    if (!names.has(name) || value === undefined) continue;
    found = true;
    readShellText(value, [value], through(program.frame, `${program.name} ${name}`), program.name);
  }
  return found;
}

interface Taken {
  readonly assignments: { readonly name: string; readonly value: string | undefined }[];
  readonly rest: readonly Word[];
}

function takeAssignments(words: readonly Word[]): Taken {
  const assignments: { name: string; value: string | undefined }[] = [];
  let i = 0;
  for (; i < words.length; i++) {
    const match = /^([A-Za-z_][\w.]*)=/.exec(words[i]?.text ?? "");
    if (match === null) break;
    const value = words[i]?.value?.slice(match[0].length);
    assignments.push({ name: match[1] ?? "", value });
  }
  return { assignments, rest: words.slice(i) };
}

const ENV_VALUED = "-u -C -S -P --unset --chdir --split-string";

function readEnv(program: Program): Output {
  const { frame } = program;
  const options = readOptions(program.args, ENV_VALUED, true);
  let words = options.operands[0]?.value === "-" ? options.operands.slice(1) : options.operands;
  const split = valueFor(options, "-S", "--split-string");
  if (split !== undefined) {
    // Its text is split like shell words, but nothing in it is a separator.
    const pieces = split.value === undefined ? undefined : splitWords(split.value);
    const front = pieces?.map((piece) => knownWord(piece, split.span)) ??
      [unknownWord(split.text, split.span)];
    words = [...front, ...words];
    const again = readOptions(words, ENV_VALUED, true);
    words = again.operands;
  }
  const taken = takeAssignments(words);
  if (taken.rest.length === 0) return undefined;
  let inner = through(frame, "env");
  const directory = valueFor(options, "-C", "--chdir");
  if (directory !== undefined) {
    inner = { ...inner, scope: inner.scope.fork() };
    changeDirectory(directory, inner.scope);
  }
  return frame.engine.words(taken.rest, inner, {
    ...program.call,
    assignments: [...program.call.assignments, ...taken.assignments],
  });
}

/** Splits text at blanks outside quotes, quotes removed. */
export function splitWords(text: string): string[] {
  const out: string[] = [];
  for (const match of text.matchAll(/(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^\s'"\\])+/g)) {
    out.push(match[0].replace(
      /'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])/g,
      (_, single, double, escaped) => {
        return single ?? (double as string | undefined)?.replace(/\\([^])/g, "$1") ?? escaped ?? "";
      },
    ));
  }
  return out;
}

const XARGS_VALUED =
  "-I -n -P -L -s -d -E -a -J -R --max-args --max-procs --max-lines --max-chars --delimiter " +
  "--eof --arg-file --replace --process-slot-var";

function readXargs(program: Program): Output {
  const { frame, call } = program;
  const options = readOptions(program.args, XARGS_VALUED, true);
  if (has(options, "--help", "--version")) return undefined;
  const file = valueFor(options, "-a", "--arg-file");
  if (file !== undefined) frame.sink.file("read", file, "xargs", frame);
  const words = options.operands.length > 0 ? options.operands : [knownWord("echo", call.span)];
  const input = frame.input.kind === "text" && file === undefined ? frame.input.text : undefined;
  const found = frame.input.kind === "pipe" && file === undefined ? frame.input.found : undefined;
  const items = input === undefined
    ? found ?? [unknownWord(placeholder(frame), call.span)]
    : itemsOf(input, options).map((item) => knownWord(item, call.span));
  const marker = valueFor(options, "-I", "--replace", "-J")?.value ??
    (has(options, "-i", "--replace") ? "{}" : undefined);
  const inner = through({ ...frame, input: { kind: "none" } }, "xargs");
  if (marker === undefined || marker === "") {
    return frame.engine.words([...words, ...items], inner, call);
  }
  for (const item of items) {
    frame.engine.words(words.map((word) => filled(word, marker, item)), inner, call);
  }
  return undefined;
}

/** Stands for words read from the input, which the network may have sent. */
function placeholder(frame: Frame): string {
  const { input } = frame;
  const fetched = input.kind === "pipe" &&
    input.from.some((name) =>
      name === undefined || /^(?:curl|wget|nc|ncat|http|ssh|aria2c|base64)$/.test(name)
    );
  return fetched ? "$FETCHED_INPUT" : "$INPUT_WORDS";
}

function itemsOf(input: string, options: ReturnType<typeof readOptions>): string[] {
  if (has(options, "-0", "--null")) return input.split("\0").filter((item) => item !== "");
  const delimiter = valueFor(options, "-d", "--delimiter")?.value;
  if (delimiter !== undefined) {
    const mark = delimiter.replace("\\n", "\n").replace("\\0", "\0").replace("\\t", "\t");
    return input.split(mark).map((item) => item.replace(/\n$/, "")).filter((item) => item !== "");
  }
  if (has(options, "-I", "-L")) {
    return input.split("\n").map((item) => item.trim()).filter((item) => item !== "");
  }
  return splitWords(input);
}

/** `word` with every `marker` in it replaced by `item`. */
export function filled(word: Word, marker: string, item: Word): Word {
  if (!word.text.includes(marker)) return word;
  const value = word.value === undefined || item.value === undefined
    ? undefined
    : word.value.replaceAll(marker, () => item.value ?? "");
  const text = word.text.replaceAll(marker, () => item.text);
  return { ...word, text, value, glob: word.glob || item.glob };
}

const PARALLEL_VALUED =
  "-j -a -I -n -N -L -S -C -P --jobs --arg-file --max-args --joblog --results --sshlogin --colsep " +
  "--timeout --retries --delay --tmpdir --workdir --wd --tagstring --load";

/** `parallel CMD ::: a b`: the command is a text for a shell, its placeholders filled in. */
function readParallel(program: Program): Output {
  const { frame, call } = program;
  const at = program.args.findIndex((word) => /^:::+\+?$/.test(word.value ?? ""));
  const front = at < 0 ? program.args : program.args.slice(0, at);
  const words = readOptions(front, PARALLEL_VALUED, true).operands;
  const items = at >= 0
    ? program.args.slice(at + 1).filter((word) => !/^:::/.test(word.value ?? ""))
    : frame.input.kind === "text"
    ? frame.input.text.split("\n").filter((line) => line !== "").map((line) =>
      knownWord(line, call.span)
    )
    : [unknownWord(placeholder(frame), call.span)];
  const inner = through({ ...frame, input: { kind: "none" } }, "parallel");
  for (const item of items) {
    const marked = words.some((word) => /\{[.\/%#\d]*\}/.test(word.text));
    const full = words.length === 0
      ? [item]
      : marked
      ? words.map((word) => filled(word, "{}", item))
      : [...words, item];
    const text = full.map((word) => words.length <= 1 ? word.text : quoteWord(word)).join(" ");
    readShellText(knownWord(text, call.span), full, inner, "parallel");
  }
  return undefined;
}

function readSu(program: Program): Output {
  const { frame } = program;
  const options = readOptions(
    program.args,
    "-c -s -g -G -w --command --session-command --shell --group",
    false,
  );
  const text = valueFor(options, "-c", "--command", "--session-command");
  const inner = through(frame, "su -c");
  if (text !== undefined) return readShellText(text, [text], inner, "su");
  const script = options.operands.filter((word) => word.value !== "-").slice(1);
  if (script.length === 0 && frame.input.kind === "none") openShell(program);
  else if (script.length > 0) {
    frame.engine.words([knownWord("sh", program.call.span), ...script], inner, program.call);
  }
  return undefined;
}

/** Says that a shell is opened which later input will drive, or reads what is fed to it. */
export function openShell(program: Program): void {
  const { frame, call } = program;
  frame.engine.words([knownWord("sh", call.span)], through(frame, program.name), call);
}

/** `anything -- git reset --hard`: an unknown program may run what follows the dashes. */
function readAfterDashes(program: Program): void {
  const at = program.args.findIndex((word) => word.value === "--");
  if (at < 0 || namesIn(PLAIN_DASHES).has(program.name)) return;
  const rest = program.args.slice(at + 1);
  if (!/^[\w./+]/.test(rest[0]?.value ?? "")) return;
  program.frame.engine.words(rest, through(program.frame, `${program.name} --`), program.call);
}
