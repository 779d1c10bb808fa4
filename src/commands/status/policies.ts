/** The policies that hold in a directory: whether each loads, and whether its programs may run. */
import { compilePolicy, POLICY_FILE, POLICY_LIMIT } from "../../policy/load.ts";
import type { PolicyLayer } from "../../policy/policy.ts";
import { trustedBefore, trustRefusal } from "../../policy/trust.ts";
import { tildify } from "../../system/paths.ts";
import type { System } from "../../system/system.ts";
import { pathWord, type Problem, problemOf } from "./problem.ts";

/** One policy file. */
export interface PolicyStatus {
  /** The file as a person would write it. */
  readonly file: string;
  readonly scope: PolicyLayer["scope"];
  readonly state: "loaded" | "broken" | "untrusted";
  /** Rules of all lists. */
  readonly rules: number;
  /** True where it has a classifier that would be asked. */
  readonly classified: boolean;
}

/** The policies in force for `repositories` and the home, and what is wrong with them. */
export async function inspectPolicies(
  system: System,
  home: string,
  repositories: readonly string[],
): Promise<{ policies: PolicyStatus[]; problems: Problem[] }> {
  const policies: PolicyStatus[] = [];
  const problems: Problem[] = [];
  const tops = [...repositories.filter((top) => top !== home), home];
  for (const top of tops) {
    const found = await inspect(system, top, top === home ? "user" : "repository");
    if (found === undefined) continue;
    policies.push(found.policy);
    if (found.problem !== undefined) problems.push(found.problem);
  }
  if (policies.length === 0) {
    problems.push({
      what: "There is no policy here, without which every call is blocked",
      mend: "run `gitvow install --user` to write the default policy",
    });
  }
  return { policies, problems };
}

async function inspect(
  system: System,
  top: string,
  scope: PolicyLayer["scope"],
): Promise<{ policy: PolicyStatus; problem: Problem | undefined } | undefined> {
  const path = `${top === "/" ? "" : top}/${POLICY_FILE}`;
  const file = tildify(path, system.home);
  const status = { file, scope, rules: 0, classified: false };
  const content = system.files.read(path, POLICY_LIMIT);
  if (content.kind === "missing") return undefined;
  if (content.kind === "unreadable") {
    const what = `Policy ${file} cannot be read, so every call is blocked: ${content.why}`;
    const problem = { what, mend: `make ${file} a readable file, or remove it` };
    return { policy: { ...status, state: "broken" }, problem };
  }
  try {
    const repo = scope === "user" ? undefined : top;
    const layer = await compilePolicy({ path, file, scope, repo, bytes: content.bytes });
    const runs = layer.providers.length > 0 || layer.classifier !== undefined;
    const refusal = runs ? trustRefusal(system, layer) : undefined;
    const policy: PolicyStatus = {
      ...status,
      state: refusal === undefined ? "loaded" : "untrusted",
      rules: countRules(layer),
      classified: layer.classifier !== undefined && refusal === undefined,
    };
    if (refusal === undefined) return { policy, problem: undefined };
    const state = trustedBefore(system, path) === undefined
      ? "is not trusted"
      : "has changed since it was trusted";
    const problem = {
      what: `The programs of ${file} are not run: it ${state}`,
      mend: `read it, then run \`gitvow trust ${pathWord(top, system.home)}\``,
    };
    return { policy, problem };
  } catch (error) {
    const problem = problemOf(error, `run \`gitvow policy check ${file}\``);
    return { policy: { ...status, state: "broken" }, problem };
  }
}

function countRules(layer: PolicyLayer): number {
  const lists = [
    layer.bashDeny,
    layer.bashConfirm,
    layer.pathDeny,
    layer.pathConfirm,
    layer.readDeny,
    layer.readConfirm,
    layer.mcpDeny,
    layer.mcpAllow,
  ];
  return lists.reduce((count, rules) => count + rules.length, 0);
}
