import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../json/types.ts";
import type { Entry, Key, Store } from "../../store/store.ts";
import type { Mirror } from "../mirror/mirror.ts";
import type { Comparison, Transfer } from "../mirror/sync.ts";
import { isTag, type SyncPlan, toTag, type WantedRef } from "../mirror/sync-plan.ts";
import { servedKey, type ServedTags } from "./served-tags.ts";

/**
 * Decides once for all nodes of a store which commit a tag means. Each node has a copy of the repository of its own, and nodes look at
 * different moments: without this, a tag that was moved in between would mean two commits for ever.
 */
export interface FirstTags {
  /** Brings the tags of this node's copy in line with what was decided, before anything is answered from it. */
  align(mirror: Mirror): Promise<void>;
  /** Adds to a plan the tags that were decided and are neither in this node's copy nor upstream any more: they keep their meaning. */
  complete(compared: Comparison): Promise<Comparison>;
  /** Replaces what a plan wants of tags by what was decided; tags whose commit cannot be had are left out. */
  agree(mirror: Mirror, plan: SyncPlan, transfer: Transfer): Promise<Transfer>;
  /** Forgets tags that are gone and that no node has served. Returns those that stay. */
  forget(refs: readonly string[]): Promise<ReadonlySet<string>>;
  /** Says whether a version's tag was decided. One that this node's copy lacks is brought in by the next look upstream, where that can be. */
  isDecided(name: string): Promise<boolean>;
}

export interface FirstTagsOptions {
  readonly store: Store;
  readonly served: Pick<ServedTags, "commitOf">;
}

interface First {
  readonly commit: string;
  /** The object that the tag names: an annotation, or the commit. */
  readonly oid: string;
}

const PREFIX = ["versions", "first"] as const;
const MAX_BATCH = 200;

const keyOf = (tag: string): Key => [...PREFIX, tag];
const toRef = (tag: string) => `refs/tags/${tag}`;

export function createFirstTags({ store, served }: FirstTagsOptions): FirstTags {
  /** Tags that this node's copy may lack. */
  const lacking = new Set<string>();
  const { decide, redecide, forget, readFirsts } = createDecisions(store);

  /** A tag that was served before anything was decided means what it was served with. */
  function toWish(tag: string, found: First): First {
    const before = served.commitOf(tag);
    return before === undefined || before === found.commit ? found : { commit: before, oid: before };
  }

  return Object.freeze<FirstTags>({
    async align(mirror) {
      const local = [...(await mirror.listRefs())].filter(([ref]) => isTag(ref));
      const wishes = local.map(
        ([ref, { oid, target: commit }]) => [toTag(ref), toWish(toTag(ref), { oid, commit })] as const,
      );
      const decided = await decide(new Map(wishes));
      const others = local.filter(([ref, { target }]) => decided.get(toTag(ref))?.commit !== target);
      // The next look brings them in as they were decided.
      await mirror.removeRefs(others.map(([ref]) => ref));
      for await (const { key } of store.scan({ prefix: PREFIX })) lacking.add(String(key[PREFIX.length]));
      for (const [ref] of local) lacking.delete(toTag(ref));
      for (const [ref] of others) lacking.add(toTag(ref));
    },
    async complete({ local, plan }) {
      for (const { ref } of plan.create) lacking.delete(toTag(ref));
      for (const ref of local.keys()) lacking.delete(toTag(ref));
      const asked = [...lacking].map(toRef);
      const firsts = await readFirsts(asked);
      for (const ref of asked) if (!firsts.has(ref)) lacking.delete(toTag(ref));
      const gone = [...firsts].map(([ref, { oid }]): WantedRef => ({ ref, oid }));
      const deleted = new Set([...plan.deleted, ...gone.map(({ ref }) => toTag(ref))]);
      return { local, plan: { ...plan, create: [...plan.create, ...gone], deleted } };
    },
    async agree(mirror, plan, { refs, failed }) {
      const found = new Map<string, First>();
      for (const { ref, oid } of refs.filter((wanted) => isTag(wanted.ref))) {
        found.set(toTag(ref), { oid, commit: (await mirror.objects.info(`${oid}^{commit}`))?.oid ?? oid });
      }
      for (const { ref } of plan.replace) {
        const wish = found.get(toTag(ref));
        if (wish !== undefined) await redecide(toTag(ref), wish);
      }
      const decided = await decide(new Map([...found].map(([tag, first]) => [tag, toWish(tag, first)])));
      const agreed: WantedRef[] = refs.filter(({ ref }) => !isTag(ref));
      const without = new Map(failed);
      for (const wanted of refs.filter(({ ref }) => isTag(ref))) {
        const { ref } = wanted;
        const tag = toTag(ref);
        const { commit, oid } = decided.get(tag) ?? missing(tag);
        const object = commit === found.get(tag)?.commit ? wanted.oid : await bring(mirror, [oid, commit]);
        if (object !== undefined) agreed.push({ ref, oid: object });
        else without.set(ref, `it was first seen as ${commit}, which the repository has no more`);
      }
      for (const [ref, { oid, commit }] of await readFirsts([...failed.keys()].filter(isTag))) {
        // The annotation may be gone, and the commit still be there.
        const object = oid === commit ? undefined : await bring(mirror, [commit]);
        if (object !== undefined && without.delete(ref)) agreed.push({ ref, oid: object });
      }
      return { refs: agreed, failed: without };
    },
    forget,
    async isDecided(name) {
      const tag = `v${name}`;
      const isDecided = (await store.get(keyOf(tag))) !== undefined;
      if (isDecided) lacking.add(tag);
      return isDecided;
    },
  });
}

/** Creates the record of what was decided. */
function createDecisions(store: Store) {
  /** Decides tags that nobody has decided yet as wished, and returns what counts for all of them. */
  async function decide(wishes: ReadonlyMap<string, First>): Promise<ReadonlyMap<string, First>> {
    const decided = new Map<string, First>();
    for (const tags of inBatches([...wishes.keys()])) {
      const entries = await store.getMany(tags.map(keyOf));
      const open = tags.filter((_, at) => entries[at] === undefined);
      const { ok } = await create(open, wishes);
      // Another node was first with one of them: each for itself, then.
      if (!ok) for (const tag of open) await create([tag], wishes);
      const known = ok && open.length === 0 ? entries : await store.getMany(tags.map(keyOf));
      for (const [at, tag] of tags.entries()) decided.set(tag, readFirst(known[at]) ?? missing(tag));
    }
    return decided;
  }

  function create(tags: readonly string[], wishes: ReadonlyMap<string, First>) {
    const set = tags.map((tag) => ({ key: keyOf(tag), value: { ...wishes.get(tag) } as Json }));
    return store.commit({ check: set.map(({ key }) => ({ key, rev: 0 })), set });
  }

  /** Decides anew about a tag that no node has served, and that was set again upstream. */
  async function redecide(tag: string, wish: First): Promise<void> {
    const [entry, wasServed] = await store.getMany([keyOf(tag), servedKey(tag)]);
    if (wasServed !== undefined || readFirst(entry)?.commit === wish.commit) return;
    const check = [
      { key: keyOf(tag), rev: entry?.rev ?? 0 },
      { key: servedKey(tag), rev: 0 },
    ];
    await store.commit({ check, set: [{ key: keyOf(tag), value: { ...wish } }] });
  }

  async function forget(refs: readonly string[]): Promise<ReadonlySet<string>> {
    const kept = new Set<string>();
    for (const ref of refs.filter(isTag)) {
      const [entry, wasServed] = await store.getMany([keyOf(toTag(ref)), servedKey(toTag(ref))]);
      if (entry === undefined) continue;
      const check = [
        { key: entry.key, rev: entry.rev },
        { key: servedKey(toTag(ref)), rev: 0 },
      ];
      const isForgotten = wasServed === undefined && (await store.commit({ check, del: [entry.key] })).ok;
      if (!isForgotten) kept.add(ref);
    }
    return kept;
  }

  /** Reads what tags were decided to be, by their refs. */
  async function readFirsts(refs: readonly string[]): Promise<ReadonlyMap<string, First>> {
    const firsts = new Map<string, First>();
    for (const batch of inBatches(refs)) {
      const entries = await store.getMany(batch.map((ref) => keyOf(toTag(ref))));
      for (const [at, ref] of batch.entries()) {
        const first = readFirst(entries[at]);
        if (first !== undefined) firsts.set(ref, first);
      }
    }
    return firsts;
  }

  return { decide, redecide, forget, readFirsts };
}

/** Finds the first of these objects that is here or can be fetched, though the upstream may name none of them any more. */
async function bring(mirror: Mirror, objects: readonly string[]): Promise<string | undefined> {
  for (const object of new Set(objects)) {
    if ((await mirror.objects.info(`${object}^{commit}`)) !== undefined) return object;
    const isFetched = await mirror.fetch([object]).then(
      () => true,
      () => false,
    );
    if (isFetched) return object;
  }
  return undefined;
}

function readFirst(entry: Entry | undefined): First | undefined {
  if (!isObject(entry?.value)) return undefined;
  const { commit, oid } = entry.value;
  return typeof commit === "string" && typeof oid === "string" ? { commit, oid } : undefined;
}

function missing(tag: string): never {
  throw new CairnError("UNAVAILABLE", `What \`${tag}\` means was decided and forgotten at once.`);
}

function inBatches(tags: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (let at = 0; at < tags.length; at += MAX_BATCH) batches.push(tags.slice(at, at + MAX_BATCH));
  return batches;
}
