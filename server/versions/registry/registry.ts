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
import type { Problem } from "../problem.ts";
import { DEV_REF } from "../mirror/refs.ts";
import {
  DEFAULT_LIMITS,
  type RefreshResult,
  type Registry,
  type RegistryEvent,
  type RegistryOptions,
  type RegistryStatus,
} from "./registry-types.ts";
import { resolveVersion } from "./resolve.ts";
import { createSweep } from "./sweep.ts";
import { sync } from "../mirror/sync.ts";
import { type WantedRef, toTag } from "../mirror/sync-plan.ts";
import { createSyncer } from "./syncer.ts";
import { unreadable } from "../git/upstream.ts";
import { type Verdict, loadVerdicts } from "./verdicts.ts";
import { createToolCatalogue } from "./tool-catalogue.ts";
import { createToolDirectory } from "./tool-directory.ts";
import { createVersionCache } from "./version-cache.ts";
import { createIndex, isQuarantined, toRecord } from "./version-index.ts";
import { type VersionQuery, listVersions } from "./version-list.ts";
import type { Loaded } from "../version.ts";

/** More new tags at once are remembered first and looked at afterwards. */
const MAX_INSPECTED = 16;

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
  const labels = createLabels({ mirror, readTree, loadHistory: options.loadHistory, onError });
  const listeners = new Set<(event: RegistryEvent) => void>();

  const refs = await mirror.listRefs();
  let alarms = await loadAlarms(store);
  let isStale = false;
  let dev: { readonly commit?: string; readonly problems: readonly Problem[] } | undefined;
  await labels.update(refs);
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

  function emit(event: RegistryEvent): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        onError(error);
      }
    }
  }

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
    const before = { index, alarms, labels: labels.current, isStale };
    // Stays so when this fails half-way: then the next time counts everything as changed.
    isStale = true;
    const synced = await sync({ mirror, store, labels, alarms, inspect, now: now() });
    isStale = false;
    const { failed, changed } = synced;
    const result = { ok: true, added: synced.created.map(toTag), failed, changed };
    const isSettled = !before.isStale && failed.size === 0 && index.missing.size === 0;
    if (isSettled && !changed && synced.alarms === alarms && labels.current === before.labels) return result;
    ({ alarms } = synced);
    index = createIndex({ ...synced, labels: labels.current });
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

  function status(): RegistryStatus {
    const { versions, pullRequests, missing } = index;
    const judged = versions.map((version) => [version, verdicts.get(version.commit)] as const);
    const quarantined = judged.filter(([version, verdict]) => isQuarantined(version, verdict));
    const served = judged.filter(
      ([version, verdict]) => verdict !== undefined && !isQuarantined(version, verdict),
    ).length;
    return {
      upstream: upstream.shown,
      ...syncer.state,
      versions: versions.length,
      unverified: versions.length - quarantined.length - served,
      quarantined: quarantined.length,
      quarantinedVersions: quarantined.map(([{ name }]) => name),
      pullRequests: pullRequests.length,
      open: cache.size,
      alarms,
      missing,
      labels: labels.current,
      labelProblems: labels.problems,
      ...(dev && { dev }),
    };
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
    prove,
    commits,
    lookAgain: syncer.lookAgain,
    staleSince: () => syncer.state.failingSince,
  };
  return Object.freeze({
    resolve: (segment: string) => resolveVersion(context, segment),
    describe: (segment: string) => describeVersion(context, segment),
    list: (query: VersionQuery) => listVersions({ index, cache, verdicts, prove }, query),
    tools: createToolDirectory({ index: () => index, verdicts, cache, catalogue, prove }),
    refresh: syncer.run,
    offerDev,
    readText: async (commit: string, file: string) => {
      const read = await readTree(commit);
      return read.ok ? readTextOf(read.tree, file) : undefined;
    },
    subscribe: (listener: (event: RegistryEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    status,
    mirror: mirror.path,
    close,
  });
}
