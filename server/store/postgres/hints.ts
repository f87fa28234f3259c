import type { Key } from "../store.ts";
import type { Watchers } from "../watchers.ts";
import type { Read } from "./scan.ts";
import { STATEMENTS } from "./statements.ts";

/** Milliseconds between looks at what other nodes have changed, while somebody waits for it. */
const LOOK_MS = 250;
/** Milliseconds for which hints are kept. */
export const HINTS_KEPT_MS = 60_000;
/** Milliseconds that a transaction may take between its hint and its commit. What takes longer is found by who asks again. */
const OVERLAP_MS = 5_000;
const PAGE_ROWS = 500;
/** Bytes of one hint; keys of larger ones are shortened to their first elements, which more watchers hear. */
const HINT_BYTES = 16 * 1024;
const SHORT = 2;

/** Keys that a transaction has changed, as other nodes read them: whole ones, or the beginnings of what it has changed. */
export function toHint(keys: readonly Key[]): string | undefined {
  if (keys.length === 0) return undefined;
  const whole = JSON.stringify({ keys });
  if (whole.length <= HINT_BYTES) return whole;
  const short = new Map(keys.map((key) => key.slice(0, SHORT)).map((key) => [JSON.stringify(key), key]));
  const text = JSON.stringify({ under: [...short.values()] });
  return text.length <= HINT_BYTES ? text : JSON.stringify({ under: [[]] });
}

export interface HintOptions {
  readonly read: Read;
  readonly watchers: Watchers;
  /** Hears of each transaction of another node, by its turn. */
  readonly onRead: (turn: string) => void;
  /** Milliseconds since 1970, by the server's clock. */
  readonly now: () => number;
}

/** Follows what other nodes change, and passes it on to who watches here. */
export function followHints({ read, watchers, onRead, now }: HintOptions) {
  let since = now();
  /** Hints that were passed on, with their times. */
  const seen = new Map<string, number>();
  let isBusy = false;

  async function look(): Promise<void> {
    for (let after = since - OVERLAP_MS, more = true; more;) {
      const { rows } = await read((query) => query(STATEMENTS.listHints, [after, PAGE_ROWS]));
      for (const row of rows) {
        const [id, at] = [String(row["id"]), Number(row["at"])];
        after = at;
        since = Math.max(since, at);
        if (seen.has(id)) continue;
        seen.set(id, at);
        onRead(id);
        const { keys = [], under = [] } = JSON.parse(String(row["keys"])) as { keys?: Key[]; under?: Key[] };
        watchers.hint(keys);
        watchers.hintUnder(under);
      }
      more = rows.length === PAGE_ROWS;
    }
    for (const [id, at] of seen) if (at < since - 2 * OVERLAP_MS) seen.delete(id);
  }

  const timer = setInterval(() => {
    if (isBusy || !watchers.isWatched()) return;
    isBusy = true;
    // A server that is away is the calls' to report.
    void look()
      .catch(() => undefined)
      .finally(() => (isBusy = false));
  }, LOOK_MS);
  timer.unref();
  return {
    /** Marks a transaction of this process, which its watchers have heard of already. */
    own: (id: string) => void seen.set(id, now()),
    stop: () => clearInterval(timer),
  };
}
