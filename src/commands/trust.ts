/** `gitvow trust`: a person lets a repository's policy run the programs it names. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { Failure } from "../domain/failure.ts";
import { homeOf, workingDirectory } from "../gate/prepare.ts";
import { sha256 } from "../policy/digest.ts";
import { compilePolicy, POLICY_FILE, POLICY_LIMIT } from "../policy/load.ts";
import { repositoriesOf } from "../policy/repository.ts";
import {
  isTrusted,
  listTrusted,
  programLines,
  revoke,
  trust as remember,
  trustedBefore,
} from "../policy/trust.ts";
import { visible } from "../domain/visible.ts";
import { basename, dirname, expandHome, resolve, slashed, tildify } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import type { Terminal } from "../system/terminal.ts";
import type { Command, CommandWorld, ExitCode } from "./command.ts";
import { existingHome, needFolders } from "./folders.ts";
import { needPerson, saysYes } from "./person.ts";

export interface TrustFlags {
  readonly list: boolean;
  readonly revoke: boolean;
  readonly json: boolean;
}

/**
 * Shows the programs of a repository's policy and what changed, asks, and trusts the file as it
 * was shown. Ends with 1 where the person says no. Throws a `Failure` without a terminal (but for
 * `--list`), and where there is no repository or no readable policy.
 */
export const trust: Command<TrustFlags> = async (world, flags, words): Promise<ExitCode> => {
  const { system, terminal } = world;
  if (flags.list && flags.revoke) {
    throw new Failure("--list and --revoke exclude each other", "use one of them");
  }
  if (flags.list && words.length > 0) {
    throw new Failure(
      "--list and a repository exclude each other: all that is trusted is listed",
      "leave one of them out",
    );
  }
  const home = existingHome(system);
  needFolders(system, `${home}/.gitvow`);
  if (flags.list) return await list(world, flags.json);
  if (flags.json) {
    throw new Failure("--json goes with --list: trust is given in a conversation", "leave it out");
  }
  needPerson(terminal, flags.revoke ? "take trust back" : "trust a policy");
  const path = policyPath(system, words[0], flags.revoke);
  const shown = visible(tildify(path, system.home));
  if (flags.revoke) {
    terminal.out(
      revoke(system, path) ? `${shown} is no longer trusted.` : `${shown} was not trusted.`,
    );
    return 0;
  }
  return await ask(world, path, shown);
};

/** The policy file of the repository named, or of the one that holds the working directory. */
function policyPath(system: System, named: string | undefined, gone: boolean): string {
  const home = homeOf(system);
  const start = named === undefined
    ? workingDirectory(system, "")
    : resolve(system.cwd() ?? home, expandHome(slashed(named, system.os), home));
  const top = repositoriesOf(system.files, start)[0];
  if (top === home) {
    throw new Failure(
      `${tildify(`${home}/${POLICY_FILE}`, home)} is your own policy`,
      "it needs no trust; name another repository",
    );
  }
  if (top !== undefined) return `${top}/${POLICY_FILE}`;
  if (!gone && named !== undefined && !system.files.isDirectory(start)) {
    throw new Failure(
      `There is no directory "${named}"`,
      "name a directory in a git repository",
    );
  }
  // Trust in a repository that was deleted can still be taken back.
  if (gone && named !== undefined) {
    return basename(start) === basename(POLICY_FILE) ? start : `${start}/${POLICY_FILE}`;
  }
  throw new Failure(
    `"${named ?? start}" is not in a git repository`,
    "name a directory in a git repository",
  );
}

async function ask(
  { system, terminal }: CommandWorld,
  path: string,
  shown: string,
): Promise<ExitCode> {
  const content = system.files.read(path, POLICY_LIMIT);
  if (content.kind === "unreadable") {
    throw new Failure(`Policy ${shown} cannot be read: ${content.why}`, "make it a readable file");
  }
  if (content.kind === "missing") {
    terminal.out(`Nothing to trust: there is no ${shown}.`);
    return 0;
  }
  const { bytes } = content;
  const repo = dirname(dirname(path));
  const layer = await compilePolicy({ path, file: shown, scope: "repository", repo, bytes });
  const programs = programLines(layer);
  if (programs === "") {
    terminal.out(`Nothing to trust: ${shown} names no program, and its rules need no trust.`);
    return 0;
  }
  const hash = await sha256(bytes);
  if (isTrusted(system, path, hash)) {
    terminal.out(`${shown} is trusted as it is:`);
    for (const line of linesOf(programs)) terminal.out(`  ${line}`);
    return 0;
  }
  terminal.out(
    `${
      terminal.paint("bold", shown)
    } would have gitvow run, as you, in each of your sessions there:`,
  );
  for (const line of linesOf(programs)) terminal.out(`  ${line}`);
  const before = trustedBefore(system, path);
  if (before !== undefined) showChange(terminal, shown, before.programs, programs);
  terminal.out(
    terminal.paint(
      "dim",
      "A program in the repository may change later without being asked about again.",
    ),
  );
  if (!saysYes(terminal, "Trust it?")) {
    terminal.out("Nothing was trusted.");
    return 1;
  }
  // What was shown is trusted; a file that has changed meanwhile has another hash.
  remember(system, path, hash, programs);
  terminal.out(`${terminal.paint("green", "Trusted")}: ${shown}, until it changes.`);
  return 0;
}

/** Shows how the programs differ from those that were trusted before. */
function showChange(terminal: Terminal, shown: string, before: string, now: string): void {
  if (before === now) {
    terminal.out("These programs are as you trusted them; something else in the file has changed.");
    return;
  }
  terminal.out("Since you trusted it:");
  const patch = createTwoFilesPatch(shown, shown, before, now, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
  for (const line of linesOf(patch)) {
    const removed = line.startsWith("-") && !line.startsWith("---");
    const added = line.startsWith("+") && !line.startsWith("+++");
    terminal.out(
      removed ? terminal.paint("red", line) : added ? terminal.paint("green", line) : line,
    );
  }
}

/** The lines of a text, each with nothing in it that could move the cursor or hide. */
function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n").map(visible);
}

type TrustState = "trusted" | "changed" | "gone";

/** Every policy that was ever trusted, and whether it still is. */
async function list({ system, terminal }: CommandWorld, json: boolean): Promise<ExitCode> {
  const entries: { path: string; state: TrustState; programs: string[] }[] = [];
  for (const { path, sha256: trusted, programs } of listTrusted(system)) {
    const content = system.files.read(path, POLICY_LIMIT);
    const state = content.kind !== "read"
      ? "gone"
      : await sha256(content.bytes) === trusted
      ? "trusted"
      : "changed";
    entries.push({ path, state, programs: linesOf(programs) });
  }
  if (json) {
    terminal.out(JSON.stringify({ policies: entries }));
    return 0;
  }
  if (entries.length === 0) terminal.out("No repository's policy is trusted.");
  for (const { path, state, programs } of entries) {
    const says = {
      trusted: terminal.paint("green", "trusted"),
      changed: terminal.paint("yellow", "untrusted: it has changed since"),
      gone: terminal.paint("yellow", "untrusted: it cannot be read any more"),
    }[state];
    terminal.out(`${visible(tildify(path, system.home))}  ${says}`);
    for (const line of programs) terminal.out(`  ${line}`);
  }
  return 0;
}
