/** Which programs leave the files they are given alone, and what is known of the others. */
import type { Invocation } from "../shell/reading.ts";

/** Programs that read, list, speak or hold what they are given, and change none of it. */
export const HARMLESS: ReadonlySet<string> = new Set(
  ("ls cat bat head tail less more grep egrep fgrep rg ag ack find fd stat file wc diff cmp comm " +
    "echo printf jq yq tree du df sha256sum shasum md5sum cksum b2sum test [ [[ cd pushd popd dirs " +
    "pwd gitvow which type command whereis realpath readlink basename dirname export local " +
    "declare typeset readonly set unset alias true false : read wait exit return shift hash man " +
    "apropos tldr gh glab jira strings od hexdump nl cut uniq column getfacl lsattr lsof exa eza " +
    "Get-Content Get-ChildItem Get-Item Test-Path Select-String Write-Output Write-Host gc gci " +
    "sls").toLowerCase().split(" "),
);

/** Commands of git that leave the files in the working tree and in `.git` alone. */
const HARMLESS_GIT: ReadonlySet<string> = new Set(
  ("status diff log show add commit grep blame ls-files ls-tree cat-file check-ignore rev-parse " +
    "rev-list describe shortlog reflog fetch annotate whatchanged check-attr diff-tree " +
    "diff-index name-rev tag branch push").split(" "),
);

/** Programs that list names, which a loop or `xargs` may hand on to others. */
export const LISTERS: ReadonlySet<string> = new Set("ls find fd echo printf tree git".split(" "));

/** Programs that change what they are handed. */
export const CHANGERS: ReadonlySet<string> = new Set(
  "rm unlink shred mv cp install tee dd truncate chmod chown ln sed perl rsync patch touch".split(
    " ",
  ),
);

/** Programs that run the text on their standard input. */
export const DRIVEN: ReadonlySet<string> = new Set(
  "sqlite3 sqlite psql mysql mariadb duckdb ed ex vi vim nvim patch gdb lldb bc dc m4 cmake make"
    .split(" "),
);

/** Programs that run code, in which gitvow sees the files that are opened. */
export const RUNTIMES =
  /^(?:python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ruby|perl|php|lua|sh|bash|zsh|dash|ksh|fish)$/;

/** Programs that run the command among their words, which is judged as one of its own. */
export const FOLLOWED: ReadonlySet<string> = new Set(
  ("sudo doas env command exec builtin nohup nice ionice time timeout stdbuf setsid xargs parallel " +
    "watch flock chroot unshare strace ltrace bash sh zsh dash ksh ash fish eval find busybox " +
    "runuser chrt taskset systemd-run caffeinate").split(" "),
);

/** What code does that changes files, besides reading them. */
export const CHANGING =
  /writ|cop[yi]|mov[ei]|renam|replac|unlink|remov|rmtree|\brm|delet|dump|save|put|link|chmod|trunc|append|system|exec|spawn|open\([^)]{0,200},\s{0,8}(?:mode\s{0,8}=\s{0,8})?['"][^'"]{0,8}[wax+]/i;

/** True for a program that changes nothing with these options. */
export function isHarmless({ name, args }: Invocation): boolean {
  const program = name?.toLowerCase();
  const has = (pattern: RegExp) => args.some(({ text }) => pattern.test(text));
  switch (program) {
    case undefined:
      return false;
    case "git": {
      const verb = args.find(({ text }) => !text.startsWith("-"))?.text;
      const known = args.find(({ text }) => HARMLESS_GIT.has(text));
      return known !== undefined &&
        (verb === known.text || has(/^-[Cc]$|^--git-dir|^--work-tree/)) &&
        !has(/^--?o(?:u(?:t(?:p(?:ut?)?)?)?)?(?:$|=)|^--output-directory|^-O/);
    }
    case "find":
    case "fd":
      return !has(/^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls|x|X)$|^--exec/);
    case "jq":
    case "yq":
      return !has(/^-[A-Za-z]*i|^--in-?place/);
    case "tree":
      return !has(/^-o/);
    default:
      return HARMLESS.has(program);
  }
}
