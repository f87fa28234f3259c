import { randomUUID } from "node:crypto";
import { STATEMENTS } from "./statements.ts";
import type { Lane } from "./lane.ts";
import { HINTS_KEPT_MS } from "./hints.ts";
import { type Lease, LEASE_MS, RENEW_MS, toTakenOver } from "./lease.ts";
import type { Standing } from "./standing.ts";
import { TURNS_KEPT_MS } from "./turns.ts";

/** Milliseconds between looks for what is to be thrown away. */
const PURGE_MS = 10_000;
/** Rows of one kind that are thrown away at a time: writes wait meanwhile. */
const PURGED_ROWS = 1_000;
/** Milliseconds after an outage of the database until other nodes have given a sign of life again, or are struck off. */
const SETTLE_MS = 2 * LEASE_MS;
/** Stands for a transaction where there has been none. */
const NO_TURN = "00000000-0000-0000-0000-000000000000";

export interface UpkeepOptions {
  readonly lane: Pick<Lane, "between">;
  readonly standing: Standing;
  readonly lease: Pick<Lease, "renew">;
  readonly isShared: boolean;
  /** Returns what the server has warned of since it was last asked. */
  readonly takeWarning: () => string | undefined;
  readonly now: () => number;
}

/** Starts what goes on beside calls: signs of life of this node, and the end of what its time is over. */
export function startUpkeep({ lane, standing, lease, isShared, takeWarning, now }: UpkeepOptions) {
  let purgeAt = performance.now() + PURGE_MS;
  let running: Promise<void> = Promise.resolve();

  async function renew(): Promise<void> {
    if (!(await lane.between((query) => lease.renew(query)))) throw standing.refuse(toTakenOver(undefined));
    const turns = standing.knownTurns();
    if (turns.length > 0) {
      const { rows } = await lane.between((query) => query(STATEMENTS.findTurns, [turns]));
      standing.assertKept(rows.length, turns);
    }
    if (isShared) await sign();
  }

  /** Writes a transaction of its own, by which a node that has nothing to write notices all the same that the database lost writes. */
  function sign(): Promise<void> {
    const turn = randomUUID();
    return lane.between(async (query) => {
      takeWarning();
      await query(STATEMENTS.insertTurn, [turn]);
      if (takeWarning() === undefined) standing.acknowledge(turn);
    });
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
    if (performance.now() < purgeAt) return;
    purgeAt = performance.now() + PURGE_MS;
    await purge();
  }

  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    // A server that is away is the calls' to report; the next round finds it back.
    running = tend()
      .catch(() => {
        // What the others last wrote may be older than what is kept, and they ask for it.
        purgeAt = performance.now() + SETTLE_MS;
      })
      .finally(() => (isBusy = false));
  }, RENEW_MS);
  timer.unref();
  return {
    stop: () => clearInterval(timer),
    ended: () => running,
  };
}
