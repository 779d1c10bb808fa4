/**
 * Programs that print settings for the shell that started them: `eval "$(ssh-agent -s)"`. What they
 * print is as much the user's own as the program, and it is not known from the text.
 */

/** The words that make each program print settings, joined by blanks. */
const SETTINGS: ReadonlyMap<string, RegExp> = new Map([
  ["ssh-agent", /^(?:-[sc])?(?: ?-t ?\w+)?$/],
  ["keychain", /^(?:--\S+ )*--eval\b[\w ./-]*$/],
  ["brew", /^shellenv\b/],
  ["direnv", /^(?:hook|export) \w+$/],
  ["fnm", /^env\b/],
  ["mise", /^(?:activate|env|hook-env)\b/],
  ["rtx", /^(?:activate|env|hook-env)\b/],
  ["pyenv", /^(?:init|virtualenv-init)\b/],
  ["rbenv", /^init\b/],
  ["nodenv", /^init\b/],
  ["goenv", /^init\b/],
  ["jenv", /^init\b/],
  ["phpenv", /^init\b/],
  ["opam", /^(?:config )?env\b/],
  ["conda", /^shell\.\w+ (?:hook|activate)\b/],
  ["micromamba", /^shell (?:hook|activate)\b/],
  ["zoxide", /^init\b/],
  ["starship", /^init\b/],
  ["atuin", /^init\b/],
  ["dircolors", /^(?:-b|-c|--sh|--csh)?$/],
  ["lesspipe", /^$/],
  ["thefuck", /^--alias\b/],
  ["luarocks", /^path\b/],
  ["minikube", /^(?:-p \w+ )?(?:docker-env|podman-env)\b/],
  ["docker-machine", /^env\b/],
]);

/** `kubectl completion bash`, `gh completion -s zsh`: the same for every program. */
const COMPLETION = /^(?:generate-shell-)?completions? (?:-s )?(?:bash|zsh|fish)$/;

/** True where the program `name`, given these words, prints settings for the shell. */
export function printsSettings(name: string, words: readonly string[]): boolean {
  const text = words.join(" ");
  return COMPLETION.test(text) || SETTINGS.get(name)?.test(text) === true;
}
