/**
 * What a redaction rule is, and the words its patterns are written in.
 *
 * Patterns must run in V8's linear engine, so that no text can hang the hook: no flag `i`, no look
 * around, no backreference, no counted repetition above 16. `anyCase` and `atLeast` stand in.
 */

/** One family of secrets. */
export interface SecretRule {
  /** Lower-case texts: one of them stands in every text, lower-cased, that `hide` would change. */
  readonly hints: readonly string[];
  /** The text with this family's secrets replaced by their markers. */
  hide(text: string): string;
}

/** What stands in a secret's place. */
export function marker(kind: string): string {
  return `[redacted:${kind}]`;
}

/** A pattern for `word` in any letter case, without the flag `i`. */
export function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

/** A pattern for `count` or more of a character class, in repetitions of at most 16. */
export function atLeast(characters: string, count: number): string {
  const whole = Math.floor(count / 16);
  return `${characters}{16}`.repeat(whole) + `${characters}{${count - 16 * whole},}`;
}

/** A pattern for exactly `count` of a character class, in repetitions of at most 16. */
export function exactly(characters: string, count: number): string {
  const whole = Math.floor(count / 16);
  const rest = count - 16 * whole;
  return `${characters}{16}`.repeat(whole) + (rest === 0 ? "" : `${characters}{${rest}}`);
}

/** A function that compiles a pattern when it is first needed; `lastIndex` starts at 0 each time. */
export function lazily(source: string, flags: "g" | "y"): () => RegExp {
  let compiled: RegExp | undefined;
  return () => {
    compiled ??= new RegExp(source, flags);
    compiled.lastIndex = 0;
    return compiled;
  };
}

/**
 * True where a value only names a secret kept elsewhere: `$TOKEN`, `${{ secrets.X }}`, `$(cmd)`,
 * `%TOKEN%`, `<token>`, `{token}`, `***`.
 */
export function isReference(value: string): boolean {
  return /^\$\{?[A-Za-z_][A-Za-z0-9_]*\}?$|^\$env:[A-Za-z_][A-Za-z0-9_]*$|^\$\(|^\$$|^\$?\{\{/
    .test(value) ||
    /^%[A-Za-z_][A-Za-z0-9_]*%$|^<[A-Za-z][A-Za-z0-9 _-]*>?$|^\{[A-Za-z_][A-Za-z0-9_.]*\}$|^[*.xX]+$/
      .test(value);
}

/** True for letters as prose has them: lower case, but for the first one, and single hyphens. */
export function isProse(value: string): boolean {
  return /^[A-Za-z][a-z]*(?:-[a-z]+)*[.,:!?]?$/.test(value);
}

/** True for the random-looking: 20 or more characters, letters and digits, 3.5 bits each or more. */
export function isRandom(value: string): boolean {
  const text = value.slice(0, 128);
  if (text.length < 20 || !/[0-9]/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits / text.length >= 3.5;
}

/** True for content addresses and ids, which are public: UUIDs and hashes in plain hexadecimal. */
export function isDigest(value: string): boolean {
  return /^[0-9a-f-]+$|^[0-9A-F-]+$/.test(value);
}
