/** A place in a pattern that is being read, and the failure that names it. */
import { Failure } from "../domain/failure.ts";

/** What remains to be read of `source`; `at` counts UTF-16 units. */
export class RegexCursor {
  readonly source: string;
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get ended(): boolean {
    return this.at >= this.source.length;
  }

  /** The unit `ahead` places further on; empty past the end. */
  peek(ahead = 0): string {
    return this.source[this.at + ahead] ?? "";
  }

  /** Reads one unit. */
  take(): string {
    const unit = this.peek();
    if (unit !== "") this.at++;
    return unit;
  }

  /** Reads `text` where it stands next; otherwise stays. */
  accept(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Reads as many units as `allowed` takes, up to `limit`. */
  takeWhile(allowed: RegExp, limit: number): string {
    const start = this.at;
    while (this.at - start < limit && allowed.test(this.peek())) this.at++;
    return this.source.slice(start, this.at);
  }

  /** The failure for what is wrong at `at` (by default here), counted from character 1. */
  fail(what: string, remedy: string, at = this.at): Failure {
    const shown = this.source.length > 200 ? `${this.source.slice(0, 200)}…` : this.source;
    return new Failure(
      `Cannot use pattern ${JSON.stringify(shown)}: ${what} at character ${at + 1}`,
      remedy,
    );
  }
}
