/**
 * The short way for patterns that Python and JavaScript read alike: no tree is built.
 *
 * Reading a pattern whole takes some 10 µs in a process that has just started, which two thousand
 * rules would feel.
 */
import { printSet, SPACE_WIDE } from "./char_set.ts";
import type { PrintedRegex } from "./regex_print.ts";

/** Letters, harmless signs and escapes, groups, simple classes, quantifiers, a final `$`. */
const PLAIN =
  /^(?:[\w \/:;,=@%~"'<>&!^|).-]|\\[-.\/*+?()[\]{}|^$sb]|\((?:\?:|(?!\?))|\[\^?[\w \/:,=@%~<>&!-]+\]|[*+?](?![*+?{]))+(?:\(\?: \|\$\)|\$)?$/;

let space: string | undefined;

/**
 * What `printRegex` would make of the pattern, or undefined where that takes a full reading. The
 * source is still to be refused where V8 does.
 */
export function plainRegex(source: string): PrintedRegex | undefined {
  if (!PLAIN.test(source)) return undefined;
  let printed = source;
  if (source.endsWith("(?: |$)")) printed = `${source.slice(0, -7)}(?: |\\n?$)`;
  else if (source.endsWith("$") && !source.endsWith("\\$")) {
    printed = `${source.slice(0, -1)}\\n?$`;
  }
  if (/\.|\\s/.test(printed)) {
    printed = printed.replace(/\\?\.|\\s/g, (found) => {
      if (found === ".") return "[^\\x0a]";
      return found === "\\." ? found : space ??= printSet(SPACE_WIDE, false);
    });
  }
  return { source: printed, size: source.length };
}
