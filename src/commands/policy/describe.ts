/** A policy's rules as one line each, and as JSON for a script. */
import type { CommandRule, FileMatch, PathRule, PolicyLayer } from "../../policy/policy.ts";
import { asWritten } from "../../policy/rules.ts";

/** The lists of a layer that hold rules with a reason, strictest first, under their keys. */
export function ruleLists(
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

/** What a rule matches, and what lifts it: `git push -f|--force unless --dry-run`. */
export function describeRule(rule: CommandRule | PathRule): string {
  if ("match" in rule) return withUnless(describeFiles(rule.match), describeFiles(rule.unless));
  if (rule.kind === "pattern") return `/${rule.pattern.source}/`;
  const { programs, verbs, flags, args, unless } = rule;
  const match = [programs.join("|"), verbs.map(asWritten).join("|"), flags.join("|"), args?.source];
  return withUnless(spaced(match), spaced([unless.flags.join("|"), unless.args?.source]));
}

/** When the rule's finding is put to a person, where that is not what the rule's kind has by itself. */
export function describeWhen(rule: CommandRule | PathRule): string[] {
  return rule.when === ("match" in rule ? "commit" : "immediate") ? [] : [`when ${rule.when}`];
}

function describeFiles(match: FileMatch | undefined): string {
  if (match === undefined) return "";
  const { globs, pattern } = match;
  const patterns = pattern === undefined ? [] : [`/${pattern.source}/`];
  return [...globs.map((glob) => glob.source), ...patterns].join(" ");
}

function withUnless(match: string, unless: string): string {
  return unless === "" ? match : `${match} unless ${unless}`;
}

function spaced(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** A layer as `gitvow policy show --json` has it. */
export function layerJson(layer: PolicyLayer) {
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
    mcp_deny: layer.mcpDeny.map((rule) => asWritten(rule.pattern)),
    mcp_allow: layer.mcpAllow.map((rule) => asWritten(rule.pattern)),
    providers: layer.providers.map((provider) => provider.name),
    llm_classifier: layer.classifier !== undefined,
    indirect_commands: layer.indirectCommands ?? null,
    unread_code: layer.unreadCode ?? null,
  };
}
