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
  const found = targets(starts, tests);
  for (let i = 0; i < tests.length; i++) {
    const text = tests[i]?.value ?? "";
    if (text === "-delete") {
      for (const word of found) frame.sink.file("delete", word, "find -delete", frame, true);
    } else if (/^-fprint(?:0|f)?$|^-fls$/.test(text)) {
      const file = tests[++i];
      if (file !== undefined) frame.sink.file("write", file, "find", frame);
    } else if (RUNS.has(text)) {
      const stop = tests.findIndex((word, at) =>
        at > i && (word.value === ";" || word.value === "+")
      );
      const words = tests.slice(i + 1, stop < 0 ? tests.length : stop);
      runOn(words, found, through(frame, `find ${text}`), program);
      if (stop < 0) break;
      i = stop;
    }
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
function targets(starts: readonly Word[], tests: readonly Word[]): Word[] {
  const actions = tests.findIndex((word) => RUNS.has(word.text) || word.text === "-delete");
  const front = tests.slice(0, actions < 0 ? tests.length : actions);
  const strict = front.some((word) => STRICT.test(word.text) && !WEAK.has(word.text));
  if (!strict) return [...starts];
  const at = front.findIndex((word) => /^-i?name$/.test(word.text));
  const negated = /^(?:!|-not)$/.test(front[at - 1]?.text ?? "");
  const name = at < 0 || negated ? undefined : front[at + 1]?.value;
  return starts.map((start) => {
    const base = start.text.replace(/\/+$/, "");
    const path = `${base}/**/${name ?? "*"}`;
    return {
      ...start,
      text: path,
      value: start.value === undefined ? undefined : path,
      glob: true,
    };
  });
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
