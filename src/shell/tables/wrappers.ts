/**
 * Programs that run the words after their own options as a command. Data only; the walking is in
 * `wrappers.ts`.
 */

/** How one wrapper is read. */
export interface Wrapper {
  /** Options that take a value, blank-separated. */
  readonly valued?: string;
  /** Operands that come before the command (`timeout 5s`, `flock FILE`). */
  readonly skip?: number;
  /** `NAME=value` words before the command set its environment. */
  readonly assigns?: true;
  /** Options whose value is a command line in shell syntax. */
  readonly text?: string;
  /** Options with which nothing is run. */
  readonly idle?: string;
  /** Subcommands one of which must come first (`npm exec`, `uv run`); others run no command. */
  readonly verbs?: string;
  /** The command is the words joined by blanks and given to a shell (`watch`). */
  readonly joined?: true;
  /** The command runs only after `--`. */
  readonly dashes?: true;
  /** The options that name the working directory. */
  readonly directory?: string;
  /** With no command, a shell is opened. */
  readonly opens?: true;
}

const NOTHING: Wrapper = {};

/** Wrappers by name. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["sudo", {
    valued: "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --role " +
      "--type --other-user --close-from --command-timeout --chroot",
    assigns: true,
    idle: "-l -v -k -K -V --list --validate --version --remove-timestamp",
    directory: "-D --chdir",
  }],
  ["doas", { valued: "-u -C", assigns: true, idle: "-L -C" }],
  ["pkexec", { valued: "--user" }],
  ["runuser", { valued: "-u -g -G -s -c --user --group --command --shell", text: "-c --command" }],
  ["command", { idle: "-v -V" }],
  ["exec", { valued: "-a" }],
  ["builtin", NOTHING],
  ["nohup", NOTHING],
  ["nice", { valued: "-n --adjustment" }],
  ["ionice", { valued: "-c -n -p -P -u --class --classdata --pid", idle: "-p --pid" }],
  ["time", { valued: "-f -o --format --output" }],
  ["timeout", { valued: "-s -k --signal --kill-after", skip: 1 }],
  ["gtimeout", { valued: "-s -k --signal --kill-after", skip: 1 }],
  ["stdbuf", { valued: "-i -o -e --input --output --error" }],
  ["setsid", NOTHING],
  ["flock", { valued: "-w -E -c --timeout --wait --command", skip: 1, text: "-c --command" }],
  ["chroot", { valued: "--userspec --groups", skip: 1, opens: true }],
  ["unshare", { valued: "-S -G -R -w --setuid --setgid --root --wd --propagation", opens: true }],
  ["nsenter", { valued: "-t -S -G --target --setuid --setgid", opens: true }],
  ["strace", { valued: "-e -o -p -s -u -a -b -E -I -O -P -S -X" }],
  ["ltrace", { valued: "-e -o -p -s -u -a -n -l -x -A -D -F" }],
  ["valgrind", NOTHING],
  ["taskset", { skip: 1 }],
  ["chrt", { valued: "-T -P -D", skip: 1 }],
  ["cpulimit", { valued: "-l -p -e --limit --pid --exe" }],
  ["prlimit", { valued: "-p --pid", idle: "-p --pid" }],
  ["numactl", { valued: "-N -m -C -i -p" }],
  ["busybox", { idle: "--list --install --help" }],
  ["toybox", NOTHING],
  ["rtk", NOTHING],
  ["noglob", NOTHING],
  ["nocorrect", NOTHING],
  ["-", NOTHING],
  ["repeat", { skip: 1 }],
  ["caffeinate", { valued: "-t -w" }],
  ["setarch", { skip: 1 }],
  ["linux32", NOTHING],
  ["linux64", NOTHING],
  ["systemd-run", {
    valued: "-u -p -E -M -H --unit --property --setenv --uid --gid --slice --description " +
      "--working-directory --machine --host",
  }],
  ["firejail", NOTHING],
  ["fakeroot", { valued: "-l -s -i -b" }],
  ["eatmydata", NOTHING],
  ["xvfb-run", { valued: "-n -s -f -e -w -p --server-num --server-args --auth-file --error-file" }],
  ["dbus-run-session", NOTHING],
  ["rlwrap", NOTHING],
  ["unbuffer", NOTHING],
  ["winpty", NOTHING],
  ["proxychains", { valued: "-f" }],
  ["proxychains4", { valued: "-f" }],
  ["torsocks", NOTHING],
  ["faketime", { skip: 1 }],
  ["ccache", NOTHING],
  ["sccache", NOTHING],
  ["catchsegv", NOTHING],
  ["env-cmd", { valued: "-f -e -r" }],
  ["dotenv", { valued: "-f -e -p -c -v", assigns: true }],
  ["cross-env", { assigns: true }],
  ["npx", { valued: "-p --package -c --call -w --workspace", text: "-c --call" }],
  ["pnpx", { valued: "-p --package" }],
  ["bunx", NOTHING],
  ["uvx", { valued: "--from --with --python -p" }],
  ["npm", { valued: "-p --package -c --call --prefix", verbs: "exec x", text: "-c --call" }],
  ["pnpm", { valued: "-C --dir --filter -F", verbs: "exec dlx", directory: "-C --dir" }],
  ["yarn", { valued: "--cwd", verbs: "exec dlx run", directory: "--cwd" }],
  ["bun", { valued: "--cwd", verbs: "x" }],
  ["uv", {
    valued:
      "--with --python -p --project --directory --extra --group --env-file --with-requirements",
    verbs: "run",
  }],
  ["poetry", { valued: "-C --directory -P --project", verbs: "run" }],
  ["pipenv", { verbs: "run" }],
  ["pdm", { valued: "-p --project", verbs: "run" }],
  ["hatch", { valued: "-e --env", verbs: "run" }],
  ["rye", { verbs: "run" }],
  ["pixi", { valued: "-e --environment", verbs: "run" }],
  ["conda", { valued: "-n -p --name --prefix --cwd", verbs: "run" }],
  ["mamba", { valued: "-n -p --name --prefix --cwd", verbs: "run" }],
  ["bundle", { verbs: "exec" }],
  ["rbenv", { verbs: "exec" }],
  ["pyenv", { verbs: "exec" }],
  ["asdf", { verbs: "exec" }],
  ["mise", { verbs: "exec x", dashes: true }],
  ["direnv", { verbs: "exec", skip: 1 }],
  ["nix-shell", { valued: "-p --run --command -A -I", text: "--run --command" }],
  ["nix", { verbs: "develop shell run", dashes: true }],
  ["devbox", { verbs: "run" }],
  ["op", { verbs: "run", dashes: true }],
  ["doppler", { verbs: "run", dashes: true }],
  ["infisical", { verbs: "run", dashes: true }],
  ["aws-vault", { verbs: "exec", skip: 1 }],
  ["chamber", { verbs: "exec", dashes: true }],
  ["perf", { valued: "-e -o -p -F", verbs: "stat record trace" }],
  ["gdb", { dashes: true }],
  ["hyperfine", {
    valued: "-w -m -M -r -s -p -c -n --warmup --runs --min-runs --max-runs --setup --prepare " +
      "--cleanup --export-json --export-markdown --export-csv --shell -S",
    text: "-s -p -c --setup --prepare --cleanup",
    joined: true,
  }],
  ["watch", { valued: "-n -q --interval --equexit", joined: true }],
  ["entr", NOTHING],
  ["script", { valued: "-c -E -I -O -B -T -m -o --command", text: "-c --command" }],
  ["sg", { valued: "-c", skip: 1, text: "-c" }],
  ["man", { valued: "-P -L -M -m -S -s -e -H -p -r -R --pager", text: "-P --pager", verbs: "" }],
  ["retry", { valued: "-t -d --times --delay" }],
  ["gosu", { skip: 1 }],
  ["su-exec", { skip: 1 }],
  ["tini", NOTHING],
  ["dumb-init", NOTHING],
  ["bwrap", { dashes: true }],
]);

/** Known programs for which `--` ends options and what follows is never a command. */
export const PLAIN_DASHES =
  "git rm mv cp cat ls ln grep egrep fgrep rg sed awk head tail sort wc " +
  "chmod chown touch mkdir rmdir cargo npm yarn pnpm node deno bun python python3 pytest go make " +
  "diff find tee printf echo set test cd docker podman kubectl oc ssh scp rsync tar less file " +
  "vitest jest tsc eslint prettier gh basename dirname realpath readlink stat xargs env which " +
  "jq yq curl wget psql mysql shred unlink truncate source eval read export gitvow";
