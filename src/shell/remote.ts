/**
 * Commands that run somewhere else: `ssh`, `docker exec`, `kubectl exec` and their like; and options
 * of other programs whose value is a command line.
 */
import { type Frame, knownWord, through } from "./frame.ts";
import { cut, namesIn, readOptions, valueFor } from "./options.ts";
import type { Program } from "./program.ts";
import type { Word } from "./reading.ts";
import { readShellText } from "./shells.ts";
import { resolvedPath } from "./sink.ts";

const SSH_VALUED = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B -P";
const DOCKER_GLOBAL =
  "-H --host -c --context --config --log-level -l --connection --url --namespace -n --tlscacert";
const RUN_VALUED =
  "-v --volume -e --env -p --publish -u --user -w --workdir --name -h --hostname " +
  "--network --net --entrypoint --mount --label -l --env-file --memory -m --cpus --platform --pull " +
  "--restart --add-host --cap-add --cap-drop --device --gpus --ip --link --log-driver --pid --ipc " +
  "--security-opt --shm-size --tmpfs --ulimit --volumes-from --index -a --attach --dns --cidfile " +
  "--userns --uts --runtime --stop-signal --detach-keys --expose --group-add --sysctl --label-file";
const COMPOSE_VALUED =
  "-f --file -p --project-name --profile --env-file --project-directory --parallel --ansi";
const KUBE_VALUED =
  "-n --namespace --context --cluster --kubeconfig -c --container -f --filename --user -s --server " +
  "--token --as -l --selector --image --pod-running-timeout --request-timeout -v";

/** Options of programs that hold a command line for the shell here. */
const CARRIERS: ReadonlyMap<string, string> = new Map([
  ["tar", "--to-command -I --use-compress-program --checkpoint-action --rsh-command"],
  ["rsync", "-e --rsh --rsync-path"],
  ["sort", "--compress-program"],
  ["zip", "-TT --unzip-command"],
  ["split", "--filter"],
  ["tcpdump", "-z"],
  ["less", "-k"],
  ["expect", "-c"],
]);

/** Reads what runs elsewhere, and what options carry; false where the program does neither. */
export function readRemote(program: Program): boolean {
  const { name } = program;
  const carried = CARRIERS.get(name);
  if (carried !== undefined) readCarried(program, carried);
  switch (name) {
    case "ssh":
    case "autossh":
    case "mosh":
      readSsh(program);
      return true;
    case "docker":
    case "podman":
    case "nerdctl":
    case "finch":
    case "docker-compose":
    case "podman-compose":
      readContainer(program);
      return true;
    case "kubectl":
    case "oc":
    case "k":
    case "microk8s":
      readKube(program);
      return true;
    case "lxc":
    case "incus":
      readAfter(program, "exec", 1);
      return true;
    case "vagrant":
      readOption(program, "-c --command");
      return true;
    case "gcloud":
    case "az":
      readOption(program, "--command --scripts");
      return true;
    case "fly":
    case "flyctl":
      readOption(program, "-C --command");
      return true;
    case "heroku":
      readAfter(program, "run", 0);
      return true;
    case "adb":
      readAfter(program, "shell", 0);
      return true;
    case "wsl":
      readWsl(program);
      return true;
    case "tmux":
    case "screen":
      readMultiplexer(program);
      return true;
    case "at":
    case "batch":
      if (program.frame.input.kind === "text") {
        const inner = through({ ...program.frame, scope: program.frame.scope.fork() }, name);
        program.frame.engine.text(program.frame.input.text, inner, program.call.span);
      }
      return true;
    default:
      return carried !== undefined;
  }
}

function remote(frame: Frame, by: string): Frame {
  return through({ ...frame, scope: frame.scope.remote(by) }, by);
}

function readCarried(program: Program, names: string): void {
  for (const { name, value } of readOptions(program.args, names, false).given) {
    if (value === undefined || !namesIn(names).has(name)) continue;
    const at = value.text.startsWith("exec=") ? 5 : 0;
    const text = cut(value, at);
    if (!/[\s;|&$`]/.test(text.text) && at === 0) continue;
    const inner = through({ ...program.frame, scope: program.frame.scope.fork() }, program.name);
    readShellText(text, [text], inner, program.name);
  }
}

function readSsh(program: Program): void {
  const { frame, call } = program;
  const options = readOptions(program.args, SSH_VALUED, true);
  for (const { name, value } of options.given) {
    if (name !== "-o" || value === undefined) continue;
    const at = /^(?:Proxy|Local|KnownHosts)Command[=\s]\s*/i.exec(value.text)?.[0].length;
    if (at === undefined) continue;
    const text = cut(value, at);
    readShellText(text, [text], through(frame, "ssh -o"), "ssh");
  }
  const host = options.operands[0];
  if (host === undefined) return;
  // Options may follow the host.
  const words = readOptions(options.operands.slice(1), SSH_VALUED, true).operands;
  const inner = remote(frame, `ssh ${host.text}`);
  if (words.length === 0) {
    if (options.given.some(({ name }) => /^-[NfOQWG]$/.test(name))) return;
    inner.engine.words([knownWord("sh", call.span)], inner, call);
    return;
  }
  const known = words.every((word) => word.value !== undefined);
  const text = words.map((word) => word.value ?? word.text).join(" ");
  const word: Word = { text, value: known ? text : undefined, glob: false, span: words[0]!.span };
  readShellText(word, words, inner, "ssh");
}

function readContainer(program: Program): void {
  const { frame, call } = program;
  const composeName = /-compose$/.test(program.name);
  let words = composeName ? program.args : readOptions(program.args, DOCKER_GLOBAL, true).operands;
  let verb = words[0]?.value;
  if (verb === "container") words = words.slice(1);
  const compose = composeName || verb === "compose";
  if (compose) {
    words = readOptions(composeName ? words : words.slice(1), COMPOSE_VALUED, true).operands;
  }
  verb = words[0]?.value;
  if (verb !== "exec" && verb !== "run" && verb !== "create") return;
  const options = readOptions(words.slice(1), RUN_VALUED, true);
  const target = options.operands[0];
  if (target === undefined) return;
  const by = `${compose ? "docker compose" : program.name} ${verb} ${target.text}`;
  for (const { name, value } of options.given) {
    if (name === "-v" || name === "--volume" || name === "--mount") noteMount(value, program);
  }
  const entry = valueFor(options, "--entrypoint");
  const command = options.operands.slice(1);
  const full = entry !== undefined && entry.text !== "" ? [entry, ...command] : command;
  if (full.length > 0) frame.engine.words(full, remote(frame, by), call);
}

/**
 * A mount of something above the directory, or of the home's own settings, is open to the container.
 * One of credentials is made to be used there, and no file is written by it.
 */
function noteMount(mount: Word | undefined, program: Program): void {
  const { frame, name } = program;
  const source = /^(?:.*\b(?:source|src)=)?([^:,]+)/.exec(mount?.value ?? "")?.[1];
  const path = resolvedPath(source, frame.scope);
  if (mount === undefined || source === undefined || path === undefined) return;
  if (!/^[/.~]/.test(source)) return;
  const above = frame.scope.cwd?.startsWith(path === "/" ? path : `${path}/`) === true;
  const settings = path.startsWith(`${frame.scope.home}/.`) &&
    !/\/\.(?:ssh|aws|gnupg|azure|kube|docker|config)(?:\/|$)/.test(path);
  if (!above && !settings) return;
  const readonly = /:ro\b|,readonly|,ro\b/.test(mount.text);
  const word = knownWord(source, mount.span);
  frame.sink.file(readonly ? "read" : "write", word, name, frame, true);
}

function readKube(program: Program): void {
  const { frame, call } = program;
  const front = readOptions(program.args, KUBE_VALUED, true).operands;
  const verb = front[0]?.value;
  if (verb !== "exec" && verb !== "run" && verb !== "debug" && verb !== "rsh") return;
  const at = program.args.findIndex((word) => word.value === "--");
  const rest = front.slice(1);
  const target = readOptions(rest, KUBE_VALUED, true).operands;
  const words = at >= 0
    ? program.args.slice(at + 1)
    : readOptions(target.slice(1), KUBE_VALUED, true).operands;
  const by = `${program.name} ${verb} ${target[0]?.text ?? ""}`.trimEnd();
  if (words.length > 0) frame.engine.words(words, remote(frame, by), call);
}

/** `lxc exec NAME -- CMD`: the words after a verb, some operands and dashes. */
function readAfter(program: Program, verb: string, skip: number): void {
  const at = program.args.findIndex((word) => word.value === verb);
  if (at < 0) return;
  let words = program.args.slice(at + 1 + skip);
  const dashes = words.findIndex((word) => word.value === "--");
  if (dashes >= 0) words = words.slice(dashes + 1);
  if (words.length === 0) return;
  const inner = remote(program.frame, `${program.name} ${verb}`);
  const text = words.map((word) => word.value ?? word.text).join(" ");
  const known = words.every((word) => word.value !== undefined);
  const word = { text, value: known ? text : undefined, glob: false, span: words[0]!.span };
  readShellText(word, words, inner, program.name);
}

function readOption(program: Program, names: string): void {
  const text = valueFor(readOptions(program.args, names, false), ...namesIn(names));
  if (text === undefined) return;
  readShellText(text, [text], remote(program.frame, program.name), program.name);
}

function readWsl(program: Program): void {
  const options = readOptions(
    program.args,
    "-d -u -e --distribution --user --exec --cd --shell-type",
    true,
  );
  const exec = valueFor(options, "-e", "--exec");
  const words = exec === undefined ? options.operands : [exec, ...options.operands];
  if (words.length > 0) {
    program.frame.engine.words(words, through(program.frame, "wsl"), program.call);
  }
}

/** `tmux new-session CMD`, `tmux send-keys … TEXT Enter`, `screen -dm CMD`. */
function readMultiplexer(program: Program): void {
  const { frame, args, name } = program;
  const inner = through({ ...frame, scope: frame.scope.fork() }, name);
  if (name === "screen") {
    const options = readOptions(args, "-S -t -c -h -p -X", true);
    if (options.operands.length > 0) frame.engine.words(options.operands, inner, program.call);
    return;
  }
  const verb = readOptions(args, "-L -S -f -c", true).operands;
  const text = readOptions(verb.slice(1), "-t -s -n -c -x -y -F -e -l -p", false).operands;
  if (
    !/^(?:new|new-session|neww|new-window|splitw|split-window|respawn-\w+|run|run-shell|send|send-keys|if-shell|pipe-pane)$/
      .test(verb[0]?.value ?? "")
  ) {
    return;
  }
  const keys = text.filter((word) => !/^(?:Enter|C-[a-z]|Escape|KPEnter)$/.test(word.value ?? ""));
  if (keys.length === 0) return;
  const line = keys.map((word) => word.value ?? word.text).join(" ");
  const known = keys.every((word) => word.value !== undefined);
  const word = { text: line, value: known ? line : undefined, glob: false, span: keys[0]!.span };
  readShellText(word, keys, inner, name);
}
