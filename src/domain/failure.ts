/** A known way for gitvow to fail: what was tried, what stood in the way, and what mends it. */
export class Failure extends Error {
  /** What the person can do about it, as a sentence without a full stop; empty where nothing helps. */
  readonly remedy: string;

  constructor(message: string, remedy = "", options?: ErrorOptions) {
    super(message, options);
    this.name = "Failure";
    this.remedy = remedy;
  }
}

/** The message of whatever was thrown, on one line. */
export function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replace(/\s+/g, " ").trim();
}

/** Proves to the compiler, and at run time, that a union has been handled whole. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value ${JSON.stringify(value)}`);
}
