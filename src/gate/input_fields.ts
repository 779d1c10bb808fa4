/**
 * What the fields of a tool's input hold, by what they are called and by what their values look
 * like: commands, code, paths and statements, however deep they stand.
 */
import type { JsonObject } from "../domain/call.ts";
import { shellWord } from "../domain/words.ts";

/** What an input holds. */
export interface InputFields {
  /** Command lines; words given as a list are quoted and joined. */
  readonly commands: readonly string[];
  /** Texts in a programming language, with its name where the input gives one. */
  readonly code: readonly { readonly text: string; readonly language: string | undefined }[];
  readonly paths: readonly string[];
  readonly statements: readonly string[];
  /** Every text and every key, for looking at names in them. */
  readonly texts: readonly string[];
  /** Why the input was not read whole; undefined where it was. */
  readonly bound: string | undefined;
}

/** How deep objects may stand in one another, how many fields count, and their UTF-16 units. */
const DEPTH = 6;
const FIELDS = 200;
const UNITS = 64 * 1024;

/** Values looked at in one input, whatever they are. */
const VALUES = 20_000;

const COMMANDS = /^(?:(?:shell|bash|terminal)?(?:command|cmd|commandline|cmdline)s?|argv|exec)$/;
const SCRIPTS = /^(?:scripts?|bash|shell|sh|powershell)$/;
const CODE = /^(?:code|sourcecode|snippet|program(?:text)?)$/;
const PATHS =
  /^(?:(?:source|src|target|dest|destination|dst|new|old|output|out|input|in|save|absolute|abs|relative|rel|full|file|notebook|local|root|base|to|from)?(?:path|paths|file|files|filename|filenames|filepath|filepaths|folder|dir|directory)|uri|uris)$/;
/** Names of fields that hold a path only where the value looks like one. */
const PLACES = /^(?:target|output|dst|dest|destination|src|source|to|from|out|location|name)$/;
const STATEMENTS = /^(?:sql|sqls|query|queries|statements?)$/;
const LANGUAGE = /^(?:language|lang|runtime|interpreter|kernel)$/;
const PROGRAM = /^(?:program|executable|binary|command|cmd)$/;
const ARGUMENTS = /^(?:args|arguments|argv|params)$/;

/** A scheme other than `file:`: the value is an address and no path. */
const ADDRESS = /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i;

/** Reads an input as far as its bounds allow. */
export function fieldsOf(input: JsonObject): InputFields {
  const walk = new Walk();
  walk.object(input, 1);
  return walk;
}

/** A field's name without letter case and marks: `file_path`, `filePath` and `File-Path` are one. */
export function plainKey(key: string): string {
  return key.replace(/[\s_.-]/g, "").toLowerCase();
}

/** True for the name of a field that holds a path, whatever the value looks like. */
export function isPathKey(key: string): boolean {
  return PATHS.test(plainKey(key));
}

/** True for the name of a field that holds a command line. */
export function isCommandKey(key: string): boolean {
  return COMMANDS.test(plainKey(key));
}

/** The readings of a command field: its words joined, each of several commands, its arguments. */
export function commandsIn(value: unknown, args?: unknown): string[] {
  if (Array.isArray(value)) {
    const words = value.filter((one): one is string => typeof one === "string");
    if (words.length !== value.length || words.length === 0) return [];
    return [words.map(shellWord).join(" ")];
  }
  if (typeof value !== "string" || value.trim() === "") return [];
  if (typeof args === "string") return [`${value} ${args}`];
  if (!Array.isArray(args)) return [value];
  return [[value, ...args.filter((one) => typeof one === "string").map(shellWord)].join(" ")];
}

class Walk implements InputFields {
  readonly commands: string[] = [];
  readonly code: { text: string; language: string | undefined }[] = [];
  readonly paths: string[] = [];
  readonly statements: string[] = [];
  readonly texts: string[] = [];
  bound: string | undefined;
  #fields = 0;
  #units = 0;
  #values = 0;

  object(object: JsonObject, depth: number): void {
    const entries = Object.entries(object);
    const language = entries.find(([key, value]) =>
      LANGUAGE.test(plainKey(key)) && typeof value === "string"
    )?.[1];
    const args = entries.find(([key]) => ARGUMENTS.test(plainKey(key)))?.[1];
    for (const [key, value] of entries) {
      const name = plainKey(key);
      this.texts.push(key);
      if (COMMANDS.test(name) || (PROGRAM.test(name) && args !== undefined)) {
        this.#command(value, { args: PROGRAM.test(name) ? args : undefined, name });
      }
      this.#value(value, { name, language: text(language), depth });
    }
  }

  #command(value: unknown, { args, name }: { args: unknown; name: string }): void {
    for (const command of commandsIn(value, args)) this.#keep(this.commands, command);
    if (!Array.isArray(value)) return;
    const spoken = (one: unknown) => typeof one === "string" && /\s/.test(one.trim());
    // Words of one command, unless the field says or the first one shows that each is a command.
    const several = name.endsWith("s") || spoken(value[0]);
    for (const one of value) {
      if (!Array.isArray(one) && !(several && spoken(one))) continue;
      for (const command of commandsIn(one)) this.#keep(this.commands, command);
    }
  }

  #value(value: unknown, at: { name: string; language: string | undefined; depth: number }): void {
    if (++this.#values > VALUES) {
      this.bound = "it holds too many values";
      return;
    }
    if (typeof value === "string") this.#text(value, at.name, at.language);
    else if (Array.isArray(value)) { for (const one of value) this.#value(one, at); }
    else if (isObject(value)) {
      if (at.depth >= DEPTH) {
        if (Object.keys(value).length > 0) this.bound = `it is nested deeper than ${DEPTH} objects`;
        return;
      }
      if (/^(?:files|paths)$/.test(at.name)) {
        for (const key of Object.keys(value)) if (looksLikePath(key)) this.#keep(this.paths, key);
      }
      this.object(value, at.depth + 1);
    }
  }

  #text(value: string, name: string, language: string | undefined): void {
    if (value === "") return;
    this.texts.push(value);
    const spoken = /\s/.test(value.trim());
    if (SCRIPTS.test(name) && spoken) this.#keep(this.commands, value);
    if (CODE.test(name) && spoken && this.#count(value)) this.code.push({ text: value, language });
    if (STATEMENTS.test(name) && spoken) this.#keep(this.statements, value);
    const isPath = PATHS.test(name) || (PLACES.test(name) && looksLikePath(value));
    if (isPath && !ADDRESS.test(value)) this.#keep(this.paths, value);
  }

  #keep(list: string[], value: string): void {
    if (!list.includes(value) && this.#count(value)) list.push(value);
  }

  #count(value: string): boolean {
    this.#fields++;
    this.#units += value.length;
    if (this.#fields > FIELDS) this.bound = `it names more than ${FIELDS} commands and paths`;
    else if (this.#units > UNITS) this.bound = `its commands and paths are longer than ${UNITS}`;
    return this.bound === undefined;
  }
}

/** True for text that is written as a path: with a separator, a leading `~` or `.`, an ending. */
function looksLikePath(value: string): boolean {
  if (value.length > 4096 || /[\n\r]/.test(value)) return false;
  if (/^file:/i.test(value) || /^(?:~|\.{1,2})(?:\/|$)|^[A-Za-z]:[\\/]/.test(value)) return true;
  if (/\s|@/.test(value) && !/^[/\\]/.test(value)) return false;
  return /[/\\]|^\.\w/.test(value) || /\w\.[A-Za-z]\w{0,7}$/.test(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
