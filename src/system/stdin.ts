/**
 * Reads the one JSON object that an agent writes to a hook's standard input.
 *
 * Some clients leave the pipe open after writing, so the answer does not wait for its end: it comes
 * as soon as one whole value is there. Bytes are UTF-8 whatever the locale; leading byte order
 * marks, of which some clients write two, are dropped.
 */
import { Failure } from "../domain/failure.ts";
import { ObjectScanner } from "./scan.ts";
import { after } from "./timer.ts";

/** Bytes a payload may have. */
export const STDIN_LIMIT = 32 * 1024 * 1024;

/** How long to wait for a whole value, in milliseconds. */
export const STDIN_WAIT_MS = 5_000;

const REMEDY = "run gitvow as a hook of the agent, which writes the payload to standard input";

/** Fills some of a buffer and tells how much, or null at the end of input. */
type Read = (buffer: Uint8Array) => Promise<number | null>;

/** The text of the first JSON object on `read`. Throws a `Failure` where there is none. */
export async function readObjectText(
  read: Read,
  waitMs = STDIN_WAIT_MS,
  limit = STDIN_LIMIT,
): Promise<string> {
  const scanner = new ObjectScanner();
  const expired = after(waitMs).then(() => "expired" as const);
  let buffer = new Uint8Array(64 * 1024);
  let total = 0;
  while (scanner.state !== "whole") {
    if (total === buffer.length) buffer = grown(buffer);
    const count = await Promise.race([read(buffer.subarray(total)), expired]);
    if (count === "expired") {
      throw new Failure(`No whole JSON value arrived on standard input in ${waitMs} ms`, REMEDY);
    }
    if (count === null) break;
    const state = scanner.take(buffer.subarray(total, total + count));
    total += count;
    if (total > limit) {
      throw new Failure(`Standard input is larger than ${limit} bytes`, "make the call smaller");
    }
    if (state === "not an object") {
      throw new Failure("Standard input is not a JSON object", REMEDY);
    }
    if (state === "trailing") {
      throw new Failure("Standard input holds more than one JSON object", REMEDY);
    }
  }
  if (scanner.state === "blank") throw new Failure("Standard input is empty", REMEDY);
  return decode(buffer.subarray(0, total));
}

/** The same bytes with room for as many again. */
function grown(buffer: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(buffer.length * 2);
  larger.set(buffer);
  return larger;
}

function decode(all: Uint8Array): string {
  let bytes = all;
  while (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure("Standard input is not UTF-8 text", REMEDY);
  }
}
