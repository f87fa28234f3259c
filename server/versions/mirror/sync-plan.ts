import { DEFAULT_BRANCH_REF, type LocalRef, type RemoteRef } from "./refs.ts";

/** Actions by which the mirror agrees with its upstream, as far as it may: tags that were served stay as they were. */
export interface SyncPlan {
  /** Tags that the mirror does not have. */
  readonly create: readonly WantedRef[];
  /** Tags that were never served, and are set again upstream. */
  readonly replace: readonly WantedRef[];
  /** Branches, pull request heads and the default branch, new or moved. */
  readonly update: readonly WantedRef[];
  /** Branches and pull request heads that are gone, and tags that were never served. */
  readonly remove: readonly string[];
  /** Tags that point elsewhere upstream than they did when they were served: tag to the commit it has there now. */
  readonly moved: ReadonlyMap<string, string>;
  /** Tags that were served and are gone upstream. */
  readonly deleted: ReadonlySet<string>;
}

/** Those of some tags that were never served, so that nobody can have relied on them. */
export type FindUnserved = (tags: readonly string[]) => Promise<ReadonlySet<string>>;

export interface WantedRef {
  readonly ref: string;
  readonly oid: string;
}

type Refs = ReadonlyMap<string, Pick<LocalRef, "oid" | "target">>;

/** `unserved`: tags of the mirror that were never served. */
export function planSync(
  remote: ReadonlyMap<string, RemoteRef>,
  local: Refs,
  unserved: ReadonlySet<string> = new Set(),
): SyncPlan {
  const [create, replace, update]: [WantedRef[], WantedRef[], WantedRef[]] = [[], [], []];
  const moved = new Map<string, string>();
  for (const [ref, { oid, target }] of remote) {
    const known = local.get(ref);
    if (known?.oid === oid) continue;
    if (!isTag(ref)) update.push({ ref, oid });
    else if (known === undefined) create.push({ ref, oid });
    else if (unserved.has(toTag(ref))) replace.push({ ref, oid });
    else if (known.target !== target) moved.set(toTag(ref), target);
  }
  const gone = [...local.keys()].filter((ref) => !remote.has(ref));
  const isForgotten = (ref: string) => isTag(ref) && unserved.has(toTag(ref));
  const remove = gone.filter(
    (ref) => /^refs\/(?:heads|pull)\//.test(ref) || ref === DEFAULT_BRANCH_REF || isForgotten(ref),
  );
  const deleted = gone.filter((ref) => isTag(ref) && !isForgotten(ref)).map(toTag);
  return { create, replace, update, remove, moved, deleted: new Set(deleted) };
}

/** Tags of the mirror that upstream has otherwise, or not at all. */
export function listChangedTags(remote: ReadonlyMap<string, RemoteRef>, local: Refs): readonly string[] {
  return [...local].flatMap(([ref, { oid }]) => (isTag(ref) && remote.get(ref)?.oid !== oid ? [toTag(ref)] : []));
}

export function isTag(ref: string): boolean {
  return ref.startsWith("refs/tags/");
}

export function toTag(ref: string): string {
  return ref.slice("refs/tags/".length);
}
