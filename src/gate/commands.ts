/** The deny and confirm stages for commands: pattern rules and program rules of every layer. */
import type { HookCall } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import { search, searchNow } from "../policy/pattern.ts";
import type { CommandRule, PatternRule, PolicyLayer, ProgramRule } from "../policy/policy.ts";
import type { Invocation, Word } from "../shell/reading.ts";
import {
  basename,
  dirname,
  expandHome,
  isAbsolute,
  normalize,
  relativeTo,
  resolve,
} from "../system/paths.ts";
import { type Arguments, argumentsOf } from "./arguments.ts";
import type { GateContext, ReadCommand } from "./context.ts";
import { matched, outcomeOf, sourceOf, timedOut } from "./findings.ts";
import { fits, speaksOf, type Spell } from "./program_rule.ts";
import { strictestLeniency } from "./leniency.ts";
import { placeClass } from "./place_class.ts";
import { realPathOf, relativeForm } from "./spellings.ts";

/** What `bash_deny` has to say. */
export function denyStage(_call: HookCall, context: GateContext): Promise<Finding[]> {
  return judge(context, "deny", (layer) => layer.bashDeny);
}

/** What `bash_confirm` has to say. */
export function confirmStage(_call: HookCall, context: GateContext): Promise<Finding[]> {
  return judge(context, "confirm", (layer) => layer.bashConfirm);
}

/** An invocation with its words sorted out, so that a thousand rules do so once. */
interface Prepared {
  readonly invocation: Invocation;
  readonly args: Arguments;
  readonly spell: Spell;
}

async function judge(
  context: GateContext,
  list: "deny" | "confirm",
  rulesOf: (layer: PolicyLayer) => readonly CommandRule[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const command of context.commands) {
    const prepared = command.reading.invocations.map((invocation): Prepared => ({
      invocation,
      args: argumentsOf(invocation),
      spell: spellerOf(invocation, context),
    }));
    const texts = [command.command, ...command.reading.invocations.flatMap(spellingsOf)];
    for (const layer of context.policy.layers) {
      for (const rule of rulesOf(layer)) {
        const found = rule.kind === "pattern"
          ? await judgePattern(rule, list, command, texts)
          : await judgeProgram(rule, list, prepared, context);
        if (found !== undefined) findings.push(found);
      }
    }
  }
  return findings;
}

/**
 * A pattern is searched in the text as written and in each command as the shell would run it, by
 * its path and by its name.
 */
async function judgePattern(
  rule: PatternRule,
  list: "deny" | "confirm",
  command: ReadCommand,
  texts: readonly string[],
): Promise<Finding | undefined> {
  for (const text of texts) {
    const result = searchNow(rule.pattern, text) ?? await search(rule.pattern, text);
    const subject = `run ${command.command.trim()}`;
    if (result.kind === "timeout") return timedOut(rule.origin, subject);
    if (result.kind === "none") continue;
    return {
      outcome: outcomeOf(list, rule.when),
      subject,
      reason: rule.reason,
      evidence: [matched(text.slice(result.start, result.end) || text)],
      source: sourceOf(rule.origin),
    };
  }
  return undefined;
}

async function judgeProgram(
  rule: ProgramRule,
  list: "deny" | "confirm",
  prepared: readonly Prepared[],
  context: GateContext,
): Promise<Finding | undefined> {
  let weaker: Finding | undefined;
  for (const { invocation, args, spell } of prepared) {
    if (!speaksOf(rule.programs, args.program)) continue;
    const fit = await fits(rule, invocation, args, spell);
    if (fit === "no") continue;
    const subject = `run ${spelledOut(invocation)}`;
    const found: Finding = {
      outcome: outcomeOf(list, rule.when),
      subject,
      reason: rule.reason,
      evidence: [matched(invocation.source), ...reachedBy(invocation)],
      source: sourceOf(rule.origin),
    };
    if (fit === "yes") return found;
    const less = fit === "timeout"
      ? timedOut(rule.origin, subject)
      : uncertain(found, rule, context);
    if (less !== undefined && (weaker === undefined || weaker.outcome === "observe")) weaker = less;
  }
  return weaker;
}

/** The finding where a word known only at run time could make the rule hold. */
function uncertain(found: Finding, rule: ProgramRule, context: GateContext): Finding | undefined {
  const outcome = strictestLeniency(context.policy, "indirectCommands");
  if (outcome === "allow") return undefined;
  return {
    ...found,
    outcome: rule.when === "observe" ? "observe" : outcome,
    reason: `a word known only at run time could make this: ${rule.reason}`,
  };
}

/** `reached through sudo, bash -c`, or nothing for a command that stands there plainly. */
function reachedBy(invocation: Invocation): string[] {
  return invocation.via.length === 0 ? [] : [`reached through ${invocation.via.join(", ")}`];
}

/** The command as the shell would run it: words evaluated, joined by single spaces. */
function spelledOut(invocation: Invocation): string {
  return spelledAs(invocation.program.value ?? invocation.program.text, invocation);
}

function spelledAs(program: string, invocation: Invocation): string {
  return [program, ...invocation.args.map((word) => word.text)].join(" ");
}

/** `/usr/bin/git push` is also `git push`, so that `^git push` holds for both. */
function spellingsOf(invocation: Invocation): string[] {
  const whole = spelledOut(invocation);
  const { name, program } = invocation;
  const written = program.value ?? program.text;
  return name === undefined || name === written ? [whole] : [whole, spelledAs(name, invocation)];
}

/**
 * The texts of an operand for `args`: its own; where it may be a path its canonical form (relative
 * to the repository's top inside it, `~/…` under the home, absolute elsewhere); and the class of
 * place it names. An absolute path has the canonical form alone, so that one rule means one place.
 */
function spellerOf(invocation: Invocation, context: GateContext): Spell {
  const { place } = invocation;
  const { home, repo, system: { files } } = context;
  const known = new Map<Word, readonly string[]>();
  const spell = (word: Word): readonly string[] => {
    if (word.value === undefined) return [word.text, "<unknown>"];
    const path = expandHome(word.value, home);
    if (place.kind === "elsewhere") {
      if (!isAbsolute(path)) return [word.text];
      return [word.text, placeClass(normalize(path), { files: NOWHERE, home, repo: undefined })];
    }
    if (!isAbsolute(path) && place.cwd === undefined) return [word.text, "<unknown>"];
    const absolute = resolve(place.cwd ?? "/", path);
    // Deleting a link deletes the link, so only the folders on the way to it are resolved.
    const real = resolve(realPathOf(context.system, dirname(absolute)), basename(absolute));
    const forms = isAbsolute(path) ? [] : [word.text];
    for (const form of real === absolute ? [absolute] : [absolute, real]) {
      forms.push(canonical(form, context), placeClass(form, { files, home, repo }));
    }
    return forms;
  };
  return (word) => {
    const texts = known.get(word) ?? spell(word);
    known.set(word, texts);
    return texts;
  };
}

/** The file system of another machine: nothing is known of it. */
const NOWHERE = { lookAt: () => undefined };

/** The one form under which a rule names a path. */
function canonical(absolute: string, context: GateContext): string {
  const inRepo = context.repo === undefined ? undefined : relativeTo(context.repo, absolute);
  if (inRepo !== undefined) return relativeForm(inRepo);
  const inHome = relativeTo(context.home, absolute);
  return inHome === undefined ? absolute : inHome === "." ? "~" : `~/${inHome}`;
}
