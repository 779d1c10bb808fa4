/** What a provider printed, checked against the provider protocol by hand: no schema library here. */
import { Failure, messageOf } from "../domain/failure.ts";
import type { RunOutcome, System } from "../system/system.ts";
import { shortened, visible } from "../domain/visible.ts";

/** Lines of evidence kept from one answer, and characters kept of each. */
const EVIDENCE_LINES = 20;
const EVIDENCE_CHARACTERS = 2000;

/** Milliseconds kept back from the hook's deadline to kill what is late and to answer. */
const ANSWERING_MS = 250;

/** Milliseconds that a program may still run before the hook's deadline; none left when not positive. */
export function timeLeft(system: System, deadline: number): number {
  return deadline - ANSWERING_MS - system.now();
}

/** A provider's answer: what it found, and its own words for it. */
export interface ProviderAnswer {
  readonly kind: "answered";
  readonly answer: "yes" | "no" | "unknown";
  /** At most 20 lines, control characters written as escapes. */
  readonly evidence: readonly string[];
  /** How many lines of evidence the provider gave. */
  readonly evidenceGiven: number;
  /** From 0 to 1; undefined where not given. */
  readonly confidence: number | undefined;
}

/** No usable answer; `cause` is a clause such as `it exited with status 3: no such table`. */
export interface NoAnswer {
  readonly kind: "failed";
  readonly cause: string;
}

/** Reads a provider's answer from how its run ended: only exit 0 with one valid object is one. */
export function readAnswer(outcome: RunOutcome): ProviderAnswer | NoAnswer {
  const cause = whyFailed(outcome);
  if (cause !== undefined) return failed(cause);
  const text = outcome.kind === "exited" ? utf8(outcome.stdout) : undefined;
  if (text === undefined) return failed("its answer is not UTF-8 text");
  if (text.trim() === "") return failed("it printed nothing");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed(`it printed no JSON object: ${excerpt(text)}`);
  }
  return checked(value, text);
}

/** Why a run gave no output to read, as a clause; undefined where it exited with status 0. */
export function whyFailed(outcome: RunOutcome): string | undefined {
  switch (outcome.kind) {
    case "exited":
      return outcome.code === 0
        ? undefined
        : `it exited with status ${outcome.code}${lastWords(outcome.stderr)}`;
    case "killed":
      return `it was killed by ${outcome.signal}${lastWords(outcome.stderr)}`;
    case "timed out":
      return `it gave no answer in ${outcome.ms} ms${lastWords(outcome.stderr)}`;
    case "too much output":
      return `it printed more than ${outcome.limit} bytes`;
    case "not started":
      return outcome.why;
  }
}

/** Whatever was thrown while a program was looked for and run, as a clause with its remedy. */
export function causeOf(thrown: unknown): string {
  const message = messageOf(thrown);
  const remedy = thrown instanceof Failure && thrown.remedy !== "" ? ` (${thrown.remedy})` : "";
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}${remedy}`;
}

/** Strict UTF-8; undefined for anything else. A byte order mark is kept, and so no valid JSON. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The beginning of a text, quoted for a message. */
export function excerpt(text: string): string {
  return `"${shortened(visible(text.trimEnd()), 80)}"`;
}

function failed(cause: string): NoAnswer {
  return { kind: "failed", cause };
}

function lastWords(stderr: string): string {
  const line = stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${shortened(visible(line), 200)}`;
}

/** A value in a message: lists and objects only by their kind, however deep they are. */
function named(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return excerpt(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function checked(value: unknown, text: string): ProviderAnswer | NoAnswer {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return failed(`it printed no JSON object: ${excerpt(text)}`);
  }
  const { answer, evidence, confidence }: Readonly<Record<string, unknown>> = { ...value };
  if (answer !== "yes" && answer !== "no" && answer !== "unknown") {
    return failed(`its "answer" must be "yes", "no" or "unknown": it is ${named(answer)}`);
  }
  if (evidence !== undefined && !isStrings(evidence)) {
    return failed('its "evidence" must be a list of strings');
  }
  if (confidence !== undefined && !isShare(confidence)) {
    return failed(`its "confidence" must be a number from 0 to 1: it is ${named(confidence)}`);
  }
  const lines = evidence ?? [];
  return {
    kind: "answered",
    answer,
    evidence: lines.slice(0, EVIDENCE_LINES).map((line) =>
      shortened(visible(line), EVIDENCE_CHARACTERS)
    ),
    evidenceGiven: lines.length,
    confidence,
  };
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}
