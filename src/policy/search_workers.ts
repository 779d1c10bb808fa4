/**
 * Searches that could take long, done in workers that are stopped when their time is up.
 *
 * A worker is made from a `data:` URL, which needs no permission and no file. It keeps the process
 * alive: the hook exits by itself, other callers use `stopSearching`. One that was stopped in the
 * middle of a search may go on burning a core until the process exits, which then needs
 * `Deno.exit`: measured with V8 in Deno 2.9.6.
 */

/** How a search ended; `start` and `end` are UTF-16 units of the text. */
export type SearchResult =
  | { readonly kind: "match"; readonly start: number; readonly end: number }
  | { readonly kind: "none" }
  /** No answer in time, or none at all: nothing is known. */
  | { readonly kind: "timeout" };

/** One search to do: `regexp` has no flags. */
export interface Search {
  readonly regexp: RegExp;
  readonly text: string;
}

/** Milliseconds for one search, and for a worker to start. */
const SEARCH_MS = 250;
const START_MS = 1000;

/** Milliseconds after which no further search of one batch is begun. */
const BATCH_MS = 750;

/** Workers side by side. */
const LANES = 4;

/** Timeouts after which a pattern is given up for the rest of the process. */
const PATIENCE = 4;

/** Workers given up in one process after which every search is a timeout. */
const GIVEN_UP_LIMIT = 8;

const PROGRAM = `onmessage = ({ data: [source, text] }) => {
  try {
    const match = new RegExp(source).exec(text);
    postMessage(match === null ? [] : [match.index, match.index + match[0].length]);
  } catch {
    postMessage(undefined);
  }
};
postMessage("ready");`;

/** A worker that does one search at a time. */
class SearchWorker {
  readonly #worker: Worker;
  readonly #started: Promise<unknown>;

  constructor() {
    this.#worker = new Worker(`data:text/javascript,${encodeURIComponent(PROGRAM)}`, {
      type: "module",
    });
    this.#started = this.#answer(START_MS);
  }

  /** Undefined where there was no answer in time; the worker is of no use then. */
  async search({ regexp, text }: Search): Promise<SearchResult | undefined> {
    if (await this.#started === undefined) return undefined;
    const answer = this.#answer(SEARCH_MS);
    this.#worker.postMessage([regexp.source, text]);
    const found = await answer;
    if (!Array.isArray(found)) return undefined;
    const [start, end] = found;
    return typeof start === "number" && typeof end === "number"
      ? { kind: "match", start, end }
      : { kind: "none" };
  }

  stop(): void {
    this.#worker.terminate();
  }

  /** The worker's next message, or undefined after `ms` or an error. */
  #answer(ms: number): Promise<unknown> {
    return new Promise((resolve) => {
      const settle = (value: unknown) => {
        clearTimeout(timer);
        resolve(value);
      };
      const timer = setTimeout(() => settle(undefined), ms);
      this.#worker.onmessage = (event: MessageEvent) => settle(event.data);
      this.#worker.onerror = (event: ErrorEvent) => {
        event.preventDefault();
        settle(undefined);
      };
    });
  }
}

const idle: SearchWorker[] = [];
const timeouts = new Map<string, number>();
let givenUp = 0;

/** Does every search, several side by side; one result each, in order. */
export async function searchInWorkers(searches: readonly Search[]): Promise<SearchResult[]> {
  const results: SearchResult[] = searches.map(() => ({ kind: "timeout" }));
  const last = performance.now() + BATCH_MS;
  let next = 0;
  const lane = async () => {
    while (next < searches.length && performance.now() < last) {
      const index = next++;
      const one = searches[index];
      if (one !== undefined) results[index] = await searchOnce(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, searches.length) }, lane));
  return results;
}

async function searchOnce(one: Search): Promise<SearchResult> {
  const { source } = one.regexp;
  const given = timeouts.get(source) ?? 0;
  if (given >= PATIENCE || givenUp >= GIVEN_UP_LIMIT) return { kind: "timeout" };
  const worker = idle.pop() ?? new SearchWorker();
  const result = await worker.search(one);
  if (result !== undefined) {
    idle.push(worker);
    return result;
  }
  worker.stop();
  givenUp++;
  timeouts.set(source, given + 1);
  return { kind: "timeout" };
}

/** Stops the workers that wait for work, so that the process can end. */
export function stopSearching(): void {
  for (const worker of idle.splice(0)) worker.stop();
  timeouts.clear();
}
