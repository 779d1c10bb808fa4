/**
 * Parameter expansion where the value is known: `$X`, `${X:-y}`, `${!X}`, `${X%.*}`, `"$@"`.
 */
import { type Frame, spanOf } from "./frame.ts";
import type { ParameterExpansionPart, WordNode } from "./parse.ts";
import type { Value } from "./scope.ts";
import { matchGlob } from "./globs.ts";
import type { Chunk } from "./fields.ts";
import { expanded, fixed, readInside, unclear, wholeWord } from "./words.ts";

/** `$NAME`, `$1`, `$@` and their like. */
export function expandSimple(text: string, frame: Frame, quoted: boolean): Chunk[] {
  return variable(text.slice(1), text, frame, quoted);
}

/** `${…}` in all its forms; what is not known stays unknown, and commands inside are always read. */
export function expandParameter(
  part: ParameterExpansionPart,
  frame: Frame,
  quoted: boolean,
): Chunk[] {
  if (part.index !== undefined) readInside(part.index, frame);
  const operand = operandsOf(part, frame);
  if (part.index !== undefined) return indexed(part, frame, quoted);
  const operation = part.operation;
  const name = part.parameter;
  if (part.prefix === "#") {
    const value = current(name, frame);
    return [typeof value === "string" ? fixed(String(value.length)) : unclear(part.text)];
  }
  if (part.prefix === "!") {
    if (operation?.type === "Names") return [unclear(part.text)];
    const target = current(name, frame);
    if (typeof target !== "string") return [unclear(part.text)];
    if (operation === undefined) return variable(target, part.text, frame, quoted);
    return [unclear(part.text)];
  }
  if (operation === undefined) return variable(name, part.text, frame, quoted);
  if (operation.type === "Slice" && (name === "@" || name === "*")) {
    return positionalSlice(operand, part, frame, quoted);
  }
  const value = current(name, frame);
  if (operation.type === "Default") {
    return withDefault(part, operation.operator, value, operand[0], frame, quoted);
  }
  if (operation.type === "Transform") return transformed(part, value, operand[0], frame, quoted);
  if (typeof value !== "string") return [unclear(part.text)];
  if (operation.type === "Remove") frame.sink.step(Math.floor(value.length / 9));
  const result = changed(value, operation, operand);
  return [result === undefined ? unclear(part.text) : expanded(result, quoted)];
}

/** The one value a variable is taken to have now: `undefined` unknown, `null` certainly unset. */
function current(name: string, frame: Frame): Value {
  const values = valuesOf(name, frame);
  if (values === null) return undefined;
  const strings = values.filter((value) => typeof value === "string");
  return strings.length > 0 ? strings[strings.length - 1] : values[0];
}

function valuesOf(name: string, frame: Frame): readonly Value[] | null {
  if (/^\d+$/.test(name)) {
    const given = frame.scope.positional;
    if (name === "0") return frame.scope.lookup(name);
    if (given === undefined) return null;
    const at = Number(name) - 1;
    return at < given.length ? [given[at]] : [null];
  }
  if (name === "#") {
    const given = frame.scope.positional;
    if (frame.scope.uncertain < Infinity) return [undefined];
    return given === undefined ? null : [String(given.length)];
  }
  return frame.scope.lookup(name);
}

function variable(name: string, text: string, frame: Frame, quoted: boolean): Chunk[] {
  if (name === "@" || name === "*") {
    const given = frame.scope.positional;
    return given === undefined ? [unclear(text)] : [many(given, text, name, quoted, frame)];
  }
  const value = current(name, frame);
  // The value is shown, for it may well be the one, but it is not certain.
  if (/^\d+$/.test(name) && Number(name) > frame.scope.uncertain) {
    return [unclear(typeof value === "string" ? value : text)];
  }
  if (value === null) return quoted ? [fixed("")] : [];
  // The environment's own, which no command here has set.
  return [typeof value === "string" ? expanded(value, quoted) : unclear(text)];
}

function many(
  items: readonly (string | undefined)[],
  shown: string,
  name: string,
  quoted: boolean,
  frame: Frame,
): Chunk {
  if (quoted && name === "*") {
    const marks = current("IFS", frame);
    if (items.includes(undefined) || marks === undefined) return unclear(shown);
    return fixed(items.join(marks === null ? " " : marks.slice(0, 1)));
  }
  if (quoted || items.includes(undefined) || frame.scope.vars.has("IFS")) {
    return { kind: "list", quoted, items, shown };
  }
  return expanded(items.join(" "), quoted);
}

function indexed(part: ParameterExpansionPart, frame: Frame, quoted: boolean): Chunk[] {
  const index = part.index?.text ?? "";
  const list = frame.scope.vars.get(part.parameter)?.list;
  if (part.prefix !== undefined || part.operation !== undefined) return [unclear(part.text)];
  if (list === undefined) {
    if (index === "0") return variable(part.parameter, part.text, frame, quoted);
    return [unclear(part.text)];
  }
  if (index === "@" || index === "*") return [many(list, part.text, index, quoted, frame)];
  if (!/^-?\d+$/.test(index)) return [unclear(part.text)];
  const value = list.at(Number(index));
  return [value === undefined ? unclear(part.text) : expanded(value, quoted)];
}

/** The words inside the braces, evaluated (and their commands read) whatever becomes of them. */
function operandsOf(part: ParameterExpansionPart, frame: Frame): (string | undefined)[] {
  const operation = part.operation;
  const read = (node: WordNode | undefined) =>
    node === undefined ? undefined : wholeWord(node, frame).value;
  switch (operation?.type) {
    case "Default":
    case "Remove":
    case "Transform":
    case "CaseModification":
      return [read(operation.operand)];
    case "Replace":
      return [read(operation.pattern), read(operation.replacement)];
    case "Slice":
      return [read(operation.offset), read(operation.length)];
    default:
      return [];
  }
}

function withDefault(
  part: ParameterExpansionPart,
  operator: string,
  value: Value,
  operand: string | undefined,
  frame: Frame,
  quoted: boolean,
): Chunk[] {
  const special = /^[?$#!-]$/.test(part.parameter);
  const never = !special && valuesOf(part.parameter, frame) === null;
  const absent = never || value === null || operator.startsWith(":") && value === "";
  const given = operand === undefined ? [unclear(part.text)] : [expanded(operand, quoted)];
  switch (operator.replace(":", "")) {
    case "=":
      if (absent) frame.scope.assign(part.parameter, operand);
      return absent ? given : variable(part.parameter, part.text, frame, quoted);
    case "-":
      return absent ? given : variable(part.parameter, part.text, frame, quoted);
    case "+":
      if (never || value === undefined) return [unclear(operand ?? part.text)];
      return absent ? (quoted ? [fixed("")] : []) : given;
    default:
      return variable(part.parameter, part.text, frame, quoted);
  }
}

/** `${x@P}` runs the substitutions inside the value, so a known value is read again. */
function transformed(
  part: ParameterExpansionPart,
  value: Value,
  letter: string | undefined,
  frame: Frame,
  quoted: boolean,
): Chunk[] {
  if (letter === "P") {
    const span = spanOf(frame, part.pos, part.end);
    if (typeof value === "string") {
      frame.engine.text(`: <<PROMPT_TEXT_END\n${value}\nPROMPT_TEXT_END\n`, frame, span);
      return [unclear(part.text)];
    }
    frame.sink.doubt("unread code", `prompt expansion of unknown text: ${part.text}`, span);
    return [unclear(part.text)];
  }
  if (typeof value !== "string") return [unclear(part.text)];
  if (letter === "U") return [expanded(value.toUpperCase(), quoted)];
  if (letter === "L") return [expanded(value.toLowerCase(), quoted)];
  if (letter === "u") return [expanded(value.slice(0, 1).toUpperCase() + value.slice(1), quoted)];
  return [unclear(part.text)];
}

function positionalSlice(
  operand: readonly (string | undefined)[],
  part: ParameterExpansionPart,
  frame: Frame,
  quoted: boolean,
): Chunk[] {
  const given = frame.scope.positional;
  const from = Number(operand[0]);
  if (given === undefined || !Number.isInteger(from) || from < 1) return [unclear(part.text)];
  const length = operand[1] === undefined ? given.length : Number(operand[1]);
  return [many(given.slice(from - 1, from - 1 + length), part.text, "@", quoted, frame)];
}

function changed(
  value: string,
  operation: NonNullable<ParameterExpansionPart["operation"]>,
  operand: readonly (string | undefined)[],
): string | undefined {
  const [first, second] = operand;
  switch (operation.type) {
    case "Remove":
      return first === undefined ? undefined : removed(value, operation.operator, first);
    case "Replace": {
      if (first === undefined || second === undefined || /[*?[\\]/.test(first)) return undefined;
      if (first === "") return value;
      if (operation.operator === "//") return value.replaceAll(first, () => second);
      if (operation.operator === "/") return value.replace(first, () => second);
      if (operation.operator === "/#") {
        return value.startsWith(first) ? second + value.slice(first.length) : value;
      }
      return value.endsWith(first) ? value.slice(0, -first.length) + second : value;
    }
    case "Slice": {
      if (first === undefined || !/^\s*-?\d+$/.test(first)) return undefined;
      const from = Number(first) < 0 ? value.length + Number(first) : Number(first);
      if (operation.length === undefined) return value.slice(from);
      if (second === undefined || !/^\s*-?\d+$/.test(second)) return undefined;
      const count = Number(second);
      return count < 0 ? value.slice(from, count) : value.slice(from, from + count);
    }
    case "CaseModification": {
      if (operation.operand !== undefined && first !== "") return undefined;
      const up = operation.operator.startsWith("^");
      const turn = (text: string) => up ? text.toUpperCase() : text.toLowerCase();
      return operation.operator.length === 2
        ? turn(value)
        : turn(value.slice(0, 1)) + value.slice(1);
    }
    default:
      return undefined;
  }
}

/** `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}` on a known value. */
function removed(value: string, operator: string, pattern: string): string | undefined {
  if (value.length > 1_000 || pattern.length > 200) return undefined;
  const front = operator.startsWith("#");
  const longest = operator.length === 2;
  for (let n = 0; n <= value.length; n++) {
    const size = longest ? value.length - n : n;
    const piece = front ? value.slice(0, size) : value.slice(value.length - size);
    if (matchGlob(pattern, piece)) {
      return front ? value.slice(size) : value.slice(0, value.length - size);
    }
  }
  return value;
}
