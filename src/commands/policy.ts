/** `gitvow policy`: the rules in force, whether a file is right, and the packaged default. */
import { Failure } from "../domain/failure.ts";
import { homeOf, workingDirectory } from "../gate/prepare.ts";
import { policyIssues, policyWarnings } from "../policy/compile.ts";
import { DEFAULT_POLICY } from "../policy/default.ts";
import {
  loadPolicy,
  parsePolicy,
  pointer,
  POLICY_FILE,
  POLICY_LIMIT,
  policyText,
  REPEATED,
} from "../policy/load.ts";
import type { CommandRule, PathRule, PolicyLayer } from "../policy/policy.ts";
import { repositoriesOf } from "../policy/repository.ts";
import { resolve, slashed, tildify } from "../system/paths.ts";
import type { Command, CommandWorld, ExitCode } from "./command.ts";

export interface PolicyFlags {
  readonly json: boolean;
}

/** Prints the layers in force here and their rules, strictest lists first. */
export const policyShow: Command<PolicyFlags> = async (world, flags): Promise<ExitCode> => {
  const { system, terminal } = world;
  const cwd = workingDirectory(system, "");
  const policy = await loadPolicy(system, homeOf(system), repositoriesOf(system.files, cwd));
  if (flags.json) {
    terminal.out(JSON.stringify({ layers: policy.layers.map(layerJson) }));
    return 0;
  }
  for (const layer of policy.layers) {
    terminal.out(terminal.paint("bold", `${layer.file} (${layer.scope})`));
    for (const [key, rules] of ruleLists(layer)) {
      for (const [index, rule] of rules.entries()) {
        terminal.out(`  ${key}[${index}]  ${describeRule(rule)}  ${rule.reason}`);
      }
    }
    for (const rule of [...layer.mcpDeny, ...layer.mcpAllow]) {
      terminal.out(`  ${rule.origin.rule}  ${rule.pattern.source}`);
    }
    for (const provider of layer.providers) {
      terminal.out(`  provider ${provider.name}  ${provider.command}`);
    }
    if (layer.classifier !== undefined) {
      terminal.out(`  classifier  ${layer.classifier.command}`);
    }
    if (layer.indirectCommands !== undefined) {
      terminal.out(`  indirect_commands  ${layer.indirectCommands}`);
    }
    if (layer.unreadCode !== undefined) terminal.out(`  unread_code  ${layer.unreadCode}`);
  }
  return 0;
};

function ruleLists(
  layer: PolicyLayer,
): readonly (readonly [string, readonly (CommandRule | PathRule)[]])[] {
  return [
    ["bash_deny", layer.bashDeny],
    ["bash_confirm", layer.bashConfirm],
    ["path_deny", layer.pathDeny],
    ["path_confirm", layer.pathConfirm],
    ["read_deny", layer.readDeny],
    ["read_confirm", layer.readConfirm],
  ];
}

function describeRule(rule: CommandRule | PathRule): string {
  if ("match" in rule) return describeFiles(rule);
  if (rule.kind === "pattern") return `/${rule.pattern.source}/`;
  const verbs = rule.verbs.map((verb) => verb.source.replace(/^\^\(\?:(.*)\)\(\?: \|\$\)$/s, "$1"));
  return [[...rule.programs].join("|"), verbs.join("|"), rule.flags.join("|"), rule.args?.source]
    .filter((part) => part !== undefined && part !== "").join(" ");
}

function describeFiles({ match, unless }: PathRule): string {
  const all = [match, ...(unless === undefined ? [] : [unless])].map(({ pattern, globs }) =>
    [...globs.map((glob) => glob.source), ...(pattern === undefined ? [] : [`/${pattern.source}/`])]
      .join(" ")
  );
  return all.join(" unless ");
}

function layerJson(layer: PolicyLayer) {
  return {
    file: layer.path,
    scope: layer.scope,
    sha256: layer.sha256,
    rules: ruleLists(layer).flatMap(([key, rules]) =>
      rules.map((rule, index) => ({
        rule: `${key}[${index}]`,
        match: describeRule(rule),
        reason: rule.reason,
        when: rule.when,
      }))
    ),
    mcp_deny: layer.mcpDeny.map((rule) => rule.origin.rule),
    mcp_allow: layer.mcpAllow.map((rule) => rule.origin.rule),
    providers: layer.providers.map((provider) => provider.name),
    llm_classifier: layer.classifier !== undefined,
    indirect_commands: layer.indirectCommands ?? null,
    unread_code: layer.unreadCode ?? null,
  };
}

/** The files to check: those named, else the user's and the repository's where they exist. */
function filesToCheck(world: CommandWorld, words: readonly string[]): string[] {
  const { system } = world;
  const cwd = workingDirectory(system, "");
  if (words.length > 0) return words.map((word) => resolve(cwd, slashed(word, system.os)));
  const tops = [...repositoriesOf(system.files, cwd), homeOf(system)];
  const found = [...new Set(tops)].map((top) => `${top}/${POLICY_FILE}`)
    .filter((path) => system.files.lookAt(path) !== undefined);
  if (found.length > 0) return found;
  throw new Failure(
    "There is no policy to check here",
    "run `gitvow install --user` to write the default policy, or name a file",
  );
}

/** One thing to say about a policy file. */
interface Remark {
  readonly level: "error" | "warning";
  readonly file: string;
  readonly place: string;
  readonly pointer: string;
  readonly message: string;
}

/** Says everything wrong with the policy files: errors that block the gate, and likely slips. */
export const policyCheck: Command<PolicyFlags> = async (world, flags, words) => {
  const { terminal } = world;
  const files = filesToCheck(world, words);
  const remarks: Remark[] = [];
  for (const path of files) remarks.push(...await checkFile(world, path));
  const errors = remarks.filter((remark) => remark.level === "error").length;
  if (flags.json) {
    terminal.out(JSON.stringify({ files, ok: errors === 0, remarks }));
    return errors === 0 ? 0 : 1;
  }
  for (const remark of remarks) {
    const level = terminal.paint(remark.level === "error" ? "red" : "yellow", remark.level);
    const where = [remark.file, remark.place, remark.pointer].filter((part) => part !== "");
    terminal.out(`${level}: ${where.join(", ")}: ${remark.message}`);
  }
  for (const path of files) {
    const file = tildify(path, world.system.home);
    if (!remarks.some((remark) => remark.file === file && remark.level === "error")) {
      terminal.out(`${terminal.paint("green", "ok")}: ${file}`);
    }
  }
  return errors === 0 ? 0 : 1;
};

async function checkFile(world: CommandWorld, path: string): Promise<Remark[]> {
  const file = tildify(path, world.system.home);
  const error = (message: string): Remark[] => [
    { level: "error", file, place: "", pointer: "", message },
  ];
  const content = world.system.files.read(path, POLICY_LIMIT);
  if (content.kind === "missing") return error("there is no such file");
  if (content.kind === "unreadable") return error(`it cannot be read: ${content.why}`);
  try {
    const text = policyText(content.bytes, file);
    const value = await parsePolicy(text, file);
    const issues = policyIssues(value, {
      path,
      file,
      scope: "user",
      repo: undefined,
      sha256: "",
      folds: world.system.os !== "linux",
    });
    const { placeOf, repeatedKeys } = await import("../policy/jsonc.ts");
    const remark =
      (level: "error" | "warning") =>
      (issue: { path: readonly (string | number)[]; message: string }): Remark => ({
        level,
        file,
        place: placeOf(text, issue.path),
        pointer: pointer(issue.path),
        message: issue.message,
      });
    return [
      ...issues.map(remark("error")),
      ...repeatedKeys(text).map(({ path, place }): Remark => ({
        level: "error",
        file,
        place,
        pointer: pointer(path),
        message: REPEATED,
      })),
      ...policyWarnings(value).map(remark("warning")),
    ];
  } catch (failure) {
    if (failure instanceof Failure) return error(failure.message);
    throw failure;
  }
}

/** Prints the packaged default policy, byte for byte as `install` writes it. */
export const policyDefault: Command<Record<never, never>> = (world) => {
  world.terminal.out(DEFAULT_POLICY.replace(/\n$/, ""));
  return 0;
};
