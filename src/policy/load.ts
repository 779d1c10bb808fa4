/**
 * Finds, reads and compiles the policy files in force: the user's and those of every repository
 * the call has to do with. Anything wrong with any of them is a `Failure`, and so a block.
 */
import { Failure, messageOf } from "../domain/failure.ts";
import { tildify } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import { VERSION } from "../version.ts";
import { layerOf, type LayerSource, policyIssues } from "./compile.ts";
import { sha256 } from "./digest.ts";
import type { Policy, PolicyLayer } from "./policy.ts";

/** Bytes a policy file may have. */
export const POLICY_LIMIT = 4 * 1024 * 1024;

/** Where a policy file stands below a home or a repository. */
export const POLICY_FILE = ".gitvow/policy.json";

/** Layers by path, so that one hook reads a file once. */
export type LayerCache = Map<string, PolicyLayer | undefined>;

/** Decodes a policy file's bytes. Throws a `Failure` where they are not UTF-8. */
export function policyText(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(
      `Policy ${file} is not UTF-8 text`,
      `save ${file} as UTF-8, or replace it with \`gitvow policy default > ${file}\``,
    );
  }
}

/** Parses a policy's text: plain JSON at once, JSONC by a parser loaded only then. */
export async function parsePolicy(text: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { parseJsonc } = await import("./jsonc.ts");
    try {
      return parseJsonc(text);
    } catch (error) {
      throw new Failure(
        `Policy ${file} cannot be parsed: ${messageOf(error)}`,
        `mend it there; \`gitvow policy check ${file}\` shows the rest`,
      );
    }
  }
}

/** What is wrong with a key that stands twice: the later one would hide the rules of the first. */
export const REPEATED = "is given twice, and only the last one would count";

/** A policy file's content, where it stands, and whose it is. */
export interface PolicySource extends Omit<LayerSource, "sha256" | "folds"> {
  readonly bytes: Uint8Array;
  readonly folds?: boolean;
}

/** Checks and compiles one file. Throws a `Failure` that names file, line, column and JSON pointer. */
export async function compilePolicy(source: PolicySource): Promise<PolicyLayer> {
  return await compileChecked(source, await sha256(source.bytes), false);
}

/** Compiles one file; `known` where a file of the same bytes has been checked before. */
async function compileChecked(
  source: PolicySource,
  digest: string,
  known: boolean,
): Promise<PolicyLayer> {
  const text = policyText(source.bytes, source.file);
  const value = await parsePolicy(text, source.file);
  const layer: LayerSource = { folds: false, ...source, sha256: digest };
  if (known) return layerOf(value, layer);
  const { placeOf, repeatedKeys } = await import("./jsonc.ts");
  const repeated = repeatedKeys(text);
  const issues = [
    ...policyIssues(value, layer),
    ...repeated.map(({ path }) => ({ path, message: REPEATED })),
  ];
  const first = issues[0];
  if (first === undefined) return layerOf(value, layer);
  const place = first.message === REPEATED ? repeated[0]?.place : placeOf(text, first.path);
  const more = issues.length > 1 ? `, and ${issues.length - 1} more` : "";
  throw new Failure(
    `Policy ${source.file} is not valid: ${place} (${pointer(first.path)}) ${first.message}${more}`,
    `mend it there; \`gitvow policy check ${source.file}\` lists everything`,
  );
}

/** A JSON pointer (RFC 6901), `/` for the root. */
export function pointer(path: readonly (string | number)[]): string {
  const parts = path.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1"));
  return `/${parts.join("/")}`;
}

/**
 * Compiles a file, checking it only where the same bytes have not been checked before. The mark of
 * a check lies in `~/.gitvow`, which gitvow's own guard protects; a false one would loosen nothing,
 * since a rule that does not compile blocks when it is looked at.
 */
async function checkedLayer(system: System, source: PolicySource): Promise<PolicyLayer> {
  const digest = await sha256(source.bytes);
  const folder = `${system.home}/.gitvow/cache/checked`;
  const mark = `${folder}/${VERSION}-${digest}`;
  if (system.files.lookAt(mark) !== undefined) return await compileChecked(source, digest, true);
  const layer = await compileChecked(source, digest, false);
  try {
    system.files.makeDirectory(folder, 0o700);
    system.files.writeAtomic(mark, new Uint8Array(), 0o600);
  } catch {
    // Without the mark the next hook checks again.
  }
  return layer;
}

async function loadLayer(
  system: System,
  root: string,
  scope: "user" | "repository",
  cache: LayerCache,
): Promise<PolicyLayer | undefined> {
  const path = `${root === "/" ? "" : root}/${POLICY_FILE}`;
  if (cache.has(path)) return cache.get(path);
  const file = tildify(path, system.home);
  const content = system.files.read(path, POLICY_LIMIT);
  if (content.kind === "unreadable") {
    throw new Failure(
      `Policy ${file} cannot be read: ${content.why}`,
      `make ${file} a readable file, or remove it`,
    );
  }
  const layer = content.kind === "missing" ? undefined : await checkedLayer(system, {
    path,
    file,
    scope,
    repo: scope === "user" ? undefined : root,
    bytes: content.bytes,
    folds: system.os !== "linux",
  });
  cache.set(path, layer);
  return layer;
}

/**
 * The layers of the user at `home` and of the repositories with these top levels; strictest wins.
 * Throws a `Failure` where a file is broken, or where there is none at all.
 */
export async function loadPolicy(
  system: System,
  home: string,
  repositories: readonly string[],
  cache: LayerCache = new Map(),
): Promise<Policy> {
  const layers: PolicyLayer[] = [];
  for (const top of repositories) {
    if (top === home) continue;
    const layer = await loadLayer(system, top, "repository", cache);
    if (layer !== undefined) layers.push(layer);
  }
  const own = await loadLayer(system, home, "user", cache);
  if (own !== undefined) layers.push(own);
  if (layers.length === 0) {
    throw new Failure(
      `There is no policy: neither ${
        tildify(`${home}/${POLICY_FILE}`, home)
      } nor one in the repository`,
      "run `gitvow install --user` to write the default policy",
    );
  }
  return { layers };
}
