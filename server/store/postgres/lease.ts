import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { type Answer, type Connection, insist, type Query } from "./connection.ts";
import { STATEMENTS } from "./statements.ts";

/** Milliseconds after which a node that says nothing is taken to have ended. */
export const LEASE_MS = 15_000;
/** Milliseconds between a node's signs of life. */
export const RENEW_MS = 3_000;
/** Milliseconds between looks at a lease that may have been left behind. */
const LOOK_MS = 250;

export interface Holder {
  /** Identifier of this opening of the store. */
  readonly holder: string;
  /** Identifier of the data folder: an earlier opening from it has ended, for a folder has one process. */
  readonly node: string;
  /** Words by which people know the node. */
  readonly label: string;
}

/**
 * Takes the database for this node alone. Of another node's lease it waits for the end, or for a sign of life: then it
 * rejects with UNAVAILABLE and names the node.
 */
export async function takeLease(connection: Connection, own: Holder, limitMs: number): Promise<void> {
  let seen: number | undefined;
  for (const begun = performance.now(); ; await sleep(LOOK_MS)) {
    const isLate = () => performance.now() - begun > limitMs;
    const found = await insist(() => connection.use((query) => tryLease(query, own)), isLate);
    if (found === undefined) return;
    if (seen !== undefined && found.until > seen) throw inUse(found.label);
    seen ??= found.until;
  }
}

/** The error of a node whose lease is another's now, or nobody's. */
export function toTakenOver(label: string | undefined): CairnError {
  const who = label === undefined ? "is no longer noted in its database" : `was taken over by ${label}`;
  return new CairnError("UNAVAILABLE", `The store ${who}: this service must not go on with it. Restart the service.`);
}

/** Reads who holds the lease. */
export function readHolder({ rows: [row] }: Answer): { readonly holder: string; readonly label: string } | undefined {
  return row && { holder: String(row["holder"]), label: String(row["label"]) };
}

/** Returns the lease of another node that is in the way. */
async function tryLease(
  query: Query,
  { holder, node, label }: Holder,
): Promise<{ readonly until: number; readonly label: string } | undefined> {
  try {
    const [, , lease, clock] = await Promise.all([
      query(STATEMENTS.begin),
      query(STATEMENTS.insertLease, [holder, node, label, 0]),
      query(STATEMENTS.lockLease),
      query(STATEMENTS.readClock),
    ]);
    const [{ now: time } = {}] = clock.rows;
    const [row] = lease.rows;
    const [now, until] = [Number(time), Number(row?.["until"] ?? 0)];
    if (row !== undefined && row["node"] !== node && until > now) {
      await query(STATEMENTS.rollback);
      return { until, label: String(row["label"]) };
    }
    await query(STATEMENTS.updateLease, [holder, node, label, now + LEASE_MS]);
    const { command } = await query(STATEMENTS.commit);
    if (command === "COMMIT") return undefined;
    throw new CairnError("UNAVAILABLE", "The lease of the store could not be written.");
  } catch (error) {
    await query(STATEMENTS.rollback).catch(() => undefined);
    throw error;
  }
}

function inUse(label: string): CairnError {
  return new CairnError(
    "UNAVAILABLE",
    `The database of the store is in use by ${label}: one node at a time can use it. Stop that one, or use another database.`,
  );
}
