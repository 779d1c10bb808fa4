/** What a command says to a person or a script, and whether in colour. */
import { atTerminal, stdoutIsTerminal, writeStderr, writeStdout } from "./process.ts";

/** Styles a command may use. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow";

/** The two output streams and the person, if there is one. */
export interface Terminal {
  /** Writes a line to standard output. */
  out(line: string): void;
  /** Writes a line to standard error. */
  err(line: string): void;
  /** `text` in a style, or as it is where standard output takes no colour. */
  paint(style: Style, text: string): string;
  /** True where a person sits at both ends. */
  readonly interactive: boolean;
  /** Asks the person a question and returns the line typed, or undefined where input ended. */
  ask(question: string): string | undefined;
}

const CODES: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** The terminal of this process; colours only there, and never under `NO_COLOR` or `TERM=dumb`. */
export function denoTerminal(noColor: string | undefined, term: string | undefined): Terminal {
  const colour = stdoutIsTerminal() && (noColor ?? "") === "" && term !== "dumb";
  return {
    out: (line) => writeStdout(`${line}\n`),
    err: (line) => writeStderr(`${line}\n`),
    paint(style, text) {
      const [on, off] = CODES[style];
      return colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
    },
    interactive: atTerminal(),
    ask: (question) => prompt(question) ?? undefined,
  };
}
