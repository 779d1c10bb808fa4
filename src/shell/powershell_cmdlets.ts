/**
 * PowerShell's cmdlets and .NET calls that touch files.
 */
import { type Frame, knownWord } from "./frame.ts";
import type { Span, Word } from "./reading.ts";
import { CMDLETS } from "./tables/powershell.ts";

/** Parameters that take no value, so that the next word stays an operand. */
const SWITCH =
  /^-(?:r|re|rec\w*|fo|for\w*|f|confirm|whatif|wi|v|verbose|append|noclobber|nonewline|raw|pass\w*|usebasic\w*|leaf)(?::.*)?$/i;

/** Notes the files that a cmdlet touches. */
export function readCmdlet(name: string, words: readonly Word[], frame: Frame): void {
  if (name === "set-location" && words.length > 0) frame.scope.cwd = undefined;
  const cmdlet = CMDLETS.get(name);
  if (cmdlet === undefined) return;
  const operands: Word[] = [];
  let recursive = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (/^-r(?:e\w*)?(?::\$true)?$/i.test(word.text)) recursive = true;
    if (!/^-[A-Za-z]/.test(word.text)) operands.push(word);
    else if (/^-(?:path|literalpath|filepath|outfile|destination|pspath)$/i.test(word.text)) {
      const value = words[++i];
      if (value !== undefined) operands.push(value);
    } else if (!SWITCH.test(word.text)) i++;
  }
  const target = cmdlet.moves === true ? operands[1] : undefined;
  const sources = cmdlet.moves === true || cmdlet.only === true ? operands.slice(0, 1) : operands;
  for (const word of sources) {
    frame.sink.file(cmdlet.how, windowsPath(word), name, frame, recursive);
  }
  if (target !== undefined) frame.sink.file("write", windowsPath(target), name, frame, recursive);
}

function windowsPath(word: Word): Word {
  const fold = (text: string) => text.replaceAll("\\", "/");
  return {
    ...word,
    text: fold(word.text),
    value: word.value === undefined ? undefined : fold(word.value),
  };
}

/** `[System.IO.File]::Delete('x')`, named `[io.file]::delete`. */
export function readStatic(text: string, frame: Frame, span: Span): string {
  const match = /^\[([\w.]+)\]::(\w+)\s*\(?([^]*?)\)?$/.exec(text);
  const type = (match?.[1] ?? "").toLowerCase().replace(/^system\./, "");
  const name = `[${type}]::${(match?.[2] ?? "").toLowerCase()}`;
  const args = [...(match?.[3] ?? "").matchAll(/'((?:''|[^'])*)'|"([^"]*)"|([^,\s]+)/g)].map(
    (m) => {
      const value = m[1]?.replaceAll("''", "'") ?? m[2];
      const known = value !== undefined && !(m[2] ?? "").includes("$");
      return { text: value ?? m[3] ?? "", value: known ? value : undefined, glob: false, span };
    },
  );
  frame.sink.invocation({
    name,
    program: knownWord(name, span),
    args,
    assignments: [],
    redirections: [],
    input: frame.input,
    place: { kind: "here", cwd: frame.scope.cwd },
    via: frame.via,
    span,
    source: text.slice(0, 300),
  });
  const first = args[0];
  if (first === undefined || !/^\[io\.(?:file|directory)\]::/.test(name)) return name;
  if (name.endsWith("::delete")) {
    frame.sink.file("delete", windowsPath(first), name, frame, type === "io.directory");
  } else if (/::(?:write|append|create|set|open)/.test(name)) {
    frame.sink.file("write", windowsPath(first), name, frame);
  } else if (/::read/.test(name)) frame.sink.file("read", windowsPath(first), name, frame);
  else if (/::(?:move|copy)/.test(name)) {
    frame.sink.file(name.endsWith("move") ? "delete" : "read", windowsPath(first), name, frame);
    if (args[1] !== undefined) frame.sink.file("write", windowsPath(args[1]), name, frame);
  }
  return name;
}
