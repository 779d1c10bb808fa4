/**
 * `find` and `fd`: the commands they run on what they find, and what they delete.
 */
import { type Frame, knownWord, through } from "./frame.ts";
import type { Program } from "./program.ts";
import type { Word } from "./reading.ts";
import { filled } from "./wrappers.ts";

const RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
/** Tests that leave most of what is found in place, so that the starting point stays the target. */
const WEAK = new Set([
  "-type",
  "-maxdepth",
  "-xdev",
  "-mount",
  "-depth",
  "-d",
  "-not",
  "!",
  "-print",
]);
const STRICT =
  /^-(?:i?name|i?path|i?wholename|i?regex|[amc]time|[amc]min|newer\w*|size|user|group|perm|empty|mindepth|links|inum|uid|gid|samefile|executable|readable|writable|nouser|nogroup)$/;

/** Reads what a search does with what it finds. */
export function readFind(program: Program): void {
  if (program.name.startsWith("fd")) return readFd(program);
  const { args, frame } = program;
  let first = 0;
  while (/^-(?:[HLP]+|O\d|D)$/.test(args[first]?.text ?? "")) first++;
  let end = first;
  while (end < args.length && !/^(?:[-!(),])/.test(args[end]?.text ?? "-")) end++;
  const starts = end > first ? args.slice(first, end) : [knownWord(".", program.call.span)];
  const tests = args.slice(end);
  const acts = tests.findIndex((word) => RUNS.has(word.text) || word.text === "-delete");
  const front = acts < 0 ? tests : tests.slice(0, acts);
  const found = targets(starts, front);
  if (acts < 0 && !tests.some((word) => /^-(?:f?printf|fls|ls)$/.test(word.text))) {
    frame.sink.listed = reached(found);
  }
  for (let i = 0; i < tests.length; i++) {
    const text = tests[i]?.value ?? "";
    if (text === "-delete") remove(found, front, program);
    else if (/^-fprint(?:0|f)?$|^-fls$/.test(text)) {
      const file = tests[++i];
      if (file !== undefined) frame.sink.file("write", file, "find", frame);
    } else if (RUNS.has(text)) {
      const stop = tests.findIndex((word, at) =>
        at > i && (word.value === ";" || word.value === "+")
      );
      const words = tests.slice(i + 1, stop < 0 ? tests.length : stop);
      runOn(words, reached(found), through(frame, `find ${text}`), program);
      if (stop < 0) break;
      i = stop;
    }
  }
}

/** `-delete` is judged as the `rm` that would do the same; what is empty is no loss. */
function remove(found: readonly Word[], front: readonly Word[], program: Program): void {
  const { frame, call } = program;
  const inner = through(frame, "find -delete");
  const empty = front.some((word, at) => word.text === "-empty" && !isNot(front[at - 1]?.text)) &&
    !front.some((word) => /^(?:-o|-or|,)$/.test(word.text));
  for (const word of found) {
    if (empty) {
      frame.sink.file("delete", word, "find -delete", frame);
      continue;
    }
    const tree = word.glob ? [] : [knownWord("-r", call.span)];
    inner.engine.words([knownWord("rm", call.span), ...tree, word], inner, call);
  }
}

function runOn(
  words: readonly Word[],
  found: readonly Word[],
  frame: Frame,
  program: Program,
): void {
  if (words.length === 0) return;
  for (const target of found) {
    frame.engine.words(words.map((word) => filled(word, "{}", target)), frame, program.call);
  }
}

/** The paths that may be found: the starting points themselves unless a test narrows them. */
function targets(starts: readonly Word[], front: readonly Word[]): Word[] {
  const strict = front.some((word) => STRICT.test(word.text) && !WEAK.has(word.text));
  if (!strict) return [...starts];
  return starts.flatMap((start) => namesFound(front).map((name) => below(start, name)));
}

/** What a command gets one by one: starting points that no test narrows, and all that lies below. */
function reached(found: readonly Word[]): readonly Word[] {
  return found.flatMap((word) => word.glob ? [word] : [word, below(word, "*")]);
}

/** Everything at any depth below `start` that has the name. */
function below(start: Word, name: string): Word {
  const text = `${start.text.replace(/\/+$/, "")}/**/${name}`;
  return { ...start, text, value: start.value === undefined ? undefined : text, glob: true };
}

/** The names that the tests ask for: one of each alternative, `*` for one that asks for none. */
function namesFound(tests: readonly Word[]): string[] {
  const texts = tests.map((word) => word.text);
  const negated = texts.some((text, at) => isNot(text) && texts[at + 1] === "(");
  if (negated) return ["*"];
  const names: string[] = [];
  let name: string | undefined;
  texts.forEach((text, at) => {
    if (/^-i?name$/.test(text) && !isNot(texts[at - 1])) name ??= tests[at + 1]?.value;
    if (!/^(?:-o|-or|,)$/.test(text)) return;
    names.push(name ?? "*");
    name = undefined;
  });
  return [...new Set([...names, name ?? "*"])];
}

function isNot(text: string | undefined): boolean {
  return text === "!" || text === "-not";
}

/** `fd PATTERN -x CMD` and `-X CMD` run the rest of the line. */
function readFd(program: Program): void {
  const at = program.args.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.text));
  if (at < 0) return;
  const stop = program.args.findIndex((word, i) => i > at && word.value === ";");
  const words = program.args.slice(at + 1, stop < 0 ? undefined : stop);
  const target: Word = { ...knownWord("./**/*", program.call.span), glob: true };
  const marked = words.some((word) => word.text.includes("{}"));
  const full = marked ? words : [...words, knownWord("{}", program.call.span)];
  runOn(full, [target], through(program.frame, "fd -x"), program);
}
