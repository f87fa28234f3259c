import type { Store } from "../../store/store.ts";
import { type Alarms, nextAlarms, saveAlarms } from "./alarms.ts";
import { type Inspect, bringIn } from "./bring-in.ts";
import type { Followed } from "./follow-tip.ts";
import type { Mirror } from "./mirror.ts";
import type { LocalRef } from "./refs.ts";
import { type FindUnserved, listChangedTags, planSync, type SyncPlan } from "./sync-plan.ts";

/** What the registry knows after a look at the upstream. */
export interface Synced {
  readonly refs: ReadonlyMap<string, LocalRef>;
  readonly alarms: Alarms;
  /** Refs of tags that the mirror did not have before, or had otherwise. */
  readonly created: readonly string[];
  /** Refs that could not be brought in yet, and why. */
  readonly failed: ReadonlyMap<string, string>;
  readonly changed: boolean;
}

/** Asking for a few refs by name is faster than reading them all, for many it is slower. */
const MAX_LISTED_BY_NAME = 100;

/** Makes the mirror agree with its upstream and says what came of it; rejects when the upstream cannot be read. */
export async function sync(options: {
  readonly mirror: Mirror;
  readonly store: Store;
  /** What the default branch says besides its versions. */
  readonly followed: readonly Followed<unknown>[];
  readonly alarms: Alarms;
  readonly inspect: Inspect;
  readonly findUnserved: FindUnserved;
  readonly now: number;
  readonly onError: (error: unknown) => void;
}): Promise<Synced> {
  const { mirror, store, followed, now, onError } = options;
  // What the mirror has is asked each time, so that one that is gone does not pass for one without news.
  const [local, remote] = await Promise.all([mirror.listRefs(), mirror.listUpstream()]);
  const changedTags = listChangedTags(remote, local);
  const plan = planSync(remote, local, changedTags.length === 0 ? undefined : await options.findUnserved(changedTags));
  await mirror.unlock();
  const { tags, failed } = await bringIn(mirror, plan, options.inspect);
  const wanted = plan.create.length + plan.replace.length + plan.update.length;
  const changed = wanted + plan.remove.length > failed.size;
  const refs = changed ? await listAfter(mirror, local, plan) : local;
  // Before anything that may fail: what is revoked counts from now on. What cannot be read is looked at again next time.
  for (const one of followed) await one.update(refs).catch(onError);
  const commitOf = (tag: string) => refs.get(`refs/tags/${tag}`)?.target ?? "";
  const alarms = nextAlarms(options.alarms, { ...plan, commitOf, now });
  await saveAlarms(store, options.alarms, alarms);
  return { refs, alarms, created: tags, failed, changed };
}

/** The mirror's refs after a plan was carried out, as far as it went. */
async function listAfter(
  mirror: Mirror,
  before: ReadonlyMap<string, LocalRef>,
  plan: SyncPlan,
): Promise<ReadonlyMap<string, LocalRef>> {
  const touched = [...plan.create, ...plan.replace, ...plan.update].map(({ ref }) => ref);
  if (touched.length === 0 || touched.length > MAX_LISTED_BY_NAME) return mirror.listRefs();
  const after = new Map([...before, ...(await mirror.listRefs(touched))]);
  for (const ref of plan.remove) after.delete(ref);
  return after;
}
