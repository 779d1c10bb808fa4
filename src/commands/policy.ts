/** `gitvow policy`: the rules in force, whether a file is right, and the packaged default. */
import { Failure } from "../domain/failure.ts";
import { workingDirectory } from "../gate/prepare.ts";
import { DEFAULT_POLICY } from "../policy/default.ts";
import { loadPolicy, POLICY_FILE } from "../policy/load.ts";
import { repositoriesOf } from "../policy/repository.ts";
import { asWritten } from "../policy/rules.ts";
import { resolve, slashed, tildify } from "../system/paths.ts";
import type { Command, CommandWorld, ExitCode } from "./command.ts";
import { existingHome, needFolders } from "./folders.ts";
import { describeRule, describeWhen, layerJson, ruleLists } from "./policy/describe.ts";
import { checkFile, type Remark } from "./policy/remarks.ts";

export interface PolicyFlags {
  readonly json: boolean;
}

/** Prints the layers in force here and their rules, strictest lists first. */
export const policyShow: Command<PolicyFlags> = async (world, flags): Promise<ExitCode> => {
  const { system, terminal } = world;
  const home = existingHome(system);
  needFolders(system, `${home}/.gitvow`);
  const cwd = workingDirectory(system, "");
  const policy = await loadPolicy(system, home, repositoriesOf(system.files, cwd));
  if (flags.json) {
    terminal.out(JSON.stringify({ layers: policy.layers.map(layerJson) }));
    return 0;
  }
  for (const layer of policy.layers) {
    terminal.out(terminal.paint("bold", `${layer.file} (${layer.scope})`));
    for (const [key, rules] of ruleLists(layer)) {
      for (const [index, rule] of rules.entries()) {
        const parts = [`${key}[${index}]`, describeRule(rule), ...describeWhen(rule), rule.reason];
        terminal.out(`  ${parts.join("  ")}`);
      }
    }
    for (const rule of [...layer.mcpDeny, ...layer.mcpAllow]) {
      terminal.out(`  ${rule.origin.rule}  ${asWritten(rule.pattern)}`);
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

/** The files to check: those named, else the user's and the repository's where they exist. */
function filesToCheck(world: CommandWorld, words: readonly string[]): string[] {
  const { system } = world;
  const cwd = workingDirectory(system, "");
  if (words.length > 0) return words.map((word) => resolve(cwd, slashed(word, system.os)));
  const home = existingHome(system);
  needFolders(system, `${home}/.gitvow`);
  const tops = [...repositoriesOf(system.files, cwd), home];
  const found = [...new Set(tops)].map((top) => `${top}/${POLICY_FILE}`)
    .filter((path) => system.files.lookAt(path) !== undefined);
  if (found.length > 0) return found;
  throw new Failure(
    "There is no policy to check here",
    "run `gitvow install --user` to write the default policy, or name a file",
  );
}

/** Says everything wrong with the policy files: errors that block the gate, and likely slips. */
export const policyCheck: Command<PolicyFlags> = (world, flags, words) => {
  const { terminal } = world;
  const files = filesToCheck(world, words);
  const remarks: Remark[] = [];
  for (const path of files) remarks.push(...checkFile(world.system, path));
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

/** Prints the packaged default policy, byte for byte as `install` writes it. */
export const policyDefault: Command<Record<never, never>> = (world) => {
  world.terminal.out(DEFAULT_POLICY.replace(/\n$/, ""));
  return 0;
};
