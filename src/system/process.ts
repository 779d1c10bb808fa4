/** This process's own standard streams and exit. */

/** Reads some bytes of standard input into `buffer`; null at its end. */
export function readStdin(buffer: Uint8Array): Promise<number | null> {
  return Deno.stdin.read(buffer);
}

/** Whether a text was written whole, or what was in the way: nobody reads, or it cannot be kept. */
export type Written = "whole" | "closed" | "failed";

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): Written {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
    return "whole";
  } catch (error) {
    return error instanceof Deno.errors.BrokenPipe ? "closed" : "failed";
  }
}

let lost = false;

/** True once something written to standard output could not be kept, as on a full disk. */
export function stdoutIsLost(): boolean {
  return lost;
}

/** Writes `text` to standard output. */
export function writeStdout(text: string): Written {
  const written = text === "" ? "whole" : writeAll(Deno.stdout, text);
  lost ||= written === "failed";
  return written;
}

/** Writes `text` to standard error. */
export function writeStderr(text: string): Written {
  return text === "" ? "whole" : writeAll(Deno.stderr, text);
}

/** Ends the process at once, whatever workers or reads are still pending. */
export function exit(code: number): never {
  Deno.exit(code);
}

/** True where standard input and standard output are both a person's terminal. */
export function atTerminal(): boolean {
  return Deno.stdin.isTerminal() && Deno.stdout.isTerminal();
}

/** True where standard output is a terminal. */
export function stdoutIsTerminal(): boolean {
  return Deno.stdout.isTerminal();
}

/** What this process runs. */
export interface RunningProgram {
  /** The program file: the bundle, or a module of the sources. */
  readonly program: string;
  /** The runtime's executable; gitvow itself where it was compiled into one. */
  readonly runtime: string;
  /** True where gitvow was compiled into the runtime's executable. */
  readonly standalone: boolean;
}

/** What this process runs, as absolute paths. */
export function runningProgram(): RunningProgram {
  return {
    program: decodeURIComponent(new URL(Deno.mainModule).pathname),
    runtime: Deno.execPath(),
    standalone: Deno.build.standalone,
  };
}

/** The files and folders gitvow consists of, which its own guard protects wherever they are. */
export function programFiles(): readonly string[] {
  const { program, runtime, standalone } = runningProgram();
  if (standalone) return [runtime];
  const folder = program.slice(0, program.lastIndexOf("/"));
  return [program, `${folder}/gitvow`, `${folder}/parts`, `${folder}/cache`, runtime];
}
