/**
 * What a harmless program prints when its words and its input are known: `echo`, `printf`, decoders.
 */
import { basename, dirname, resolve } from "../system/paths.ts";
import type { Output } from "./frame.ts";
import type { Program } from "./program.ts";
import { tempName } from "./temp_name.ts";
import { printsSettings } from "./tables/settings.ts";

const MAX_OUTPUT = 128 * 1024;
/** Stands for settings that a program prints for the shell: a command that does nothing. */
const SETTINGS = ":\n";

/** The program's standard output, or undefined where it is not known. */
export function outputOf(program: Program): Output {
  const printed = compute(program);
  return printed !== undefined && printed.length > MAX_OUTPUT ? undefined : printed;
}

function compute(program: Program): Output {
  const { name, frame } = program;
  const args = program.args.map((word) => word.value);
  if (args.includes(undefined) || program.args.some((word) => word.glob)) return undefined;
  const words = args as string[];
  if (printsSettings(name, words)) return SETTINGS;
  const operands = words.filter((word) => !word.startsWith("-"));
  switch (name) {
    case "echo":
      return echo(words);
    case "printf":
      return words[0] === "-v" ? "" : printf(words[0] === "--" ? words.slice(1) : words);
    case "pwd":
      return frame.scope.cwd === undefined ? undefined : `${frame.scope.cwd}\n`;
    case "basename":
      return operands[0] === undefined
        ? undefined
        : `${withoutSuffix(basename(operands[0].replace(/\/+$/, "")), operands[1])}\n`;
    case "dirname":
      return operands[0] === undefined ? undefined : `${dirname(operands[0])}\n`;
    case "realpath":
    case "readlink": {
      const cwd = frame.scope.cwd;
      if (operands.length !== 1 || cwd === undefined) return undefined;
      return `${resolve(cwd, operands[0] ?? "")}\n`;
    }
    case "which":
    case "command":
    case "type":
    case "whence":
      return name !== "command" || /^-[vV]$/.test(words[0] ?? "")
        ? operands.map((word) => `${word}\n`).join("")
        : undefined;
    case "mktemp":
      return tempName(program);
    case "cat":
    case "tee":
      return cat(program, operands, name === "tee");
    default:
      return filter(program, words);
  }
}

function withoutSuffix(name: string, suffix: string | undefined): string {
  return suffix !== undefined && name !== suffix && name.endsWith(suffix)
    ? name.slice(0, -suffix.length)
    : name;
}

function echo(words: readonly string[]): string {
  let i = 0;
  let escapes = false;
  let newline = true;
  for (; /^-[neE]+$/.test(words[i] ?? ""); i++) {
    if (words[i]?.includes("n") === true) newline = false;
    if (words[i]?.includes("e") === true) escapes = true;
  }
  const text = words.slice(i).join(" ");
  return (escapes ? unescape(text) : text) + (newline ? "\n" : "");
}

/** `printf` with `%s`, `%b`, `%q`, `%d`, `%c`, `%%`; the format is used again while words are left. */
function printf(words: readonly string[]): Output {
  const format = words[0];
  if (format === undefined) return "";
  const rest = words.slice(1);
  const known = /%(?:%|[-+ 0#]*\d*(?:\.\d+)?[sbqdiuc])/g;
  if (format.replace(known, "").includes("%")) return undefined;
  let numeric = true;
  let out = "";
  let at = 0;
  do {
    const start = at;
    out += unescape(format).replace(/%(?:%|[-+ 0#]*\d*(?:\.\d+)?([sbqdiuc]))/g, (whole, kind) => {
      if (whole === "%%") return "%";
      const value = rest[at++] ?? "";
      if (kind === "b") return unescape(value);
      if (kind === "c") return value.slice(0, 1);
      if (/[diu]/.test(kind) && !/^-?\d+$/.test(value)) numeric = false;
      return value;
    });
    if (at === start) break;
  } while (at < rest.length && out.length <= MAX_OUTPUT);
  return numeric ? out : undefined;
}

/** Backslash escapes as `echo -e` and `printf` read them. */
export function unescape(text: string): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|0?([0-7]{1,3})|([^]))/g,
    (whole, hex, short, long, octal, char) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return codePoint(parseInt(code, 16));
      if (octal !== undefined) return codePoint(parseInt(octal, 8));
      const plain: Record<string, string> = {
        n: "\n",
        t: "\t",
        r: "\r",
        a: "\x07",
        b: "\b",
        e: "\x1b",
        f: "\f",
        v: "\v",
        "\\": "\\",
        "'": "'",
        '"': '"',
      }; // deno-fmt-ignore
      return plain[char as string] ?? whole;
    },
  );
}

function codePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function cat(program: Program, operands: readonly string[], tee: boolean): Output {
  const { frame } = program;
  const { written } = frame.scope.shared;
  const fed = frame.input.kind === "text"
    ? frame.input.text
    : frame.input.kind === "file"
    ? written.get(frame.input.path.value ?? "")
    : undefined;
  if (tee || operands.length === 0) return fed;
  let out = "";
  for (const operand of operands) {
    const cwd = frame.scope.cwd ?? "/";
    const text = written.get(operand) ?? written.get(resolve(cwd, operand));
    if (text === undefined) return undefined;
    out += text;
  }
  return out;
}

/** Programs that turn known input into known output. */
function filter(program: Program, words: readonly string[]): Output {
  const { name, frame } = program;
  if (frame.input.kind !== "text") return undefined;
  const text = frame.input.text;
  const flags = words.join(" ");
  switch (name) {
    case "base64":
    case "gbase64":
      return /(?:^| )(?:-[a-zA-Z]*[dD]|--decode)/.test(flags) ? decode64(text) : undefined;
    case "openssl":
      return /^(?:enc )?-?base64\b/.test(flags) && / -d\b/.test(flags) ? decode64(text) : undefined;
    case "xxd":
      return /-r/.test(flags) ? decodeHex(text) : undefined;
    case "rev":
      return text.split("\n").map((line) => [...line].reverse().join("")).join("\n");
    case "tac":
      return `${text.replace(/\n$/, "").split("\n").reverse().join("\n")}\n`;
    case "tr":
      return translate(text, words);
    case "sort":
    case "uniq":
    case "cut":
    case "head":
    case "tail":
      return words.length === 0 && name === "head" ? text : undefined;
    default:
      return undefined;
  }
}

/** Base64 text decoded as UTF-8, undefined where it is none. */
export function decode64(text: string): string | undefined {
  try {
    const binary = atob(text.replace(/\s+/g, ""));
    return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function decodeHex(text: string): string | undefined {
  const digits = text.replace(/\s+/g, "");
  if (!/^(?:[0-9A-Fa-f]{2})+$/.test(digits)) return undefined;
  const bytes = digits.match(/../g) ?? [];
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => parseInt(byte, 16)));
}

/** `tr SET SET`, `tr -d SET` with plain characters and ranges. */
function translate(text: string, words: readonly string[]): Output {
  const remove = words[0] === "-d";
  const from = spelled(words[remove ? 1 : 0] ?? "");
  if (from === undefined) return undefined;
  if (remove) return [...text].filter((char) => !from.includes(char)).join("");
  const to = spelled(words[1] ?? "");
  if (to === undefined || to.length === 0 || words.length !== 2) return undefined;
  return [...text].map((char) => {
    const at = from.indexOf(char);
    return at < 0 ? char : to[Math.min(at, to.length - 1)] ?? char;
  }).join("");
}

function spelled(set: string): string[] | undefined {
  if (/\[:/.test(set)) return undefined;
  const chars = [...unescape(set)];
  const out: string[] = [];
  for (let i = 0; i < chars.length; i++) {
    const from = chars[i] ?? "";
    const to = chars[i + 2];
    if (chars[i + 1] === "-" && to !== undefined) {
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) {
        out.push(String.fromCharCode(code));
      }
      i += 2;
    } else out.push(from);
  }
  return out;
}
