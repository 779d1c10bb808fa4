/** Commands that put the gate in place: hook, install, uninstall. */
import { buildCommand } from "@stricli/core";
import type { InstallFlags } from "../../commands/install.ts";
import type { UninstallFlags } from "../../commands/uninstall.ts";
import { type CliContext, lazily } from "../adapt.ts";
import { describe, toggle, value, values, word } from "./flags.ts";

/** Only its help comes this way: `main.ts` answers `gitvow hook` itself, without this library. */
export const hook = buildCommand<{ readonly agent: string | undefined }, string[], CliContext>({
  loader: lazily(async () => (await import("../../commands/hook_command.ts")).hookCommand),
  parameters: {
    flags: { agent: value("The agent that calls: claude", "NAME") },
    positional: {
      kind: "array",
      parameter: { parse: String, brief: "The event", placeholder: "EVENT" },
    },
  },
  docs: {
    brief: "Answer one hook event of an agent (agents call this)",
    fullDescription: describe(
      "Reads one JSON object from standard input and answers it in the agent's own form: exit 0 and " +
        "nothing printed lets the tool run, exit 2 with the reason stops it. Before a tool, whatever goes " +
        "wrong is a block.",
      [
        "gitvow hook --agent claude PreToolUse < payload.json",
        "gitvow hook --agent claude < payload.json   the payload names the event",
      ],
    ),
  },
});

const sharedFlags = {
  agent: values("Only this agent (may be given several times)", "NAME"),
  dryRun: toggle("Show the changes as a diff and write nothing"),
} as const;

const repository = {
  kind: "tuple",
  parameters: [word("A repository (the one you are in, where left out)", "REPO")],
} as const;

export const install = buildCommand<InstallFlags, [string?], CliContext>({
  loader: lazily(async () => (await import("../../commands/install.ts")).install),
  parameters: {
    flags: { user: toggle("Gate every session of yours, in any directory"), ...sharedFlags },
    positional: repository,
  },
  docs: {
    brief: "Put the gate between agents and this machine or repository",
    fullDescription: describe(
      "Writes the default policy where there is none and adds gitvow's hooks to each agent's settings, " +
        "leaving every other byte as it is. Without --agent, every agent found on this machine.",
      [
        "gitvow install --user                  gate your own sessions everywhere",
        "gitvow install --user --agent claude   Claude Code alone",
        "gitvow install .                       gate this repository for everybody who works in it",
        "gitvow install --user --dry-run        show what would change",
      ],
    ),
  },
});

export const uninstall = buildCommand<UninstallFlags, [string?], CliContext>({
  loader: lazily(async () => (await import("../../commands/uninstall.ts")).uninstall),
  parameters: {
    flags: { user: toggle("Your own settings, where install --user put hooks"), ...sharedFlags },
    positional: repository,
  },
  docs: {
    brief: "Take gitvow's hooks out again, byte for byte",
    fullDescription: describe(
      "Removes exactly what install added. Your policy and the record stay in ~/.gitvow.",
      ["gitvow uninstall --user", "gitvow uninstall . --agent claude"],
    ),
  },
});
