/** Commands about the rules: check, policy, schema. */
import { buildCommand, buildRouteMap } from "@stricli/core";
import type { CheckFlags } from "../../commands/check.ts";
import type { PolicyFlags } from "../../commands/policy.ts";
import { type CliContext, lazily } from "../adapt.ts";
import { describe, json, toggle, value, values } from "./flags.ts";

export const check = buildCommand<CheckFlags, string[], CliContext>({
  loader: lazily(async () => (await import("../../commands/check.ts")).check),
  parameters: {
    flags: {
      path: values("A file an agent would write", "FILE"),
      read: toggle("The files of --path are read, not written"),
      mcp: value("An MCP tool: mcp__server__tool", "NAME"),
      payload: value("A file with a hook payload", "FILE"),
      agent: {
        kind: "parsed",
        parse: String,
        brief: "The agent whose payload it is",
        placeholder: "NAME",
        default: "claude",
      },
      explain: toggle("Show each command found and the words that matched"),
      json,
    },
    positional: {
      kind: "array",
      parameter: { parse: String, brief: "A command, after --", placeholder: "CMD" },
    },
  },
  docs: {
    brief: "What would the gate decide? Providers are asked, nothing else is run",
    fullDescription: describe(
      "Judges a command, a path, an MCP tool or a payload as the hook would, and asks the providers and " +
        "the classifier of the policy as it would. The command is not run and nothing is recorded. " +
        "Exit code 0 for allow, 2 for confirm and deny, 1 where it cannot be judged.",
      [
        "gitvow check -- git push --force",
        "gitvow check --explain -- 'cd api && rm -rf \"$DIR\"'",
        "gitvow check --path .env --read",
        "gitvow check --mcp mcp__github__delete_file --json",
      ],
    ),
  },
});

const flags = { json } as const;

export const policy = buildRouteMap<string, CliContext>({
  routes: {
    show: buildCommand<PolicyFlags, [], CliContext>({
      loader: lazily(async () => (await import("../../commands/policy.ts")).policyShow),
      parameters: { flags },
      docs: {
        brief: "The rules in force in this directory",
        fullDescription: describe("Lists the rules of every policy file that holds here.", [
          "gitvow policy show",
          "gitvow policy show --json",
        ]),
      },
    }),
    check: buildCommand<PolicyFlags, string[], CliContext>({
      loader: lazily(async () => (await import("../../commands/policy.ts")).policyCheck),
      parameters: {
        flags,
        positional: {
          kind: "array",
          parameter: { parse: String, brief: "A policy file", placeholder: "FILE" },
        },
      },
      docs: {
        brief: "Is a policy file right? Errors with line and column",
        fullDescription: describe(
          "Checks the files named, or those in force here. Exit code 1 where one is wrong.",
          ["gitvow policy check", "gitvow policy check .gitvow/policy.json --json"],
        ),
      },
    }),
    default: buildCommand<Record<never, never>, [], CliContext>({
      loader: lazily(async () => (await import("../../commands/policy.ts")).policyDefault),
      parameters: {},
      docs: {
        brief: "Print the packaged default policy",
        fullDescription: describe("The text that install writes where there is no policy.", [
          "gitvow policy default > ~/.gitvow/policy.json",
        ]),
      },
    }),
  },
  docs: {
    brief: "The rules in force: show, check, default",
    fullDescription: describe("Shows and checks policy files, and prints the packaged one.", [
      "gitvow policy show",
      "gitvow policy check .gitvow/policy.json",
      "gitvow policy default > ~/.gitvow/policy.json",
    ]),
  },
});

export const schema = buildCommand<Record<never, never>, [], CliContext>({
  loader: lazily(async () => (await import("../../commands/schema.ts")).schema),
  parameters: {},
  docs: {
    brief: "Print the JSON Schema of policy files",
    fullDescription: describe("For an editor's completion and checks.", [
      "gitvow schema > policy.schema.json",
    ]),
  },
});
