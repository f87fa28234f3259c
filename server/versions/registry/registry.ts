import { setTimeout as sleep } from "node:timers/promises";
import { toDataPaths } from "../../data-folder.ts";
import { CairnError } from "../../errors.ts";
import { loadAlarms } from "../mirror/alarms.ts";
import { createClaims, isUnproven } from "./claims.ts";
import { createCommits } from "./commits.ts";
import { describeVersion, findParent } from "./describe.ts";
import { readTextOf } from "../read-text-of.ts";
import { followUpstream } from "../mirror/follow.ts";
import { createGitTrees } from "../git/git-tree.ts";
import { createLabels } from "../mirror/labels.ts";
import { openMirror } from "../mirror/mirror.ts";
import { createRevocations } from "../mirror/revocations.ts";
import type { Problem } from "../problem.ts";
import { DEV_REF } from "../mirror/refs.ts";
import { DEFAULT_LIMITS, type RefreshResult, type Registry, type RegistryOptions } from "./registry-types.ts";
import { inspectVersion, readVersion, resolveVersion } from "./resolve.ts";
import { NOTHING_REVOKED } from "../revoked.ts";
import { createEvents } from "./registry-events.ts";
import { createSweep } from "./sweep.ts";
import { sync } from "../mirror/sync.ts";
import { type WantedRef, toTag } from "../mirror/sync-plan.ts";
import { createSyncer } from "./syncer.ts";
import { unreadable } from "../git/upstream.ts";
import { type Verdict, loadVerdicts } from "./verdicts.ts";
import { createToolCatalogue } from "./tool-catalogue.ts";
import { createToolDirectory } from "./tool-directory.ts";
import { createVersionCache } from "./version-cache.ts";
import { toStatus } from "./registry-status.ts";
import { createStandings } from "./standings.ts";
import { createIndex, isQuarantined, toRecord } from "./version-index.ts";
import { type VersionQuery, listVersions } from "./version-list.ts";
import type { Loaded } from "../version.ts";

/** More new tags at once are remembered first and looked at afterwards. */
const MAX_INSPECTED = 16;
const UNKNOWN_POLICIES =
  "What the default branch revokes cannot be read from the copy of the repository. Restore it from a backup.";

/**
 * Opens the registry: at once from what the data folder has, or after the first copy of the repository. Rejects with
 * UPSTREAM_ERROR when there is neither.
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { git, upstream, store, signers, now, onError } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const mirror = await openMirror({ git, path: toDataPaths(options.data).mirror, upstream, limits, signers });
  const verdicts = await loadVerdicts(store, options.fingerprint, onError);
  const readTree = createGitTrees(mirror.objects);
  const cache = createVersionCache({ max: limits.open, readTree, load: options.load, verdicts, onVerdict });
  const catalogue = createToolCatalogue({ index: () => index, verdicts });
  const commits = createCommits(mirror);
  const claims = createClaims({
    ...options,
    cache,
    verdicts,
    findCommit: async (name) => (await findParent({ index: () => index, commits }, name)).commit,
    treeOf: async (commit) => (await mirror.objects.info(`${commit}^{tree}`))?.oid,
    readTree,
  });
  const standings = createStandings({ ...options, index: () => index, mirror, verdicts, cache, prove });
  const labels = createLabels({ ...options, mirror, readTree });
  const revocations = createRevocations({ ...options, mirror, readTree });
  const { emit, subscribe } = createEvents(onError);

  const refs = await mirror.listRefs();
  let alarms = await loadAlarms(store);
  let isStale = false;
  let dev: { readonly commit?: string; readonly problems: readonly Problem[] } | undefined;
  await labels.update(refs).catch(onError);
  await revocations.update(refs).catch((error: unknown) => {
    onError(error);
    // Without knowing what is revoked nothing must be answered.
    if (revocations.current !== NOTHING_REVOKED) return;
    mirror.close();
    throw new CairnError("INTERNAL_ERROR", UNKNOWN_POLICIES, { cause: error });
  });
  let index = createIndex({ refs, alarms, labels: labels.current, failed: new Map() });

  const sweep = createSweep({ list: listUnverified, work: (commit) => cache.verify(commit).then(() => prove(commit)) });
  const syncer = createSyncer({
    work: refresh,
    tidy: mirror.tidy,
    onFailed: (message) => emit({ kind: "sync-failed", message }),
    onRecovered: () => emit({ kind: "sync-recovered" }),
    onError,
    now,
    limits,
  });

  function onVerdict(commit: string, verdict: Verdict): void {
    catalogue.onVerdict(commit, verdict);
    for (const version of index.byCommit.get(commit) ?? []) {
      if (isQuarantined(version, verdict)) emit({ kind: "quarantined", record: toRecord(index, version, verdict) });
    }
  }

  async function prove(commit: string): Promise<void> {
    const verdict = await claims.prove(commit);
    if (verdict !== undefined) onVerdict(commit, verdict);
  }

  /** Nothing is remembered of a tag before its version was looked at, so whatever breaks off here happens again. */
  async function inspect(tags: readonly WantedRef[]): Promise<ReadonlyMap<string, string>> {
    const unready = new Map<string, string>();
    for (const { ref, oid } of tags.length > MAX_INSPECTED ? [] : tags) {
      try {
        const commit = await mirror.objects.info(`${oid}^{commit}`);
        if (commit !== undefined) await cache.open(commit.oid);
      } catch (error) {
        unready.set(ref, error instanceof CairnError ? error.message : "its version could not be looked at");
        onError(error);
      }
    }
    return unready;
  }

  async function refresh(): Promise<RefreshResult> {
    const before = {
      index,
      alarms,
      labels: labels.current,
      revoked: revocations.current,
      doubts: revocations.problems,
      labelProblems: labels.problems,
      isStale,
    };
    // Stays so when this fails half-way: then the next time counts everything as changed.
    isStale = true;
    const followed = [labels, revocations];
    const synced = await sync({ mirror, store, followed, alarms, inspect, now: now(), onError });
    // First of all: what is revoked answers nobody.
    const { current: revoked, problems } = revocations;
    if (before.revoked !== revoked) emit({ kind: "revoked", revoked });
    if (before.doubts.length + problems.length > 0 && before.doubts !== problems) {
      emit({ kind: "revoked-in-doubt", problems });
    }
    if (before.labelProblems !== labels.problems) emit({ kind: "label-problems", problems: labels.problems });
    isStale = false;
    const { failed, changed } = synced;
    const result = { ok: true, added: synced.created.map(toTag), failed, changed };
    const isSettled = !before.isStale && failed.size === 0 && index.missing.size === 0;
    if (isSettled && !changed && synced.alarms === alarms && labels.current === before.labels) return result;
    ({ alarms } = synced);
    index = createIndex({ ...synced, labels: labels.current });
    emit({ kind: "refs" });
    const added = index.versions.filter(({ name }) => !before.index.byName.has(name));
    // Only now, because what a version was made from may have come with it.
    for (const { commit } of added.length > MAX_INSPECTED ? [] : added) {
      const verdict = await claims.prove(commit);
      if (verdict !== undefined) catalogue.onVerdict(commit, verdict);
    }
    for (const version of added) {
      const record = toRecord(index, version, verdicts.get(version.commit));
      emit({ kind: record.state === "quarantined" ? "quarantined" : "added", record });
    }
    for (const [tag, alarm] of alarms) if (before.alarms.get(tag) !== alarm) emit({ kind: "alarm", tag, alarm });
    for (const tag of before.alarms.keys()) if (!alarms.has(tag)) emit({ kind: "alarm-over", tag });
    if (before.labels !== labels.current) emit({ kind: "labels", labels: labels.current });
    if (limits.sweep) sweep.start();
    return result;
  }

  function listUnverified(): readonly string[] {
    const unverified = index.versions.filter(({ commit, notACommit }) => {
      const verdict = verdicts.get(commit);
      return notACommit === undefined && (verdict === undefined || isUnproven(verdict));
    });
    return unverified.toSorted((a, b) => b.createdAt - a.createdAt).map(({ commit }) => commit);
  }

  async function offerDev(commit: string): Promise<Loaded> {
    const loaded = await cache.open(commit);
    if (loaded.ok) {
      // A ref, so that housekeeping leaves the snapshot alone.
      await mirror.writeRefs("update", [{ ref: DEV_REF, oid: commit }]);
      dev = { commit, problems: [] };
      emit({ kind: "dev", commit });
    } else {
      dev = { ...dev, problems: loaded.problems };
      emit({ kind: "dev-refused", commit, problems: loaded.problems });
    }
    return loaded;
  }

  async function close(): Promise<void> {
    stopFollowing();
    const closed = [syncer.close(), sweep.close()];
    mirror.close();
    await Promise.all(closed);
    await verdicts.flush();
  }

  const first = syncer.run();
  // A start with nothing at hand has to wait for the first copy; any other one only as long as it takes usually.
  const hasNothing = index.tips.size === 0;
  const started = hasNothing
    ? await first
    : await Promise.race([first, sleep(limits.startMs, undefined, { ref: false })]);
  if (hasNothing && started?.ok === false) {
    mirror.close();
    throw unreadable(upstream, started.message);
  }
  const stopFollowing = followUpstream({
    git,
    path: limits.watch ? upstream.path : undefined,
    intervalMs: limits.pollMs,
    random: options.random,
    trigger: syncer.trigger,
  });
  if (limits.sweep) sweep.start();

  const context = {
    index: () => index,
    dev: () => dev?.commit,
    cache,
    verdicts,
    standings,
    commits,
    lookAgain: syncer.lookAgain,
    staleSince: () => syncer.state.failingSince,
  };
  return Object.freeze({
    resolve: (segment: string) => resolveVersion(context, segment),
    describe: (segment: string) => describeVersion(context, segment),
    inspect: (segment: string) => inspectVersion(context, segment),
    read: (segment: string) => readVersion(context, segment),
    list: (query: VersionQuery) => listVersions({ index, cache, verdicts, prove, standings }, query),
    tools: createToolDirectory({ index: () => index, verdicts, cache, catalogue, prove }),
    revoked: () => revocations.current,
    refresh: syncer.run,
    offerDev,
    readText: async (commit: string, file: string) => {
      const read = await readTree(commit);
      return read.ok ? readTextOf(read.tree, file) : undefined;
    },
    subscribe,
    status: () =>
      toStatus({ upstream, index, verdicts, alarms, labels, revocations, dev, open: cache.size, ...syncer.state }),
    mirror: mirror.path,
    close,
  });
}
