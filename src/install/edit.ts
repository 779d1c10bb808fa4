/**
 * Text edits on an agent's settings, as the rest of gitvow uses them: put hook entries in, take
 * them out again, tell gitvow's own from the others.
 */

export { isGitvowCommand } from "./command.ts";
export { type Inserted, insertEntries } from "./insert.ts";
export { type Removal, removeEntries } from "./remove.ts";
export type { Insertion } from "./text_edit.ts";
