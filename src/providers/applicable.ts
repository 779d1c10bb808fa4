/** Which providers have a say about the files of a repository. */
import type { PolicyLayer } from "../policy/policy.ts";
import { trustRefusal } from "../policy/trust.ts";
import type { System } from "../system/system.ts";
import type { AskedProvider } from "./ask.ts";

/**
 * The providers of the user and of the repository with this top level, each with why it may not be
 * run where its policy is not trusted. The same repository under another spelling counts as well.
 */
export function applicableProviders(
  system: System,
  layers: readonly PolicyLayer[],
  repo: string,
): AskedProvider[] {
  const real = (path: string) => system.files.realPath(path) ?? path;
  const top = real(repo);
  const found: AskedProvider[] = [];
  for (const layer of layers) {
    if (layer.providers.length === 0) continue;
    if (layer.scope === "repository" && (layer.repo === undefined || real(layer.repo) !== top)) {
      continue;
    }
    const refusal = trustRefusal(system, layer);
    found.push(...layer.providers.map((config) => ({ config, refusal })));
  }
  return found;
}
