import { isDeepStrictEqual } from "node:util";
import { CairnError } from "../../errors.ts";
import { type Alarms, nextAlarms, saveAlarms } from "../mirror/alarms.ts";
import type { LocalRef } from "../mirror/refs.ts";
import {
  compareRefs,
  type Comparison,
  fetchRefs,
  listAfter,
  type Transfer,
  without,
  writeRefs,
} from "../mirror/sync.ts";
import { isTag, toTag, type WantedRef } from "../mirror/sync-plan.ts";
import type { Problem } from "../problem.ts";
import type { RegistryParts } from "./open-parts.ts";
import { tellAlarms, tellLabelProblems, tellMissing, tellRevocations } from "./registry-events.ts";
import type { RefreshResult } from "./registry-types.ts";
import { createIndex, isKnownDeleted, type VersionIndex } from "./version-index.ts";

/** More new tags at once are remembered first and looked at afterwards. */
const MAX_INSPECTED = 16;

/**
 * Takes what was pushed into the registry: compare, fetch, inspect, write refs, index, report. Nothing is remembered of a
 * tag before its version was inspected, so whatever breaks off here happens again. Rejects when the upstream cannot be read.
 */
export async function refresh(parts: RegistryParts): Promise<RefreshResult> {
  const { mirror, state, firsts } = parts;
  const before = toSnapshot(parts);
  const knownAlarms = state.alarms;
  // Stays so when this fails half-way: then the next time counts everything as changed.
  state.isStale = true;
  const listed = await compareRefs(mirror, parts.findUnserved);
  const compared = (await firsts?.complete(listed)) ?? listed;
  const kept = await firsts?.forget(compared.plan.remove);
  await mirror.unlock();
  // Removals come first: a branch `a` has to be gone before there can be `a/b`.
  await mirror.removeRefs(compared.plan.remove.filter((ref) => kept?.has(ref) !== true));
  const fetched = await fetchRefs(mirror, compared.plan);
  const inspected = without(fetched, await inspectTags(parts, fetched.refs));
  const agreed = (await firsts?.agree(mirror, compared.plan, inspected)) ?? inspected;
  const written = await writeRefs(mirror, compared.plan, agreed);
  const seen = await readChanges(parts, compared, written);
  // First of all: what is revoked answers nobody.
  tellRevocations(before.revocations, parts.revocations, parts.events.emit);
  state.isStale = false;
  if (isNews(parts, before, seen)) await indexAndReport(parts, before, seen);
  tellLabelProblems(before.labelProblems, listLabelProblems(parts), parts.events.emit);
  const added = written.refs.map(({ ref }) => ref).filter(isTag);
  const changed = seen.changed || seen.alarms !== knownAlarms;
  return { ok: true, added: added.map(toTag), failed: seen.failed, changed };
}

/** State before a refresh, which tells what is news after it. */
type Snapshot = ReturnType<typeof toSnapshot>;

function toSnapshot(parts: RegistryParts) {
  const { state, labels, revocations } = parts;
  const { current, problems } = revocations;
  const { index, isStale } = state;
  const alarms = listAlarms(index, state.alarms);
  const labelProblems = listLabelProblems(parts);
  const { current: meant, announced } = labels;
  return { index, alarms, isStale, labels: meant, announced, revocations: { current, problems }, labelProblems };
}

/** Lists alarms that nobody has acknowledged. */
export function listAlarms(index: VersionIndex, alarms: Alarms): Alarms {
  const isKnown = (tag: string) => {
    const version = index.byName.get(tag.slice(1));
    return version !== undefined && isKnownDeleted(index, version);
  };
  const left = [...alarms].filter(([tag]) => !isKnown(tag));
  return left.length === alarms.size ? alarms : new Map(left);
}

/** Problems with labels: of how they are written, and of where they were moved. */
export function listLabelProblems({ labels, moved }: RegistryParts): readonly Problem[] {
  return [...labels.problems, ...moved.problems];
}

/** Opens the versions that new tags name. Returns the tags that cannot be opened yet, and why. */
async function inspectTags(parts: RegistryParts, wanted: readonly WantedRef[]): Promise<ReadonlyMap<string, string>> {
  const unready = new Map<string, string>();
  const tags = wanted.filter(({ ref }) => isTag(ref));
  for (const { ref, oid } of tags.length > MAX_INSPECTED ? [] : tags) {
    try {
      const commit = await parts.mirror.objects.info(`${oid}^{commit}`);
      if (commit !== undefined) await parts.cache.open(commit.oid);
    } catch (error) {
      unready.set(ref, error instanceof CairnError ? error.message : "its version could not be looked at");
      parts.options.onError(error);
    }
  }
  return unready;
}

/** Refs, alarms and failures after the mirror was brought in step. */
interface Seen {
  readonly refs: ReadonlyMap<string, LocalRef>;
  readonly alarms: Alarms;
  /** Refs that could not be brought in yet, and why. */
  readonly failed: ReadonlyMap<string, string>;
  readonly changed: boolean;
}

/** Reads what the default branch says now, and notes tags that were moved or deleted. */
async function readChanges(parts: RegistryParts, compared: Comparison, { failed }: Transfer): Promise<Seen> {
  const { mirror, state, options } = parts;
  const { plan } = compared;
  const wanted = plan.create.length + plan.replace.length + plan.update.length;
  const changed = wanted + plan.remove.length > failed.size;
  const refs = changed ? await listAfter(mirror, compared) : compared.local;
  // Before anything that may fail: what is revoked counts from now on. What cannot be read is looked at again next time.
  for (const one of [parts.labels, parts.revocations]) await one.update(refs).catch(options.onError);
  const commitOf = (tag: string) => refs.get(`refs/tags/${tag}`)?.target ?? "";
  // One that could not be had has no commit here to say.
  const deleted = new Set([...plan.deleted].filter((tag) => commitOf(tag) !== ""));
  const alarms = nextAlarms(state.alarms, { ...plan, deleted, commitOf, now: options.now() });
  await saveAlarms(options.store, state.alarms, alarms);
  return { refs, alarms, failed, changed };
}

function isNews({ state, labels }: RegistryParts, before: Snapshot, { alarms, changed, failed }: Seen): boolean {
  const isSettled = !before.isStale && failed.size === 0 && state.index.missing.size === 0;
  const isSame = labels.current === before.labels && labels.announced === before.announced;
  return !isSettled || !isSame || changed || alarms !== state.alarms;
}

/** Replaces the index, proves the numbers of new versions, moves labels, and reports what became of each. */
async function indexAndReport(parts: RegistryParts, before: Snapshot, { refs, alarms, failed }: Seen): Promise<void> {
  const { state, claims, served, events } = parts;
  const { labels } = state.index;
  const { announced } = parts.labels;
  state.alarms = alarms;
  state.index = createIndex({ refs, alarms, failed, labels, announced, servedAs: served.commitOf });
  events.emit({ kind: "refs" });
  const added = state.index.versions.filter(({ name, commit }) => before.index.byName.get(name)?.commit !== commit);
  claims.measure();
  // Only now, because what a version is measured against may have come with it.
  for (const { commit } of added.length > MAX_INSPECTED ? [] : added) await claims.prove(commit);
  for (const version of added) events.tell(version);
  await moveLabels(parts);
  tellMissing(before.index.missing, state.index.missing, events.emit);
  tellAlarms(before.alarms, listAlarms(state.index, alarms), events.emit);
  if (!isDeepStrictEqual(before.announced, announced)) events.emit({ kind: "announced", announced });
  if (before.index.labels !== state.index.labels) events.emit({ kind: "labels", labels: state.index.labels });
  if (parts.limits.sweep) parts.sweep.start();
}

/** Moves labels to what they mean now. What cannot be read is followed next time; until then labels mean what they did. */
export async function moveLabels({ state, moved, options }: RegistryParts): Promise<void> {
  try {
    state.index = await moved.update(state.index);
  } catch (error) {
    state.isStale = true;
    options.onError(error);
  }
}
