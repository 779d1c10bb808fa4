/** What the guard protects: gitvow's files, its program, and what agents and git run by themselves. */
import { type Glob, globMatches, lazyGlob } from "../policy/glob.ts";

/** What gitvow's program is called where a person reads of it. */
export const EXECUTABLE = "gitvow's executable";

/** What the approvals are called; reading them is guarded as well, for a secret is among them. */
export const APPROVALS = "what approvals are made with";

/** One kind of guarded file. */
export interface Guarded {
  readonly what: string;
  readonly globs: readonly Glob[];
}

const KINDS: readonly { readonly what: string; readonly globs: readonly string[] }[] = [
  {
    what: "gitvow's own policy and records",
    globs: ["~/.gitvow/**", ".gitvow/**", "**/.gitvow/**"],
  },
  {
    what: EXECUTABLE,
    globs: ["**/bin/gitvow", "**/bin/gitvow.exe", "**/bin/gitvow-agent-*"],
  },
  {
    what: "an agent's hook configuration",
    globs: [
      "**/.claude/settings*.json",
      "**/.claude/hooks/**",
      "**/.claude/plugins/**/hooks.json",
      "**/.codex/hooks.json",
      "**/.codex/config.toml",
      "**/.gemini/settings.json",
      "**/.cursor/hooks.json",
      "**/.cursor/cli.json",
      "**/.copilot/hooks/**",
      "**/.copilot/config.json",
      "**/.github/hooks/**",
      "**/.factory/settings*.json",
      "**/.factory/hooks.json",
      "/etc/claude-code/**",
      "/etc/codex/**",
      "/Library/Application Support/ClaudeCode/**",
    ],
  },
  { what: "a hook that git runs by itself", globs: ["**/.git/hooks/**"] },
];

/** Folders, below a home or a repository, in which guarded files stand. */
export const FOLDERS = [
  ".gitvow",
  ".claude",
  ".claude/hooks",
  ".codex",
  ".gemini",
  ".cursor",
  ".copilot",
  ".copilot/hooks",
  ".factory",
  ".github/hooks",
];

/** The globs, compiled when first needed: most calls touch no file. */
let compiled: readonly Guarded[] | undefined;

/** Every kind of guarded file. */
export function guarded(): readonly Guarded[] {
  compiled ??= KINDS.map(({ what, globs }) => ({ what, globs: globs.map(lazyGlob) }));
  return compiled;
}

/** What the file with these spellings is, where it is guarded. */
export function guardedKind(spellings: readonly string[]): string | undefined {
  return guarded().find(({ globs }) => globs.some((glob) => globMatches(glob, spellings)))?.what;
}

/** Parts of paths without which a text names nothing guarded, whatever folder it is read from. */
const NAMES =
  /\.gitvow|bin\/gitvow|\.claude|\.codex|\.gemini|\.cursor|\.copilot|\.factory|\.github\/hooks|\.git\/hooks|claude-code|etc\/codex|ClaudeCode/i;

/** True where a text may name something guarded: a quick look before the words are taken apart. */
export function mayNameGuarded(text: string): boolean {
  return NAMES.test(text);
}

/** Between the words of a text: blanks, quotes, brackets, and the marks that stand before a value. */
const BETWEEN = /[\s'"`()<>,;|&=@:{}[\]!]+/;

/** An address of something that is not on this machine. */
const ADDRESS = /\b(?!file:)[a-z][a-z0-9+.-]{0,15}:\/\/[^\s'"`<>()|;,{}]*/gi;

/** The words of a text that look like paths and may name something guarded; addresses are none. */
export function guardedWords(text: string): string[] {
  if (!mayNameGuarded(text)) return [];
  const words = text.replace(ADDRESS, " ").split(BETWEEN).flatMap((word) => {
    const glued = /^-{1,2}[A-Za-z]+?(?=[~./])/.exec(word)?.[0];
    return glued === undefined ? [word] : [word.slice(glued.length)];
  });
  return [...new Set(words.filter(mayNameGuarded))];
}
