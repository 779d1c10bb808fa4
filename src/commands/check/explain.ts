/** What `check --explain` shows: each invocation, how it was reached, and where it stands. */
import type { Decision } from "../../domain/finding.ts";
import type { GateContext } from "../../gate/context.ts";
import { subjectOf, touchedFiles } from "../../gate/paths.ts";
import type { Invocation, Span } from "../../shell/reading.ts";
import type { Terminal } from "../../system/terminal.ts";

/** Columns of a command line shown at once. */
const WIDTH = 100;

/** The lines of an explanation. */
export function explain(context: GateContext, decision: Decision, terminal: Terminal): string[] {
  const lines: string[] = [""];
  for (const { command, reading } of context.commands) {
    for (const [index, invocation] of reading.invocations.entries()) {
      const via = invocation.via.length > 0
        ? `, reached through ${invocation.via.join(" > ")}`
        : "";
      const words = [invocation.name ?? "(known only at run time)", ...invocation.args.map(shown)];
      const heading = terminal.paint("bold", `command ${index + 1}`);
      lines.push(`${heading}: ${still(words.join(" ") + via)}`);
      lines.push(...placeLines(invocation));
      const hit = decision.findings.some((finding) =>
        finding.evidence.some((text) => text.includes(invocation.source.slice(0, 60)))
      );
      lines.push(...underline(command, invocation.span, hit ? "^" : "~"));
    }
    for (const doubt of reading.doubts) {
      lines.push(`${terminal.paint("yellow", doubt.kind)}: ${still(doubt.what)}`);
      lines.push(...underline(command, doubt.span, "^"));
    }
  }
  for (const file of touchedFiles(context, context.speller)) {
    const by = file.by === undefined ? "" : ` (by ${file.by})`;
    lines.push(`file: ${still(subjectOf(file) + by)}`);
  }
  lines.push("policies: " + context.policy.layers.map((layer) => layer.file).join(", "));
  return lines;
}

function shown(word: { value: string | undefined; text: string }): string {
  if (word.value === undefined) return `${word.text}?`;
  return /^[^\s'"\\]+$/.test(word.value) ? word.value : JSON.stringify(word.value);
}

/** The text with whatever could move the cursor or turn it round replaced, one for one. */
function still(text: string): string {
  return text.replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, "\ufffd");
}

function placeLines(invocation: Invocation): string[] {
  const { place } = invocation;
  if (place.kind === "elsewhere") return [`  runs elsewhere (${place.by})`];
  return place.cwd === undefined ? ["  runs in a directory known only at run time"] : [];
}

/** The line of `text` that holds the span, with `mark` under it. */
function underline(text: string, span: Span, mark: string): string[] {
  const start = text.lastIndexOf("\n", Math.max(0, span.start - 1)) + 1;
  const next = text.indexOf("\n", span.start);
  const end = next < 0 ? text.length : next;
  const from = Math.max(start, Math.min(span.start - 20, end - WIDTH));
  const line = still(text.slice(from, Math.min(end, from + WIDTH)).replace(/\t/g, " "));
  const width = Math.max(1, Math.min(span.end, from + WIDTH, end) - span.start);
  return [`  ${line}`, `  ${" ".repeat(Math.max(0, span.start - from))}${mark.repeat(width)}`];
}
