/**
 * Windows shells reached from a POSIX command line: `powershell -Command …`, `cmd /c …`.
 */
import { type Frame, knownWord, through } from "./frame.ts";
import type { Program } from "./program.ts";
import { BoundReached } from "./sink.ts";
import { readPowerShellText } from "./powershell.ts";
import type { Span, Word } from "./reading.ts";

/** Reads what a Windows shell is given; false where the program is none. */
export function readWindows(program: Program): boolean {
  switch (program.name.toLowerCase()) {
    case "powershell":
    case "pwsh":
      readPowerShellProgram(program);
      return true;
    case "cmd":
      readCmdProgram(program);
      return true;
    case "rd":
    case "del":
    case "erase":
      readCmdDelete(program);
      return true;
    default:
      return false;
  }
}

function readPowerShellProgram(program: Program): void {
  const { args, name, call } = program;
  const frame = program.frame;
  for (let i = 0; i < args.length; i++) {
    const text = (args[i]?.text ?? "").replace(/^\//, "-").toLowerCase();
    if (/^-(?:version|v|help|\?|-version|-help|h)$/.test(text)) return;
    if (/^-e(?:c|n\w*)?$/.test(text) && !/^-ex/.test(text)) {
      const code = decodeUtf16(args[i + 1]?.value ?? "");
      if (code !== undefined) {
        return readInside(code, frame, `${name} -EncodedCommand`, args[i + 1]!.span);
      }
      frame.sink.doubt(
        "unread code",
        `${name} runs an encoded text that could not be read`,
        call.span,
      );
      return;
    }
    if (/^-(?:f|file)$/.test(text)) {
      const file = args[i + 1];
      if (file === undefined) return;
      frame.sink.file("read", file, name, frame);
      frame.sink.doubt(
        "indirect",
        `${name} ${file.text} runs a script that was not read`,
        file.span,
      );
      return;
    }
    if (/^-(?:c|command)$/.test(text)) return readCommandWords(args.slice(i + 1), program);
    if (
      /^-(?:ex\w*|ep|psconsolefile|outputformat|inputformat|w|windowstyle|wd|workingdirectory|configurationname|of|if)$/
        .test(text)
    ) {
      i++;
    } else if (!text.startsWith("-")) return readCommandWords(args.slice(i), program);
  }
  const { input } = frame;
  if (input.kind === "text") readInside(input.text, frame, `${name} <`, call.span);
  else if (input.kind === "pipe") {
    frame.sink.doubt("unread code", `${input.from.join(" | ")} piped into ${name}`, call.span);
  } else frame.sink.doubt("interactive", `${name} opened without a command`, call.span);
}

function readCommandWords(words: readonly Word[], program: Program): void {
  const { frame, name, call } = program;
  if (words.length === 0) return;
  if (words[0]?.value === "-") {
    if (frame.input.kind === "text") {
      return readInside(frame.input.text, frame, `${name} -c`, call.span);
    }
    frame.sink.doubt("unread code", `${name} runs its input`, call.span);
    return;
  }
  if (words.some((word) => word.value === undefined && /`|\$\(|^\$/.test(word.text))) {
    frame.sink.doubt("unread code", `${name} runs text of unknown content`, call.span);
  }
  const text = words.map((word) => word.value ?? word.text).join(" ");
  readInside(text, frame, `${name} -Command`, words[0]!.span);
}

function readInside(text: string, frame: Frame, link: string, span: Span): void {
  const scope = frame.scope.fork();
  const inner = { ...frame, scope, depth: frame.depth + 1, input: { kind: "none" as const } };
  readPowerShellText(text, through(inner, link), span);
}

/** UTF-16LE text in base64, undefined where it is none. */
export function decodeUtf16(text: string): string | undefined {
  try {
    const binary = atob(text);
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return new TextDecoder("utf-16le", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** `cmd /c TEXT`: separated by `&`, `&&`, `||` and `|`, words by blanks, only `"` quotes. */
function readCmdProgram(program: Program): void {
  const { args, frame, call } = program;
  const at = args.findIndex((word) => /^\/{1,2}[ckr]$/i.test(word.text));
  if (at < 0) {
    const version = args.some((word) => word.text === "/?");
    if (!version && frame.input.kind === "none") {
      frame.sink.doubt("interactive", "cmd opened without a command", call.span);
    }
    return;
  }
  const words = args.slice(at + 1);
  if (words.some((word) => word.value === undefined)) {
    frame.sink.doubt("unread code", "cmd runs text of unknown content", call.span);
  }
  const text = words.length === 1
    ? words[0]!.text
    : words.map((word) => /\s/.test(word.text) ? `"${word.text}"` : word.text).join(" ");
  // cmd itself takes no longer line.
  if (text.length > 8191) throw new BoundReached("a line for cmd is longer than 8191 characters");
  const inner = through({ ...frame, scope: frame.scope.fork(), input: { kind: "none" } }, "cmd /c");
  const span = words[0]?.span ?? call.span;
  for (const part of text.split(/(?:&&|\|\||[&|\n])(?=(?:[^"]*"[^"]*")*[^"]*$)/)) {
    const found = [...part.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map((match) => {
      return knownWord(match[0].replaceAll('"', "").replaceAll("^", ""), span);
    });
    const first = found[0];
    if (first === undefined) continue;
    const lower = knownWord(first.text.toLowerCase().replace(/^@/, ""), span);
    inner.engine.words([lower, ...found.slice(1)], inner, {
      ...call,
      source: part.trim().slice(0, 300),
    });
    if (lower.value === "rmdir") {
      readCmdDelete({ ...program, name: "rmdir", args: found.slice(1), frame: inner });
    }
  }
}

/** `rd /s /q DIR`, `del /f /s FILE`. */
function readCmdDelete(program: Program): void {
  const recursive = program.args.some((word) => /^\/s$/i.test(word.text));
  for (const word of program.args) {
    if (/^\/[a-z](?::\S*)?$/i.test(word.text)) continue;
    const fold = (text: string) => text.replaceAll("\\", "/");
    const path = {
      ...word,
      text: fold(word.text),
      value: word.value === undefined ? undefined : fold(word.value),
    };
    program.frame.sink.file("delete", path, program.name, program.frame, recursive);
  }
}
