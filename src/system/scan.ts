/** Finds where one JSON object ends in a stream of bytes, without parsing it. */

/** How far a scan has come. */
export type ScanState =
  /** Nothing but white space and byte order marks. */
  | "blank"
  /** Inside the object. */
  | "open"
  /** The object has ended, and only white space followed. */
  | "whole"
  /** Something follows the object. */
  | "trailing"
  /** The first character is not `{`. */
  | "not an object";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MARK = [0xef, 0xbb, 0xbf];

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Takes chunk after chunk; `state` says whether a whole object has been seen. */
export class ObjectScanner {
  state: ScanState = "blank";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #mark = 0;

  /** Takes the next bytes and tells how far the scan has come. */
  take(chunk: Uint8Array): ScanState {
    for (const byte of chunk) {
      if (this.state === "open") this.#inside(byte);
      else this.#outside(byte);
      if (this.state === "not an object" || this.state === "trailing") break;
    }
    return this.state;
  }

  #inside(byte: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
    } else if (byte === QUOTE) this.#inString = true;
    else if (byte === 0x7b || byte === 0x5b) this.#depth++;
    else if ((byte === 0x7d || byte === 0x5d) && --this.#depth === 0) this.state = "whole";
  }

  #outside(byte: number): void {
    if (isSpace(byte)) return;
    if (this.state === "whole") {
      this.state = "trailing";
    } else if (byte === MARK[this.#mark % MARK.length]) {
      this.#mark++;
    } else if (byte === 0x7b) {
      this.state = "open";
      this.#depth = 1;
    } else this.state = "not an object";
  }
}
