import { endOfPrefix } from "../key-codec.ts";
import type { Query } from "./connection.ts";
import { readBytes } from "./rows.ts";
import { STATEMENTS } from "./statements.ts";

/** Entries of one queue that are looked at for all claims of a group. */
const MAX_FOUND = 2_000;

/**
 * Finds what claims may take, without any lock: leases that ran out first, then free entries in key order. What is found may
 * be taken meanwhile.
 */
export async function findClaimable(
  query: Query,
  claims: readonly { readonly queue: Buffer; readonly limit: number }[],
  now: number,
): Promise<(queue: Buffer) => readonly Buffer[]> {
  const limits = new Map<string, number>();
  for (const { queue, limit } of claims) {
    const name = queue.toString("latin1");
    limits.set(name, Math.min((limits.get(name) ?? 0) + limit, MAX_FOUND));
  }
  const found = new Map(
    await Promise.all(
      [...limits].map(
        async ([name, limit]) => [name, await find(query, Buffer.from(name, "latin1"), limit, now)] as const,
      ),
    ),
  );
  return (queue) => found.get(queue.toString("latin1")) ?? [];
}

async function find(query: Query, queue: Buffer, limit: number, now: number): Promise<readonly Buffer[]> {
  const [ranOut, free] = await Promise.all([
    query(STATEMENTS.findRanOut, [queue, now, limit]),
    query(STATEMENTS.findFree, [queue, endOfPrefix(queue), now, limit]),
  ]);
  return [...ranOut.rows, ...free.rows].slice(0, limit).map(({ key }) => readBytes(key));
}
