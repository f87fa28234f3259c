import type { Json } from "../../json/types.ts";
import type { Key, Store } from "../../store/store.ts";
import type { FindUnserved } from "../mirror/sync-plan.ts";
import type { Verdicts } from "./verdicts.ts";
import { isQuarantined, type TaggedVersion, type VersionIndex } from "./version-index.ts";

/**
 * Remembers which commit each tag was first served with. A tag that was served keeps that commit for good, one that never was
 * may be set again; git cannot tell the two apart.
 */
export interface ServedTags {
  /** Undefined: as far as is known here, the tag was never served. */
  commitOf(tag: string): string | undefined;
  /** Takes effect at once and is written soon. */
  note(tag: string, commit: string): void;
  /** Resolves when all is written or has failed to be. */
  flush(): Promise<void>;
}

const PREFIX = ["versions", "served"] as const;
/** Key of the commit that a tag was first served with. */
export const servedKey = (tag: string): Key => [...PREFIX, tag];
const MAX_BATCH = 200;
/** Tags that nobody has looked at are looked at a few at a time. */
const MAX_LOOKS = 64;

export async function loadServedTags(store: Store, onError: (error: unknown) => void): Promise<ServedTags> {
  const known = new Map<string, string>();
  for await (const { key, value } of store.scan({ prefix: PREFIX })) {
    const tag = key[PREFIX.length];
    if (typeof tag === "string" && typeof value === "string") known.set(tag, value);
  }
  const unwritten = new Map<string, string>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    // Whoever notes one tag often notes others in the same moment.
    await Promise.resolve();
    while (unwritten.size > 0) {
      const batch = [...unwritten].slice(0, MAX_BATCH);
      const set = batch.map(([tag, commit]): { key: Key; value: Json } => ({
        key: servedKey(tag),
        value: commit,
      }));
      await store.commit({ set });
      for (const [tag, commit] of batch) if (unwritten.get(tag) === commit) unwritten.delete(tag);
    }
  }

  return Object.freeze<ServedTags>({
    commitOf: (tag) => known.get(tag),
    note(tag, commit) {
      if (known.get(tag) === commit) return;
      known.set(tag, commit);
      unwritten.set(tag, commit);
      // What could not be written is written with the next one, or found again after the next start.
      writing ??= write()
        .catch(onError)
        .finally(() => {
          writing = undefined;
        });
    },
    async flush() {
      for (let running = writing; running !== undefined; running = writing) await running;
    },
  });
}

/** A tag whose version cannot be read at the moment counts as served, until it can. */
export function createFindUnserved(given: {
  readonly index: () => VersionIndex;
  readonly verdicts: Pick<Verdicts, "get">;
  readonly served: Pick<ServedTags, "commitOf">;
  readonly isServed: (version: TaggedVersion) => Promise<boolean>;
}): FindUnserved {
  return async (tags) => {
    const { byName } = given.index();
    const versions = tags.flatMap((tag) => byName.get(tag.slice(1)) ?? []);
    const unserved = new Set<string>();
    let looks = 0;
    for (const version of versions.filter(({ tag, commit }) => given.served.commitOf(tag) !== commit)) {
      const isRefused = isQuarantined(version, given.verdicts.get(version.commit));
      if (!isRefused && (looks += 1) > MAX_LOOKS) continue;
      if (isRefused || !(await given.isServed(version).catch(() => true))) unserved.add(version.tag);
    }
    return unserved;
  };
}
