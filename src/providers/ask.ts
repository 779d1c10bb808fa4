/**
 * Asks providers their questions: side by side, each identical one once, and turns every answer
 * that is not a clear "no" or "unknown" into a finding.
 */
import type { Finding } from "../domain/finding.ts";
import type { ProviderConfig, Question } from "../policy/policy.ts";
import type { System } from "../system/system.ts";
import { causeOf, type NoAnswer, type ProviderAnswer, readAnswer, timeLeft } from "./answer.ts";
import { readCommand } from "./command.ts";
import { visible } from "../domain/visible.ts";

/** The version of the provider protocol. */
export const PROVIDER_PROTOCOL = 1;

/** Bytes of standard output past which an answer counts as failed. */
export const ANSWER_LIMIT = 1024 * 1024;

/** Provider processes that run at the same time. */
const SIDE_BY_SIDE = 16;

/** A provider, and why it may not be run (its policy is not trusted) where that is so. */
export interface AskedProvider {
  readonly config: ProviderConfig;
  readonly refusal: string | undefined;
}

/** One question about one subject; `path` is the file being edited, repository-relative. */
export interface ProviderQuestion {
  readonly question: Question;
  readonly subject: string;
  readonly path: string;
}

/** What one provider said to one question. */
export interface ProviderReply {
  readonly provider: string;
  readonly question: ProviderQuestion;
  readonly result: ProviderAnswer | NoAnswer;
}

/** A provider that gave no usable answer. */
export interface ProviderFailure {
  readonly provider: string;
  readonly question: Question;
  readonly subject: string;
  readonly cause: string;
}

/** Everything the providers said, and what it means for the gate. */
export interface ProviderAnswers {
  readonly replies: readonly ProviderReply[];
  readonly findings: readonly Finding[];
  readonly failures: readonly ProviderFailure[];
}

/** What to ask whom. `deadline` is in milliseconds since 1970 UTC. */
export interface AskRequest {
  readonly providers: readonly AskedProvider[];
  readonly questions: readonly ProviderQuestion[];
  /** Top level of the repository, absolute; providers run there. */
  readonly repo: string;
  /** The tool the agent is about to run. */
  readonly tool: string;
  readonly system: System;
  readonly deadline: number;
}

/** Asks every provider each question it declares. Never throws: what goes wrong is a finding. */
export async function askProviders(request: AskRequest): Promise<ProviderAnswers> {
  const asked = new Map<string, { provider: AskedProvider; question: ProviderQuestion }>();
  for (const provider of request.providers) {
    const { name, command, timeoutSeconds, questions } = provider.config;
    for (const question of request.questions) {
      if (!questions.includes(question.question)) continue;
      const key = JSON.stringify([name, command, timeoutSeconds, provider.refusal, question]);
      if (!asked.has(key)) asked.set(key, { provider, question });
    }
  }
  const replies = await sideBySide([...asked.values()], async ({ provider, question }) => ({
    provider: provider.config.name,
    question,
    result: await askOne(provider, question, request),
  }));
  return {
    replies,
    findings: replies.flatMap(findingOf),
    failures: replies.flatMap(({ provider, question, result }) =>
      result.kind === "failed"
        ? [{
          provider,
          question: question.question,
          subject: question.subject,
          cause: result.cause,
        }]
        : []
    ),
  };
}

/** Runs `work` on every item, a bounded number at a time; results in the order of the items. */
async function sideBySide<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, items.length) }, worker));
  return results;
}

async function askOne(
  { config, refusal }: AskedProvider,
  question: ProviderQuestion,
  { repo, tool, system, deadline }: AskRequest,
): Promise<ProviderAnswer | NoAnswer> {
  if (refusal !== undefined) return { kind: "failed", cause: refusal };
  const left = timeLeft(system, deadline);
  if (left <= 0) return { kind: "failed", cause: "the hook's time was up before it was asked" };
  try {
    const { program, args } = readCommand(config.command, repo, system);
    const stdin = JSON.stringify({
      protocol: PROVIDER_PROTOCOL,
      question: question.question,
      subject: question.subject,
      repo,
      path: question.path,
      tool_name: tool,
    });
    const timeoutMs = Math.min(config.timeoutSeconds * 1000, left);
    return readAnswer(
      await system.run({ program, args, cwd: repo, stdin, timeoutMs, stdoutLimit: ANSWER_LIMIT }),
    );
  } catch (error) {
    return { kind: "failed", cause: causeOf(error) };
  }
}

/** What a question is about, as stable text for a finding. */
export function subjectText({ question, subject, path }: ProviderQuestion): string {
  const [what, where] = [visible(subject), visible(path)];
  switch (question) {
    case "gate_bearing":
      return `edit ${what} (gate bearing)`;
    case "route_gate":
      return where === "" ? `route ${what}` : `route ${what} in ${where}`;
    case "route_callers":
      return where === "" ? `route ${what} dropped` : `route ${what} dropped from ${where}`;
  }
}

function findingOf({ provider, question, result }: ProviderReply): Finding[] {
  const name = visible(provider);
  const base = { subject: subjectText(question), source: `provider ${name}` };
  if (result.kind === "failed") {
    const reason =
      `provider ${name} gave no usable answer to ${question.question}: ${result.cause}`;
    return [{ ...base, outcome: "confirm", reason, evidence: [] }];
  }
  if (result.answer !== "yes") return [];
  const { evidence, evidenceGiven } = result;
  const more = evidenceGiven > evidence.length
    ? ` (${evidence.length} of ${evidenceGiven} lines of evidence shown)`
    : "";
  const reason = `provider ${name} answers yes to ${question.question}${more}`;
  return [{ ...base, outcome: "confirm", reason, evidence }];
}
