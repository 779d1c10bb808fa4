/**
 * `word` as one word of a POSIX shell: as it is where the shell takes it so wherever it stands, else
 * in single quotes (`A=1` in front of a command would be an assignment).
 */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
