/** The agents gitvow serves, by name. */
import { Failure } from "../domain/failure.ts";
import type { Agent } from "./agent.ts";
import { claude } from "./claude.ts";

/** The built-in agents, in the order they are listed. */
export const AGENTS: readonly Agent[] = [claude];

/** The agent of that name. Throws a `Failure` where there is none. */
export function agentNamed(name: string): Agent {
  const agent = AGENTS.find((one) => one.name === name);
  if (agent !== undefined) return agent;
  throw new Failure(
    `Agent "${name}" is not known`,
    `use one of: ${AGENTS.map((one) => one.name).join(", ")}`,
  );
}
