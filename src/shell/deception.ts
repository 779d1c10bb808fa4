/**
 * Characters that deceive the person who approves a command: invisible ones, and letters of other
 * scripts that look like Latin, in a program's name or the host of a URL.
 */
import type { Frame } from "./frame.ts";
import type { Word } from "./reading.ts";

const INVISIBLE = /[\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u2060-\u2064\ufeff]/;
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;
const FOREIGN = /[\u0370-\u03ff\u0400-\u052f\uff01-\uff5e]/;
const LOOKALIKES =
  /^[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u04cf\u03bf\u03bd\u03c1\u03b1-]+$/;

/** An unquoted `$IFS` glued to other text, which only hides where words end. */
const GLUED_IFS = /[^\s"'=;|&({]\$\{?IFS\b|\$(?:IFS\b|\{IFS\b[^}]*\})[^\s"';|&)}]/;

/** Notes a doubt for each deceiving word of a command. */
export function checkProgram(
  program: Word,
  args: readonly Word[],
  frame: Frame,
  source: string,
): void {
  if (GLUED_IFS.test(source)) {
    frame.sink.doubt("deceptive", "an $IFS that hides where words end", program.span);
  }
  const name = program.text.slice(program.text.lastIndexOf("/") + 1);
  if (INVISIBLE.test(program.text) || REORDERING.test(program.text)) {
    frame.sink.doubt(
      "deceptive",
      `invisible characters in the program name ${quote(name)}`,
      program.span,
    );
  } else if (FOREIGN.test(name)) {
    frame.sink.doubt(
      "deceptive",
      `letters that look like Latin in the program name ${quote(name)}`,
      program.span,
    );
  }
  for (const word of [program, ...args]) {
    const what = deceives(word.text);
    if (what !== undefined) frame.sink.doubt("deceptive", what, word.span);
  }
}

function deceives(text: string): string | undefined {
  if (/^[\x20-\x7e\s]*$/.test(text)) return undefined;
  if (REORDERING.test(text)) return `characters that reorder text in ${quote(text)}`;
  if (/^[\uff0f\uff5e]/.test(text)) return `a look-alike of / or ~ in ${quote(text)}`;
  if (INVISIBLE.test(text) && /^[\x21-\x7e\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+$/.test(text)) {
    return `invisible characters in ${quote(text)}`;
  }
  const host = /[a-z][a-z0-9+.-]*:\/\/(?:[^/\s@'"]*@)?([^/\s:'"?#]+)/i.exec(text)?.[1];
  if (host === undefined) return undefined;
  const mixed = host.split(".").some((label) => {
    if (INVISIBLE.test(label)) return true;
    return FOREIGN.test(label) && (/[A-Za-z]/.test(label) || LOOKALIKES.test(label));
  });
  return mixed ? `letters that look like Latin in the host ${quote(host)}` : undefined;
}

/** The text with what cannot be seen spelled out. */
function quote(text: string): string {
  const shown = text.slice(0, 80).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${shown}"`;
}
