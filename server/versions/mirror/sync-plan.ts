import { DEFAULT_BRANCH_REF, type LocalRef, type RemoteRef } from "./refs.ts";

/** What the mirror has to do to agree with its upstream, as far as it ever will: its tags stay as they were first seen. */
export interface SyncPlan {
  /** Tags that the mirror has never seen. */
  readonly create: readonly WantedRef[];
  /** Branches, pull request heads and the default branch, new or moved. */
  readonly update: readonly WantedRef[];
  /** Branches and pull request heads that are gone. */
  readonly remove: readonly string[];
  /** Tags that point elsewhere upstream than they did at first: tag to the commit it has there now. */
  readonly moved: ReadonlyMap<string, string>;
  /** Tags that are gone upstream. */
  readonly deleted: ReadonlySet<string>;
}

export interface WantedRef {
  readonly ref: string;
  readonly oid: string;
}

export function planSync(
  remote: ReadonlyMap<string, RemoteRef>,
  local: ReadonlyMap<string, Pick<LocalRef, "oid" | "target">>,
): SyncPlan {
  const [create, update, moved]: [WantedRef[], WantedRef[], Map<string, string>] = [[], [], new Map()];
  for (const [ref, { oid, target }] of remote) {
    const known = local.get(ref);
    if (!isTag(ref)) {
      if (known?.oid !== oid) update.push({ ref, oid });
    } else if (known === undefined) {
      create.push({ ref, oid });
    } else if (known.target !== target) {
      moved.set(toTag(ref), target);
    }
  }
  const gone = [...local.keys()].filter((ref) => !remote.has(ref));
  const remove = gone.filter((ref) => /^refs\/(?:heads|pull)\//.test(ref) || ref === DEFAULT_BRANCH_REF);
  return { create, update, remove, moved, deleted: new Set(gone.filter(isTag).map(toTag)) };
}

export function isTag(ref: string): boolean {
  return ref.startsWith("refs/tags/");
}

export function toTag(ref: string): string {
  return ref.slice("refs/tags/".length);
}
