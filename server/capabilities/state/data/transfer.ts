import { canonicalJson } from "../../../json/canonical-json.ts";
import { CairnError } from "../../../errors.ts";
import { ATTEMPT_LIMIT, repeatStale } from "../../../kernel/transaction.ts";
import type { Commit, Entry, Json, Key, LogEntry, Store } from "../../../store/store.ts";
import type { LineageEntry } from "../../lineage/api.ts";
import { type ChangeNotes, type CommitNoted, withLedger } from "./ledger.ts";
import { toPages } from "./pages.ts";
import { type StatePlace, showPlace, toLogName, toStoreKey } from "./place.ts";
import type { DataEntry, DataSource } from "./source.ts";

/** Difference that a transfer makes in its target. */
export interface TransferPlan {
  readonly added: number;
  /** Keys that hold something else there, and get the source's value. */
  readonly replaced: number;
  /** Keys that hold the source's value already. */
  readonly same: number;
  /** Entries of the lineage that are not there yet. */
  readonly appended: number;
}

/** Numbers that are written. */
export type Written = Pick<TransferPlan, "added" | "replaced" | "appended">;

export interface Transfer {
  readonly store: Store;
  readonly source: DataSource;
  readonly target: StatePlace;
  /** The place that the source is, where it is one: values are read anew as they are written. */
  readonly from?: StatePlace;
  /** True to take each key away from `from` in the commit that writes it to the target. */
  readonly removes?: boolean;
  /** True to replace values of the target that are others. */
  readonly overwrite: boolean;
  readonly notes: ChangeNotes<Written>;
  readonly onKeys: (count: number) => void;
}

/** Keys that a refusal names. */
const SHOWN = 5;

/**
 * Compares the source with its target, and reads all of it, before anything is written.
 *
 * @throws CONFLICT for keys of the target that hold something else, unless they may be overwritten, and for another lineage.
 */
export async function planTransfer({
  store,
  source,
  target,
  overwrite,
}: Pick<Transfer, "store" | "source" | "target" | "overwrite">): Promise<TransferPlan> {
  const plan = { added: 0, replaced: 0, same: 0, appended: await planLineage(store, source, target) };
  const others: string[] = [];
  for await (const page of toPages(source.entries())) {
    const there = await store.getMany(page.map(({ key }) => toStoreKey(target, key)));
    for (const [index, { key, value }] of page.entries()) {
      const found = there[index];
      if (found === undefined) plan.added += 1;
      else if (isSame(found.value, value)) plan.same += 1;
      else {
        plan.replaced += 1;
        if (others.length < SHOWN) others.push(JSON.stringify(key));
      }
    }
  }
  if (plan.replaced > 0 && !overwrite) throw createTaken(target, plan.replaced, others);
  return plan;
}

/**
 * Writes the source into its target: the lineage first, then the entries in pages, each page in one commit. What is there
 * already is left alone, so that a transfer which was cut short goes on when it is done again.
 *
 * @throws CONFLICT where others wrote into the target meanwhile; what is written by then stays.
 */
export async function transfer(given: Transfer): Promise<void> {
  await withLedger(given.store, given.notes, { added: 0, replaced: 0, appended: 0 }, async (commit) => {
    await appendLineage(given, commit);
    await writeEntries(given, commit);
  });
}

async function writeEntries(given: Transfer, commit: CommitNoted<Written>): Promise<void> {
  let count = 0;
  for await (const page of toPages(given.source.entries())) {
    const { ok } = await repeatStale(
      async () => {
        const { writes, ...numbers } = await toWrites(given, page);
        return writes === undefined ? { ok: true } : commit(writes, numbers);
      },
      (done) => !done.ok,
    );
    if (!ok) {
      const message = `Others went on writing to \`${showPlace(given.target)}\` for ${ATTEMPT_LIMIT} attempts; do it again to go on.`;
      throw new CairnError("CONFLICT", message);
    }
    given.onKeys((count += page.length));
  }
}

async function planLineage(store: Store, source: DataSource, target: StatePlace): Promise<number> {
  const there = store.readLog(toLogName(target), { from: 0 })[Symbol.asyncIterator]();
  let isOver = false;
  let appended = 0;
  for await (const { seq, checksum } of source.lineage()) {
    const next: IteratorResult<LogEntry> | undefined = isOver ? undefined : await there.next();
    isOver ||= next?.done === true;
    if (next === undefined || next.done === true) appended += 1;
    else if (next.value.hash !== checksum) throw createOtherLineage(target, seq);
  }
  if (!isOver) await there.return?.();
  return appended;
}

/** Appends what the target lacks. Equal entries behind equal predecessors have equal hashes; each is compared as it is appended. */
async function appendLineage({ store, source, target }: Transfer, commit: CommitNoted<Written>): Promise<void> {
  const log = toLogName(target);
  const present = ((await store.head(log))?.seq ?? -1) + 1;
  for await (const page of toPages(newer(source.lineage(), present))) {
    const append = page.map(({ at, entry }) => ({ log, entry: { at, entry, schemaVersion: 1 } }));
    const done = await commit({ append }, { appended: append.length });
    const other = page.findIndex(({ checksum }, index) => done.ok && done.logs[index]?.hash !== checksum);
    if (other >= 0) throw createOtherLineage(target, page[other]?.seq ?? 0);
  }
}

async function* newer(entries: AsyncIterable<LineageEntry<Json>>, from: number) {
  for await (const entry of entries) if (entry.seq >= from) yield entry;
}

/** The writes of a page, by what both sides hold now, and how many keys they add and replace; no writes where there is none. */
async function toWrites(
  { store, target, from, removes = false, overwrite }: Transfer,
  page: readonly DataEntry[],
): Promise<Pick<Written, "added" | "replaced"> & { readonly writes?: Commit }> {
  const targets = page.map(({ key }) => toStoreKey(target, key));
  const sources = from === undefined ? [] : page.map(({ key }) => toStoreKey(from, key));
  const seen = await store.getMany([...targets, ...sources]);
  const check: { key: Key; rev: number }[] = [];
  const set: { key: Key; value: Json }[] = [];
  const del: Key[] = [];
  let replaced = 0;
  for (const [index, { key, value }] of page.entries()) {
    const there = seen[index];
    const origin = from === undefined ? { value } : seen[page.length + index];
    const [to, taken] = [targets[index], sources[index]];
    if (origin === undefined || to === undefined) continue;
    const isThere = there !== undefined && isSame(there.value, origin.value);
    if (there !== undefined && !isThere && !overwrite) throw createTaken(target, 1, [JSON.stringify(key)]);
    if (!isThere || removes) check.push({ key: to, rev: there?.rev ?? 0 });
    if (!isThere) set.push({ key: to, value: origin.value });
    if (!isThere && there !== undefined) replaced += 1;
    if (!removes || taken === undefined) continue;
    check.push({ key: taken, rev: (origin as Entry).rev });
    del.push(taken);
  }
  const numbers = { added: set.length - replaced, replaced };
  return set.length + del.length === 0 ? numbers : { ...numbers, writes: { check, set, del } };
}

function isSame(one: Json, other: Json): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function createTaken(target: StatePlace, count: number, keys: readonly string[]): CairnError {
  const shown = `${keys.join(", ")}${count > keys.length ? ", ..." : ""}`;
  const message = `\`${showPlace(target)}\` holds other values under ${count} of the keys: ${shown}. \`--overwrite\` replaces them.`;
  return new CairnError("CONFLICT", message);
}

function createOtherLineage(target: StatePlace, seq: number): CairnError {
  const message = `The lineage of \`${showPlace(target)}\` has another entry ${seq}; a chain can be gone on with, and not be replaced.`;
  return new CairnError("CONFLICT", message);
}
