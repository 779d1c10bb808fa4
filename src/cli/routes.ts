/** Every command with its flags and help; implementations are loaded when called. */
import { buildRouteMap } from "@stricli/core";
import type { CliContext } from "./adapt.ts";
import { approve, log, selftest, status, trust } from "./routes/session.ts";
import { check, policy, schema } from "./routes/rules.ts";
import { describe } from "./routes/flags.ts";
import { hook, install, uninstall } from "./routes/setup.ts";

export const routes = buildRouteMap<string, CliContext>({
  routes: {
    hook,
    install,
    uninstall,
    status,
    selftest,
    check,
    policy,
    approve,
    trust,
    log,
    schema,
  },
  docs: {
    brief: "The gate between AI coding agents and the machines they act on.",
    fullDescription: describe(
      "gitvow answers allow, confirm or deny before a coding agent runs a tool, from a policy you own, " +
        "and records what it decided.",
      [
        "gitvow install --user              gate the agents on this machine",
        "gitvow check -- git push --force   what would the gate say?",
        "gitvow status                      is the gate up, and what did it decide lately?",
        "gitvow help check                  how a command is used",
      ],
    ),
  },
});
