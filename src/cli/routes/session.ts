/** Commands about what the gate does: status, selftest, approve, trust, log. */
import { buildCommand } from "@stricli/core";
import type { ApproveFlags } from "../../commands/approve.ts";
import type { LogFlags } from "../../commands/log.ts";
import type { SelftestFlags } from "../../commands/selftest.ts";
import type { StatusFlags } from "../../commands/status.ts";
import type { TrustFlags } from "../../commands/trust.ts";
import { type CliContext, lazily } from "../adapt.ts";
import { describe, json, toggle, value, values, word } from "./flags.ts";

export const status = buildCommand<StatusFlags, [], CliContext>({
  loader: lazily(async () => (await import("../../commands/status.ts")).status),
  parameters: {
    flags: { agent: values("Only this agent (may be given several times)", "NAME"), json },
  },
  docs: {
    brief: "Is the gate up? Installs, policies, record, recent decisions",
    fullDescription: describe(
      "Runs the installed hook command on a probe, loads the policies that hold here, and says what is " +
        "wrong and how to mend it. Exit code 1 where something is.",
      ["gitvow status", "gitvow status --json"],
    ),
  },
});

export const selftest = buildCommand<SelftestFlags, [], CliContext>({
  loader: lazily(async () => (await import("../../commands/selftest.ts")).selftest),
  parameters: {
    flags: { agent: values("Only this agent (may be given several times)", "NAME"), json },
  },
  docs: {
    brief: "Try the whole gate out in a throwaway home and repository",
    fullDescription: describe(
      "Runs gitvow as the agent would, as a process: every event, an allow, a confirmation, a denial, a " +
        "broken policy, install and uninstall. Exit code 1 where a check fails.",
      ["gitvow selftest", "gitvow selftest --agent claude --json"],
    ),
  },
});

export const approve = buildCommand<ApproveFlags, [string], CliContext>({
  loader: lazily(async () => (await import("../../commands/approve.ts")).approve),
  parameters: {
    flags: { session: toggle("Allow what it is about for the rest of the session") },
    positional: {
      kind: "tuple",
      parameters: [{ parse: String, brief: "The code the agent was shown", placeholder: "CODE" }],
    },
  },
  docs: {
    brief: "Let one confirmation pass (a person, at a terminal)",
    fullDescription: describe(
      "Lets exactly that call pass once within ten minutes. A denial cannot be approved.",
      ["gitvow approve 7F3K", "gitvow approve 7F3K --session"],
    ),
  },
});

export const trust = buildCommand<TrustFlags, [string?], CliContext>({
  loader: lazily(async () => (await import("../../commands/trust.ts")).trust),
  parameters: {
    flags: {
      list: toggle("List the policies that are trusted"),
      revoke: toggle("Take the trust back"),
      json,
    },
    positional: {
      kind: "tuple",
      parameters: [word("A repository (the one you are in, where left out)", "REPO")],
    },
  },
  docs: {
    brief: "Let a repository's policy run its programs (a person, at a terminal)",
    fullDescription: describe(
      "A repository's providers and classifier run only once you have agreed to them here. A policy that " +
        "changes is untrusted again. Its rules need no trust.",
      ["gitvow trust", "gitvow trust --list", "gitvow trust --revoke ~/code/shop"],
    ),
  },
});

export const log = buildCommand<LogFlags, [string?], CliContext>({
  loader: lazily(async () => (await import("../../commands/log.ts")).log),
  parameters: {
    flags: {
      outcome: value("Only these: allow, confirm or deny", "OUTCOME"),
      kind: value("Only this kind of entry: tool_call, hook_failed, …", "KIND"),
      limit: {
        kind: "parsed",
        parse: String,
        brief: "How many entries, the latest",
        placeholder: "N",
        default: "50",
      },
      sessions: toggle("List the sessions instead"),
      json,
    },
    positional: {
      kind: "tuple",
      parameters: [word("A session (the latest, where left out)", "SESSION")],
    },
  },
  docs: {
    brief: "Read the record of a session",
    fullDescription: describe("Shows what was decided, oldest first.", [
      "gitvow log",
      "gitvow log --sessions",
      "gitvow log --outcome deny --json",
    ]),
  },
});
