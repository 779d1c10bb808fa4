/** Asks the classifier of a policy about a call that nothing else had anything to say about. */
import type { JsonObject } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import type { ClassifierConfig } from "../policy/policy.ts";
import type { System } from "../system/system.ts";
import { causeOf, excerpt, timeLeft, utf8, whyFailed } from "./answer.ts";
import { readCommand } from "./command.ts";
import { shortened, visible } from "../domain/visible.ts";

/** Bytes of standard output past which a classification counts as failed. */
const VERDICT_LIMIT = 1024 * 1024;

/** Characters kept of a classifier's reason. */
const REASON_CHARACTERS = 500;

/** What to classify. `deadline` is in milliseconds since 1970 UTC. */
export interface ClassifyRequest {
  readonly classifier: ClassifierConfig;
  /** Why it may not be run (its policy is not trusted), where that is so. */
  readonly refusal: string | undefined;
  readonly tool_name: string;
  readonly tool_input: JsonObject;
  /** What the call would do, for the finding: whole, since a person may approve of it by it. */
  readonly subject: string;
  /** Top level of the repository, absolute, from which a relative program path is taken. */
  readonly repo: string | undefined;
  /** Directory the classifier runs in, absolute. */
  readonly cwd: string;
  readonly system: System;
  readonly deadline: number;
}

/** What a classifier said: its finding, where it has one, and why it failed, where it did. */
export interface Classification {
  readonly finding: Finding | undefined;
  readonly failure: string | undefined;
}

/**
 * Runs the classifier on `{tool_name, tool_input}` and reads the first line it prints: `ALLOW` has
 * no finding, `CONFIRM reason` and `DENY reason` have one, and anything else confirms. Never throws.
 */
export async function classify(request: ClassifyRequest): Promise<Classification> {
  const { classifier, refusal, system } = request;
  const subject = visible(request.subject);
  if (refusal !== undefined) return failed(classifier, subject, refusal);
  const left = timeLeft(system, request.deadline);
  if (left <= 0) return failed(classifier, subject, "the hook's time was up before it was asked");
  try {
    const { program, args } = readCommand(classifier.command, request.repo, system);
    const outcome = await system.run({
      program,
      args,
      cwd: request.repo ?? request.cwd,
      stdin: JSON.stringify({ tool_name: request.tool_name, tool_input: request.tool_input }),
      timeoutMs: Math.min(classifier.timeoutSeconds * 1000, left),
      stdoutLimit: VERDICT_LIMIT,
    });
    const cause = whyFailed(outcome);
    if (cause !== undefined || outcome.kind !== "exited") {
      return failed(classifier, subject, cause ?? "it did not end");
    }
    return readVerdict(outcome.stdout, classifier, subject);
  } catch (error) {
    return failed(classifier, subject, causeOf(error));
  }
}

function failed(
  classifier: ClassifierConfig,
  subject: string,
  cause: string,
): Classification {
  const reason = `the classifier gave no verdict: ${cause}`;
  return {
    finding: { outcome: "confirm", subject, reason, evidence: [], source: sourceOf(classifier) },
    failure: cause,
  };
}

function sourceOf({ origin }: ClassifierConfig): string {
  return `${origin.rule} in ${origin.file}`;
}

function readVerdict(
  stdout: Uint8Array,
  classifier: ClassifierConfig,
  subject: string,
): Classification {
  const text = utf8(stdout);
  if (text === undefined) return failed(classifier, subject, "its output is not UTF-8 text");
  const line = (text.split("\n", 1)[0] ?? "").trimEnd();
  if (line === "ALLOW") return { finding: undefined, failure: undefined };
  const match = /^(CONFIRM|DENY)(?:[ \t]+(.*))?$/.exec(line);
  if (match === null) {
    return failed(
      classifier,
      subject,
      line === "" ? "its first line is empty" : `its first line is ${excerpt(line)}`,
    );
  }
  const said = shortened(visible((match[2] ?? "").trim()), REASON_CHARACTERS);
  return {
    finding: {
      outcome: match[1] === "DENY" ? "deny" : "confirm",
      subject,
      reason: said === "" ? "the classifier gave no reason" : said,
      evidence: [],
      source: sourceOf(classifier),
    },
    failure: undefined,
  };
}
