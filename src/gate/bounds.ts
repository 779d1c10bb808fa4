/** How much of a command is judged: rules look at every word, so their number is bounded. */
import type { Reading } from "../shell/reading.ts";

/** Words of one invocation that are judged. */
export const WORD_LIMIT = 1024;

/** The reading with longer invocations cut, and a doubt for each, which is a confirm. */
export function withinBounds(reading: Reading): Reading {
  const long = reading.invocations.filter(({ args }) => args.length > WORD_LIMIT);
  if (long.length === 0) return reading;
  return {
    ...reading,
    invocations: reading.invocations.map((invocation) => ({
      ...invocation,
      args: invocation.args.slice(0, WORD_LIMIT),
    })),
    doubts: [
      ...reading.doubts,
      ...long.slice(0, 1).map(({ args, span, program }) => ({
        kind: "bound" as const,
        what: `${program.text.slice(0, 60)} is given ${args.length} words, and only ` +
          `${WORD_LIMIT} of them are judged`,
        span,
      })),
    ],
  };
}
