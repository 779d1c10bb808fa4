/**
 * How the command to run gitvow is written for the shell that an agent hands its hooks to.
 */

import { Failure } from "../domain/failure.ts";
import { shellWord } from "../domain/words.ts";
import type { Os } from "../system/system.ts";

/** The shells agents start hooks with. */
export type HookShell = "posix" | "cmd" | "powershell";

/**
 * The program's name or path, quoted where the shell needs it, ready for ` hook …` to follow.
 * On Windows a POSIX shell gets `/` as the separator. Throws a Failure for a path that the shell
 * cannot be given safely.
 */
export function hookCommand(executable: string, os: Os, shell: HookShell): string {
  if (executable === "" || /\p{Cc}/u.test(executable)) {
    throw unquotable(executable, "it is empty or holds a control character");
  }
  switch (shell) {
    case "posix":
      return shellWord(os === "windows" ? executable.replaceAll("\\", "/") : executable);
    case "cmd":
      return cmdWord(executable);
    case "powershell":
      return powershellCall(executable);
  }
}

function cmdWord(word: string): string {
  // Inside quotes cmd still expands %NAME%, and a quote cannot be escaped at all.
  if (/[%"]/.test(word)) throw unquotable(word, "cmd cannot quote % or a quotation mark");
  return /^[A-Za-z0-9_.:\\/-]+$/.test(word) ? word : `"${word}"`;
}

function powershellCall(word: string): string {
  // PowerShell takes the typographic single quotes for plain ones, so they are doubled too.
  const quoted = word.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&");
  return /^[A-Za-z_./\\][A-Za-z0-9_.:\\/-]*$/.test(word) ? word : `& '${quoted}'`;
}

function unquotable(executable: string, why: string): Failure {
  return new Failure(
    `Cannot write a hook command for ${JSON.stringify(executable)}: ${why}`,
    "Put gitvow at a path of plain letters and digits and run gitvow install from there",
  );
}
