/**
 * Tells gitvow's own hook commands from everybody else's, whatever shell they are written for.
 */

/** Words that may stand before the program without being it. */
const PREFIXES = new Set([
  "!",
  "{",
  "command",
  "do",
  "else",
  "env",
  "exec",
  "if",
  "nohup",
  "then",
  "time",
]);

/**
 * True where the command line runs `gitvow hook`: bare or with a path, with or without `.exe`,
 * quoted for a POSIX shell, cmd or PowerShell, behind assignments or other commands.
 */
export function isGitvowCommand(command: string): boolean {
  return simpleCommands(command).some(runsGitvowHook);
}

function runsGitvowHook(words: readonly string[]): boolean {
  let at = 0;
  let stepped = false;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^[A-Za-z_]\w*=/.test(word) || (stepped && word.startsWith("-"))) continue;
    if (!PREFIXES.has(word)) break;
    stepped = true;
  }
  return /(?:^|[\\/])gitvow(?:\.(?:[eE][xX][eE]|[cC][mM][dD]))?$/.test(words[at] ?? "") &&
    words[at + 1] === "hook";
}

/** The simple commands of a command line, each as its unquoted words. */
function simpleCommands(line: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === "'" || char === '"') {
      const [inside, end] = quoted(line, at);
      word = (word ?? "") + inside;
      at = end;
    } else if (char === "\\" && /[\s'"\\]/.test(line.charAt(at + 1))) {
      at += 1;
      word = (word ?? "") + line.charAt(at);
    } else if (char === "#" && word === undefined) {
      while (at + 1 < line.length && !/[\r\n]/.test(line.charAt(at + 1))) at += 1;
    } else if (isSeparator(line, at)) endCommand();
    else if (/\s/.test(char)) endWord();
    else word = (word ?? "") + char;
  }
  endCommand();
  return commands;
}

/** What a quoted part that opens at `at` says, and where its closing quote stands. */
function quoted(line: string, at: number): [string, number] {
  const quote = line.charAt(at);
  let inside = "";
  let end = at + 1;
  for (; end < line.length && line.charAt(end) !== quote; end += 1) {
    const escapes = quote === '"' && line.charAt(end) === "\\" &&
      /["\\]/.test(line.charAt(end + 1));
    if (escapes) end += 1;
    inside += line.charAt(end);
  }
  return [inside, end];
}

function isSeparator(line: string, at: number): boolean {
  const char = line.charAt(at);
  if (char === "&") return !/[<>]/.test(line.charAt(at - 1));
  return /[;|()\r\n`]/.test(char);
}
