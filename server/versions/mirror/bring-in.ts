import { CairnError } from "../../errors.ts";
import type { Mirror } from "./mirror.ts";
import { type SyncPlan, type WantedRef, isTag } from "./sync-plan.ts";

/** Looks at the versions that new tags name, before the mirror remembers the tags; returns those not to be remembered yet. */
export type Inspect = (tags: readonly WantedRef[]) => Promise<ReadonlyMap<string, string>>;

export interface BroughtIn {
  readonly tags: readonly string[];
  /** Refs that stay as they were until a later try succeeds, and why. */
  readonly failed: ReadonlyMap<string, string>;
}

/** More new tags at once are remembered first and looked at afterwards. */
export const MAX_INSPECTED = 16;

/** Nothing is remembered of a tag before its version was looked at by `open`, so whatever breaks off here happens again. */
export function createInspect(given: {
  readonly mirror: Pick<Mirror, "objects">;
  readonly open: (commit: string) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}): Inspect {
  return async (tags) => {
    const unready = new Map<string, string>();
    for (const { ref, oid } of tags.length > MAX_INSPECTED ? [] : tags) {
      try {
        const commit = await given.mirror.objects.info(`${oid}^{commit}`);
        if (commit !== undefined) await given.open(commit.oid);
      } catch (error) {
        unready.set(ref, error instanceof CairnError ? error.message : "its version could not be looked at");
        given.onError(error);
      }
    }
    return unready;
  };
}

/** One damaged object upstream costs about 2 log2(refs) tries; what is left over waits for the next refresh. */
const MAX_TRIES = 60;

/**
 * Carries out a plan. When a transfer fails the refs are halved and tried again, so that one that cannot be had, like a
 * tag whose objects are damaged upstream, holds up no other.
 */
export async function bringIn(mirror: Mirror, plan: SyncPlan, inspect: Inspect): Promise<BroughtIn> {
  const tags: string[] = [];
  const failed = new Map<string, string>();
  let tries = 0;

  async function bring(wanted: readonly WantedRef[]): Promise<void> {
    if (wanted.length === 0) return;
    try {
      tries += 1;
      await mirror.fetch([...new Set(wanted.map(({ oid }) => oid))]);
    } catch (error) {
      // Tells an upstream that is gone, for which this throws, from one with something damaged in it.
      if (tries === 1) await mirror.listUpstream();
      return split(wanted, error, bring);
    }
    const named = wanted.filter(({ ref }) => isTag(ref));
    const unready = named.length === 0 ? new Map<string, string>() : await inspect(named);
    for (const [ref, reason] of unready) failed.set(ref, reason);
    const ready = wanted.filter(({ ref }) => !unready.has(ref));
    // A tag that the mirror has already is in the way unless the plan says that it may be.
    const isNew = new Set(plan.create);
    await write(
      "create",
      ready.filter((ref) => isNew.has(ref)),
    );
    await write(
      "update",
      ready.filter((ref) => !isNew.has(ref)),
    );
  }

  async function write(action: "create" | "update", wanted: readonly WantedRef[]): Promise<void> {
    try {
      tries += 1;
      await mirror.writeRefs(action, wanted);
      tags.push(...wanted.map(({ ref }) => ref).filter(isTag));
    } catch (error) {
      await split(wanted, error, (half) => write(action, half));
    }
  }

  async function split(
    wanted: readonly WantedRef[],
    error: unknown,
    again: (half: readonly WantedRef[]) => Promise<void>,
  ): Promise<void> {
    if (!(error instanceof CairnError) || error.name === "UNAVAILABLE") throw error;
    // Whoever is slow or stopped is so for every half.
    if (wanted.length === 1 || error.name === "UPSTREAM_TIMEOUT" || tries >= MAX_TRIES) {
      for (const { ref } of wanted) failed.set(ref, error.message);
      return;
    }
    const middle = Math.ceil(wanted.length / 2);
    await again(wanted.slice(0, middle));
    await again(wanted.slice(middle));
  }

  // Removals come first: a branch `a` has to be gone before there can be `a/b`.
  await mirror.removeRefs(plan.remove);
  await bring([...plan.create, ...plan.replace, ...plan.update]);
  return { tags, failed };
}
