/**
 * The launcher: a small POSIX shell script that starts gitvow's bundle on a fixed runtime.
 *
 * It is what hook configurations name. It owes the same promise as the gate: where the runtime is
 * missing or crashes before a tool, it blocks, since most agents let the tool run on any exit code
 * but 2. Environment variables by which a repository or an agent could change what the runtime
 * does are unset.
 */

import { shellWord } from "../domain/words.ts";

/** What a launcher starts. All paths are absolute. */
export interface LauncherFiles {
  readonly runtime: string;
  readonly program: string;
  /** Where the runtime may keep compiled code; a folder of gitvow's own. */
  readonly cache: string;
  /** The home whose policy holds, where the launcher belongs to one: no environment can change it. */
  readonly home?: string;
}

/**
 * Seconds of computing after which the system ends a hook: gitvow's own deadline cannot fire while
 * it computes without a pause, and a client lets the tool run once its patience is over.
 */
const CPU_SECONDS = 40;

/** Variables that change what the runtime runs, reads, trusts or reports to. */
const UNSET = [
  "DENO_AUTH_TOKENS",
  "DENO_AUDIT_PERMISSIONS",
  "DENO_CERT",
  "DENO_COMPAT",
  "DENO_CONDITIONS",
  "DENO_CONNECTED",
  "DENO_COVERAGE_DIR",
  "DENO_INSTALL_ROOT",
  "DENO_LOG",
  "DENO_NO_PACKAGE_JSON",
  "DENO_PERMISSION_BROKER_PATH",
  "DENO_SERVE_ADDRESS",
  "DENO_TLS_CA_STORE",
  "DENO_TRACE_PERMISSIONS",
  "DENO_UNSTABLE",
  "DENO_V8_FLAGS",
  "DENO_WEBGPU_TRACE",
  "NODE_CHANNEL_FD",
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "OTEL_DENO",
  "LD_AUDIT",
  "LD_DEBUG",
  "LD_LIBRARY_PATH",
  "LD_PRELOAD",
  "LD_SHOW_AUXV",
  "LD_TRACE_LOADED_OBJECTS",
  "DYLD_INSERT_LIBRARIES",
];

/** The launcher's text. `flags` are the runtime's, as `main.ts` states them. */
export function launcherText(files: LauncherFiles, flags: readonly string[]): string {
  return `#!/bin/sh
# Starts gitvow. Written by gitvow's build or install; changes are lost when that runs again.
runtime=${shellWord(files.runtime)}
program=${shellWord(files.program)}
unset ${UNSET.join(" ")}
export DENO_DIR=${shellWord(files.cache)} DENO_NO_UPDATE_CHECK=1
${files.home === undefined ? "" : `export HOME=${shellWord(files.home)}\n`}
# A hook that cannot answer stops a tool (exit 2) and lets every other event pass (exit 0).
unanswered() {
  for event; do :; done
  echo "BLOCKED by gitvow: $why. To mend it: run \\\`gitvow install --user\\\` from a fresh build." >&2
  case $event in
    *[Pp][Rr][Ee]* | *[Bb]efore*) exit 2 ;;
    *[Aa]fter* | *[Pp]ost* | *[Ss]tart* | *[Ss]top* | *[Ee]nd* | *[Pp]rompt*) exit 0 ;;
    *[Nn]otif* | *[Ii]dle* | *[Cc]ompact*) exit 0 ;;
  esac
  exit 2
}

# Says what stands in the way of a command, which is no hook.
fail() {
  echo "gitvow: $1" >&2
  exit 1
}

if [ "$1" != hook ]; then
  [ -x "$runtime" ] && [ -f "$program" ] ||
    fail "its runtime or program is missing; run \\\`gitvow install --user\\\` from a fresh build"
  [ "$PWD/." -ef . ] || fail "the working directory no longer exists; change to one that does"
  exec "$runtime" run ${flags.map(shellWord).join(" ")} "$program" "$@"
fi
why="its runtime or program is missing ($runtime, $program)"
[ -x "$runtime" ] && [ -f "$program" ] || unanswered "$@"
why="its standard output is closed"
{ : 3>&1; } 2>/dev/null || unanswered "$@"
# The runtime cannot start in a folder that was deleted; the payload says where the agent works.
[ "$PWD/." -ef . ] || cd /
ulimit -t ${CPU_SECONDS} 2>/dev/null
"$runtime" run ${flags.map(shellWord).join(" ")} "$program" "$@"
code=$?
case $code in 0 | 2) exit $code ;; esac
why="its process ended with code $code before it could answer"
unanswered "$@"
`;
}
