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
/** Stands in place of a node where several share the database. */
export const SEVERAL = "*";

export interface Holder {
  /** Identifier of this opening of the store. */
  readonly holder: string;
  /** Identifier of the data folder: an earlier opening from it has ended, for a folder has one process. */
  readonly node: string;
  /** Words by which people know the node. */
  readonly label: string;
}

/** The right of one opening to use the database. */
export interface Lease {
  /** Takes it, or waits for the end of others who are in the way; rejects with UNAVAILABLE when they show signs of life. */
  take(connection: Connection, limitMs: number): Promise<void>;
  /** Reads who holds it, and keeps that so until the end of the transaction. */
  lock(query: Query): Promise<Answer>;
  find(query: Query): Promise<Answer>;
  /** Gives a sign of life; false when it is another's, or nobody's. */
  renew(query: Query): Promise<boolean>;
  release(query: Query): Promise<unknown>;
}

/** Others who hold the database: until when, and the error of who comes while they do. */
export interface InTheWay {
  readonly until: number;
  readonly refusal: CairnError;
}

/**
 * Creates the lease of an opening that has the database for itself. `admit` looks at the tables in the transaction that takes the
 * lease: who waited for a copy must see what became of them.
 */
export function createSoleLease(own: Holder, admit: (query: Query) => Promise<unknown>): Lease {
  const { holder } = own;
  return Object.freeze<Lease>({
    take: (connection, limitMs) => takeLease(connection, limitMs, (query) => tryLease(query, own, admit)),
    lock: (query) => query(STATEMENTS.lockLease, []),
    find: (query) => query(STATEMENTS.findHolder),
    async renew(query) {
      const { rowCount } = await query(STATEMENTS.renewLease, [holder, LEASE_MS]);
      return rowCount > 0;
    },
    release: (query) => query(STATEMENTS.releaseLease, [holder]),
  });
}

/** Tries again and again; others in the way are waited for until their time is over or longer than before. @throws UNAVAILABLE */
export async function takeLease(
  connection: Connection,
  limitMs: number,
  tryOnce: (query: Query) => Promise<InTheWay | undefined>,
): Promise<void> {
  let seen: number | undefined;
  for (const begun = performance.now(); ; await sleep(LOOK_MS)) {
    const isLate = () => performance.now() - begun > limitMs;
    const found = await insist(() => connection.use((query) => inTransaction(query, tryOnce)), isLate);
    if (found === undefined) return;
    if (seen !== undefined && found.until > seen) throw found.refusal;
    seen ??= found.until;
  }
}

/** The error of a node whose lease is another's now, or nobody's. */
export function toTakenOver(label: string | undefined): CairnError {
  const who =
    label === undefined ? "no longer counts this service among those that use it" : `was taken over by ${label}`;
  return new CairnError(
    "UNAVAILABLE",
    `The store ${who}. This service answers nothing more until its operators restart it.`,
  );
}

/** Reads who holds a lease. */
export function readHolder({ rows: [row] }: Answer): { readonly holder: string; readonly label: string } | undefined {
  return row && { holder: String(row["holder"]), label: String(row["label"]) };
}

/** Commits what `run` has written, unless it found others in the way. */
export async function inTransaction(
  query: Query,
  run: (query: Query) => Promise<InTheWay | undefined>,
): Promise<InTheWay | undefined> {
  try {
    await query(STATEMENTS.begin);
    const found = await run(query);
    const { command } = await query(found === undefined ? STATEMENTS.commit : STATEMENTS.rollback);
    if (found !== undefined || command === "COMMIT") return found;
    // Not a CairnError: another try may well succeed.
    throw new Error("the lease could not be written");
  } catch (error) {
    await query(STATEMENTS.rollback).catch(() => undefined);
    throw error;
  }
}

async function tryLease(
  query: Query,
  { holder, node, label }: Holder,
  admit: (query: Query) => Promise<unknown>,
): Promise<InTheWay | undefined> {
  const { row, now } = await lockLease(query, { holder, node, label });
  const [held, until] = [row?.["node"], Number(row?.["until"] ?? 0)];
  if (held === SEVERAL) {
    const others = await listOthers(query, node, now);
    if (others !== undefined) return others;
    // Openings that were only cut off find themselves gone.
    await query(STATEMENTS.clearNodes);
  } else if (row !== undefined && held !== node && until > now) {
    const advice = "one node at a time can use it. Stop that one, or use another database";
    return { until, refusal: inUse(String(row["label"]), advice) };
  }
  await admit(query);
  await query(STATEMENTS.updateLease, [holder, node, label, now + LEASE_MS]);
  return undefined;
}

/** Locks the row that all who come must lock, and reads the server's clock. */
export async function lockLease(query: Query, { holder, node, label }: Holder) {
  const [, lease, clock] = await Promise.all([
    query(STATEMENTS.insertLease, [holder, node, label, 0]),
    query(STATEMENTS.lockLease),
    query(STATEMENTS.readClock),
  ]);
  return { row: lease.rows[0], now: Number(clock.rows[0]?.["now"]) };
}

async function listOthers(query: Query, node: string, now: number): Promise<InTheWay | undefined> {
  const { rows } = await query(STATEMENTS.listNodes);
  const others = rows.filter((row) => row["node"] !== node && Number(row["until"]) > now);
  if (others.length === 0) return undefined;
  const labels = others.map((row) => String(row["label"])).join(" and ");
  const advice = "these share it. Set CAIRN_NODE_ADDRESS to join them, or stop them";
  return { until: Math.max(...others.map((row) => Number(row["until"]))), refusal: inUse(labels, advice) };
}

export function inUse(label: string, advice: string): CairnError {
  return new CairnError("UNAVAILABLE", `The database of the store is in use by ${label}: ${advice}.`);
}
