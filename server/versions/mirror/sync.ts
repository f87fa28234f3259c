import { CairnError } from "../../errors.ts";
import type { Mirror } from "./mirror.ts";
import type { LocalRef } from "./refs.ts";
import { type FindUnserved, listChangedTags, planSync, type SyncPlan, type WantedRef } from "./sync-plan.ts";

/** The mirror's refs as they are, and what has to be done to them. */
export interface Comparison {
  readonly local: ReadonlyMap<string, LocalRef>;
  readonly plan: SyncPlan;
}

/** Asking for a few refs by name is faster than reading them all, for many it is slower. */
const MAX_LISTED_BY_NAME = 100;

/** Compares the mirror with its upstream. Rejects when the upstream cannot be read. */
export async function compareRefs(mirror: Mirror, findUnserved: FindUnserved): Promise<Comparison> {
  // What the mirror has is asked each time, so that one that is gone does not pass for one without news.
  const [local, remote] = await Promise.all([mirror.listRefs(), mirror.listUpstream()]);
  const changedTags = listChangedTags(remote, local);
  const plan = planSync(remote, local, changedTags.length === 0 ? undefined : await findUnserved(changedTags));
  return { local, plan };
}

/** Reads the mirror's refs after a plan was carried out, as far as it went. */
export async function listAfter(mirror: Mirror, { local, plan }: Comparison): Promise<ReadonlyMap<string, LocalRef>> {
  const touched = [...plan.create, ...plan.replace, ...plan.update].map(({ ref }) => ref);
  if (touched.length === 0 || touched.length > MAX_LISTED_BY_NAME) return mirror.listRefs();
  const after = new Map([...local, ...(await mirror.listRefs(touched))]);
  for (const ref of plan.remove) after.delete(ref);
  return after;
}

/** Refs on their way into the mirror: those that got as far as the present step, and those that did not, with the reason. */
export interface Transfer {
  readonly refs: readonly WantedRef[];
  /** Refs that stay as they were until a later try succeeds. */
  readonly failed: ReadonlyMap<string, string>;
}

/** One damaged object upstream costs about 2 log2(refs) tries; what is left over waits for the next refresh. */
const MAX_TRIES = 60;

/** Fetches the objects of all refs that a plan wants. Rejects when the upstream is gone. */
export function fetchRefs(mirror: Mirror, plan: SyncPlan): Promise<Transfer> {
  const wanted = [...plan.create, ...plan.replace, ...plan.update];
  return transferInHalves(wanted, async (refs, isFirst) => {
    try {
      await mirror.fetch([...new Set(refs.map(({ oid }) => oid))]);
    } catch (error) {
      // Tells an upstream that is gone, for which this throws, from one with something damaged in it.
      if (isFirst) await mirror.listUpstream();
      throw error;
    }
  });
}

/** Writes refs whose objects the mirror has. A tag that it has already is in the way unless the plan says that it may be. */
export async function writeRefs(mirror: Mirror, plan: SyncPlan, { refs, failed }: Transfer): Promise<Transfer> {
  const isNew = new Set(plan.create.map(({ ref }) => ref));
  const write = (action: "create" | "update", part: readonly WantedRef[]) =>
    transferInHalves(part, (half) => mirror.writeRefs(action, half));
  const parts = [
    await write(
      "create",
      refs.filter(({ ref }) => isNew.has(ref)),
    ),
    await write(
      "update",
      refs.filter(({ ref }) => !isNew.has(ref)),
    ),
  ];
  return {
    refs: parts.flatMap((part) => part.refs),
    failed: new Map([...failed, ...parts.flatMap((part) => [...part.failed])]),
  };
}

/** Leaves refs out of a transfer, each for a reason. */
export function without({ refs, failed }: Transfer, unready: ReadonlyMap<string, string>): Transfer {
  return { refs: refs.filter(({ ref }) => !unready.has(ref)), failed: new Map([...failed, ...unready]) };
}

/**
 * Does one step for all refs. Where it fails, the refs are halved and tried again, so that one that cannot be had, like a
 * tag whose objects are damaged upstream, holds up no other.
 */
async function transferInHalves(
  all: readonly WantedRef[],
  step: (refs: readonly WantedRef[], isFirst: boolean) => Promise<void>,
): Promise<Transfer> {
  const done: WantedRef[] = [];
  const failed = new Map<string, string>();
  let tries = 0;

  async function attempt(refs: readonly WantedRef[]): Promise<void> {
    if (refs.length === 0) return;
    try {
      tries += 1;
      await step(refs, tries === 1);
      done.push(...refs);
    } catch (error) {
      if (!(error instanceof CairnError) || error.name === "UNAVAILABLE") throw error;
      // A transfer that is slow or was stopped is so for every half.
      if (refs.length === 1 || error.name === "UPSTREAM_TIMEOUT" || tries >= MAX_TRIES) {
        for (const { ref } of refs) failed.set(ref, error.message);
        return;
      }
      const middle = Math.ceil(refs.length / 2);
      await attempt(refs.slice(0, middle));
      await attempt(refs.slice(middle));
    }
  }

  await attempt(all);
  return { refs: done, failed };
}
