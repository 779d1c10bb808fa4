/** What the command line says to a slip of the keyboard: what was meant, and where it is explained. */
import {
  AliasNotFoundError,
  type ApplicationText,
  FlagNotFoundError,
  text_en,
} from "@stricli/core";
import { shellWord } from "../domain/words.ts";
import { describeFailure } from "./adapt.ts";
import { routes } from "./routes.ts";

/** How far a word may be from a command or flag to be taken for it: two letters, or one wrong one. */
export const NEAR_MISS = {
  threshold: 2,
  weights: { insertion: 1, deletion: 1, substitution: 2, transposition: 1 },
} as const;

/** Flags of `check` that take no value, so that a command may begin right behind them. */
const CHECK_TOGGLES: readonly string[] = ["--explain", "--json", "--read"];

/** The texts for one run of the command line with these arguments. */
export function wording(args: readonly string[]): ApplicationText {
  return {
    ...text_en,
    noCommandRegisteredForInput: ({ input, corrections }) => {
      const what = input.startsWith("-") ? "flag" : "command";
      const map = ["gitvow", ...mapOf(args)].join(" ");
      const near = corrections.length > 0 ? `; did you mean ${corrections.join(" or ")}?` : "";
      return `gitvow: there is no ${what} "${input}"${near}\n  \`${map} --help\` lists the ${what}s.`;
    },
    exceptionWhileParsingArguments: (error) => {
      const message = error instanceof AliasNotFoundError
        ? `No flag registered for -${error.input}`
        : error instanceof Error
        ? error.message
        : String(error);
      const meant = isUnknownFlag(error) ? commandMeant(args) : undefined;
      const hint = meant === undefined
        ? "Add --help to see how it is used."
        : `Put the command after \`--\`: \`${meant}\``;
      return `gitvow: ${message}\n  ${hint}`;
    },
    exceptionWhileRunningCommand: (error) => describeFailure(error),
    exceptionWhileLoadingCommandFunction: (error) => describeFailure(error),
  };
}

/** The names of the maps of commands that the arguments lead into: `policy`. */
function mapOf(args: readonly string[]): string[] {
  const names: string[] = [];
  let map = routes;
  for (const word of args) {
    const target = map.getRoutingTargetForInput(word);
    if (target === undefined || !("getRoutingTargetForInput" in target)) break;
    names.push(word);
    map = target;
  }
  return names;
}

function isUnknownFlag(error: unknown): boolean {
  return error instanceof AliasNotFoundError ||
    error instanceof FlagNotFoundError && error.corrections.length === 0;
}

/** `gitvow check git push --force` as it was meant, undefined where nothing of the kind was written. */
function commandMeant([name, ...rest]: readonly string[]): string | undefined {
  const start = rest.findIndex((word) => !CHECK_TOGGLES.includes(word));
  const first = rest[start];
  if (name !== "check" || first === undefined || first.startsWith("-")) return undefined;
  const words = [...rest.slice(0, start), "--", ...rest.slice(start).map(shellWord)];
  return `gitvow check ${words.join(" ")}`;
}
