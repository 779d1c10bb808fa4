/** Flags that several commands share. */

/** `--json`: machine-readable output. */
export const json = {
  kind: "boolean",
  brief: "Print JSON, for scripts",
  default: false,
  withNegated: false,
} as const;

/** A flag that is off unless given. */
export function toggle(brief: string) {
  return { kind: "boolean", brief, default: false, withNegated: false } as const;
}

/** A flag with a value that may be left out. */
export function value(brief: string, placeholder: string) {
  return { kind: "parsed", parse: String, brief, placeholder, optional: true } as const;
}

/** A flag that may be given several times. */
export function values(brief: string, placeholder: string) {
  return {
    kind: "parsed",
    parse: String,
    brief,
    placeholder,
    optional: true,
    variadic: true,
  } as const;
}

/** A word that may be left out. */
export function word(brief: string, placeholder: string) {
  return { parse: String, brief, placeholder, optional: true } as const;
}

/** A description with examples, one `command  what it does` a line. */
export function describe(text: string, examples: readonly string[]): string {
  return `${text}\n\nExamples\n${examples.map((one) => `  ${one}`).join("\n")}`;
}
