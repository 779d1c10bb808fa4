/**
 * What the redirections of a command read, write and feed into it.
 */
import { bodyText, wholeWord } from "./words.ts";
import { type Frame, knownWord, type Output, spanOf } from "./frame.ts";
import type { RedirectionNode } from "./parse.ts";
import type { Input, Redirection, Word } from "./reading.ts";
import { resolvedPath } from "./sink.ts";

/** What a command's redirections come to. */
export interface Redirected {
  readonly list: readonly Redirection[];
  readonly input: Input;
  /** The file standard output goes to, and whether it is appended to; undefined for none. */
  readonly output: { readonly path: Word; readonly append: boolean } | undefined;
}

/** Evaluates redirections and notes the files they touch. */
export function redirect(nodes: readonly RedirectionNode[], frame: Frame): Redirected {
  const list: Redirection[] = [];
  let input = frame.input;
  let output: Redirected["output"];
  for (const node of nodes) {
    const descriptor = node.descriptor?.type === "FileDescriptor"
      ? node.descriptor.value
      : node.descriptor === undefined
      ? undefined
      : -1;
    if (node.type === "HereDoc") {
      const span = spanOf(frame, node.pos, node.end);
      const text = node.body.parts === undefined
        ? node.body.text
        : bodyText(node.body.parts, frame) ?? undefined;
      const body = text !== undefined && node.operator === "<<-"
        ? text.replace(/^\t+/gm, "")
        : text;
      list.push({ operator: node.operator, target: knownWord(node.delimiter?.value ?? "", span) });
      input = feed(body, descriptor, input, frame, "a here-document");
      continue;
    }
    if (node.target === undefined) continue;
    const target = wholeWord(node.target, frame);
    list.push({ operator: node.operator, target });
    if (node.type === "HereString") {
      const text = target.value === undefined ? undefined : `${target.value}\n`;
      input = feed(text, descriptor, input, frame, "a here-string");
      continue;
    }
    if (node.operator === "<") {
      frame.sink.file("read", target, "<", frame);
      if (descriptor === undefined || descriptor === 0) input = { kind: "file", path: target };
      continue;
    }
    const duplicates = node.operator === ">&" || node.operator === "<&";
    if (duplicates && /^(?:\d+-?|-)$/.test(target.value ?? "")) continue;
    if (node.operator === "<&") continue;
    frame.sink.file("write", target, node.operator, frame);
    if (descriptor === undefined || descriptor === 1) {
      output = { path: target, append: node.operator.endsWith(">>") };
    }
  }
  return { list, input, output };
}

function feed(
  text: string | undefined,
  descriptor: number | undefined,
  input: Input,
  frame: Frame,
  what: string,
): Input {
  if (descriptor !== undefined && descriptor !== 0) {
    frame.scope.shared.written.set(`/dev/fd/${descriptor}`, text);
    return input;
  }
  return text === undefined ? { kind: "pipe", from: [what] } : { kind: "text", text };
}

/** Remembers what was written where, and gives what is left to print. */
export function deliver(printed: Output, to: Redirected["output"], frame: Frame): Output {
  if (to === undefined) return printed;
  remember(to.path, printed, to.append, frame);
  return "";
}

/** Remembers the text of a file written by this command line, so that running it can be read. */
export function remember(path: Word, text: Output, append: boolean, frame: Frame): void {
  const written = frame.scope.shared.written;
  const at = resolvedPath(path.value, frame.scope) ?? path.value;
  if (at === undefined) return;
  const before = append ? written.get(at) : "";
  if (append && written.has(at) && before === undefined) return;
  written.set(at, text === undefined ? undefined : (before ?? "") + text);
}
