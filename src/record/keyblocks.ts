/**
 * Private keys in their armour (PEM, OpenSSH, PGP, SSH2, PuTTY), whole or cut off.
 */
import { atLeast, lazily, marker, type SecretRule } from "./secret.ts";

export const KEY_BLOCK_PATTERNS = {
  begin: "-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}",
  end: "-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}",
  /** What may stand between the two: never what would end or chain a shell command. */
  inside: "[^;|&$`<>{}]*",
  /** What a key without an end consists of. */
  run: "[A-Za-z0-9+/=\\s\\\\:,.-]*",
  putty: "(Private-Lines: ?[0-9]{1,4})" + atLeast("[A-Za-z0-9+/=\\s\\\\]", 16),
} as const;

/** A key with this many characters or more between its two ends is taken as cut off. */
const LONGEST = 32 * 1024;

const begin = lazily(KEY_BLOCK_PATTERNS.begin, "g");
const end = lazily(KEY_BLOCK_PATTERNS.end, "g");
const inside = lazily(KEY_BLOCK_PATTERNS.inside, "y");
const run = lazily(KEY_BLOCK_PATTERNS.run, "y");
const putty = lazily(KEY_BLOCK_PATTERNS.putty, "g");

/** The rules for private keys in text. */
export const KEY_BLOCK_RULES: readonly SecretRule[] = [
  { hints: ["private key"], hide: hideBlocks },
  {
    hints: ["private-lines:"],
    hide: (text) => text.replace(putty(), `$1 ${marker("private-key")}`),
  },
];

function hideBlocks(text: string): string {
  let out = "";
  let kept = 0;
  let nextEnd: { readonly from: number; readonly to: number } | undefined = { from: -1, to: -1 };
  const begins = begin();
  for (let found = begins.exec(text); found !== null; found = begins.exec(text)) {
    const bodyStart = found.index + found[0].length;
    // Looked for again only once passed, so that many beginnings cost one search.
    if (nextEnd !== undefined && nextEnd.from < bodyStart) nextEnd = findEnd(text, bodyStart);
    const stop = secretStop(text, bodyStart, nextEnd);
    if (stop === undefined) continue;
    out += text.slice(kept, found.index) + marker("private-key");
    kept = stop;
    begins.lastIndex = stop;
  }
  return out + text.slice(kept);
}

function findEnd(text: string, from: number): { from: number; to: number } | undefined {
  const pattern = end();
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found === null ? undefined : { from: found.index, to: found.index + found[0].length };
}

/** Where the key that begins at `from` stops, or undefined where only its header stands there. */
function secretStop(
  text: string,
  from: number,
  nextEnd: { readonly from: number; readonly to: number } | undefined,
): number | undefined {
  if (nextEnd !== undefined && nextEnd.from - from <= LONGEST) {
    const body = text.slice(from, nextEnd.from);
    if (inside().exec(body)?.[0].length === body.length) return nextEnd.to;
  }
  const pattern = run();
  pattern.lastIndex = from;
  const body = pattern.exec(text)?.[0] ?? "";
  return body.replace(/\\n|\s/g, "").length >= 16 ? from + body.trimEnd().length : undefined;
}
