/** Whether an event comes before a tool runs, judged by its name alone. */

const AFTER = ["after", "post", "start", "stop", "end", "prompt", "notif", "idle", "compact"];

/**
 * True unless the event's name says that it does not come before a tool: an unknown event fails
 * closed. Names that hold `pre` or `before` always do.
 */
export function isBeforeTool(event: string): boolean {
  const name = event.toLowerCase();
  if (name.includes("pre") || name.includes("before")) return true;
  return !AFTER.some((word) => name.includes(word));
}
