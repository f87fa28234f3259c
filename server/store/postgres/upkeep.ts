import { STATEMENTS } from "./statements.ts";
import type { Lane } from "./lane.ts";
import { HINTS_KEPT_MS } from "./hints.ts";
import { type Lease, RENEW_MS, toTakenOver } from "./lease.ts";
import type { Standing } from "./standing.ts";

/** Milliseconds between looks for what is to be thrown away. */
const PURGE_MS = 10_000;
/** Rows of one kind that are thrown away at a time: writes wait meanwhile. */
const PURGED_ROWS = 1_000;
/** Milliseconds for which transactions are remembered: longer than any can be in doubt. */
const TURNS_KEPT_MS = 60 * 60 * 1_000;
/** Stands for a transaction where there has been none. */
const NO_TURN = "00000000-0000-0000-0000-000000000000";

export interface UpkeepOptions {
  readonly lane: Lane;
  readonly standing: Standing;
  readonly lease: Lease;
  readonly isShared: boolean;
  readonly now: () => number;
}

/** Starts what goes on beside calls: signs of life of this node, and the end of what its time is over. */
export function startUpkeep({ lane, standing, lease, isShared, now }: UpkeepOptions) {
  let purgedAt = performance.now();
  let running: Promise<void> = Promise.resolve();

  async function renew(): Promise<void> {
    if (!(await lane.between((query) => lease.renew(query)))) standing.refuse(toTakenOver(undefined));
    const last = standing.lastTurn();
    if (last !== undefined) standing.assertKept(await lane.between((query) => query(STATEMENTS.findTurn, [last])));
  }

  async function purge(): Promise<void> {
    for (const statement of [STATEMENTS.purgeEntries, STATEMENTS.purgeIds]) {
      for (let more = true; more;) {
        const { rowCount } = await lane.between((query) => query(statement, [now(), PURGED_ROWS]));
        more = rowCount === PURGED_ROWS;
      }
    }
    const last = standing.lastTurn() ?? NO_TURN;
    // By the server's clock, which wrote the times. Never the last: it tells whether the database has lost anything.
    await lane.between((query) => query(STATEMENTS.purgeTurns, [TURNS_KEPT_MS, last]));
    if (isShared) await lane.between((query) => query(STATEMENTS.purgeHints, [HINTS_KEPT_MS]));
  }

  async function tend(): Promise<void> {
    await renew();
    if (performance.now() - purgedAt < PURGE_MS) return;
    purgedAt = performance.now();
    await purge();
  }

  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    // A server that is away is the calls' to report; the next round finds it back.
    running = tend()
      .catch(() => undefined)
      .finally(() => (isBusy = false));
  }, RENEW_MS);
  timer.unref();
  return {
    stop: () => clearInterval(timer),
    ended: () => running,
  };
}
