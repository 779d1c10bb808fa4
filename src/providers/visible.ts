/** Makes characters visible that would move the cursor, hide text or turn its direction round. */

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** First and last code of each range: controls, soft hyphen, direction marks, zero width. */
const UNSEEN: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
];

/** `text` on one line, with control and invisible characters written as escapes (`\n`, `\x1b`). */
export function visible(text: string): string {
  let out = "";
  for (const char of text) {
    const code = char.charCodeAt(0);
    if (char.length > 1 || !UNSEEN.some(([first, last]) => code >= first && code <= last)) {
      out += char;
      continue;
    }
    const hex = code.toString(16);
    out += NAMED[char] ??
      (code < 256 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`);
  }
  return out;
}

/** `text` cut to about `limit` characters, saying how many are left out. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
