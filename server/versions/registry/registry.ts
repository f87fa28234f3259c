import { setTimeout as sleep } from "node:timers/promises";
import { toDataPaths } from "../../config/data-folder.ts";
import { CairnError } from "../../errors.ts";
import { createInspect, MAX_INSPECTED } from "../mirror/bring-in.ts";
import { loadAlarms } from "../mirror/alarms.ts";
import { type Candidate, createClaims, listUnverified } from "./claims.ts";
import { createCommits } from "./commits.ts";
import { describeVersion } from "./describe.ts";
import { readTextOf } from "../read-text-of.ts";
import { followUpstream } from "../mirror/follow.ts";
import { createGitTrees } from "../git/git-tree.ts";
import { createMovedLabels } from "./label-moves.ts";
import { createLabels } from "../mirror/labels.ts";
import { openMirror } from "../mirror/mirror.ts";
import { createRevocations } from "../mirror/revocations.ts";
import type { Problem } from "../problem.ts";
import { DEFAULT_BRANCH_REF, DEV_REF } from "../mirror/refs.ts";
import { DEFAULT_LIMITS, type RefreshResult, type Registry, type RegistryOptions } from "./registry-types.ts";
import { createRegistryEvents, tellAlarms, tellLabelProblems, tellRevocations } from "./registry-events.ts";
import { toStatus } from "./registry-status.ts";
import { inspectVersion, readVersion, resolveVersion } from "./resolve.ts";
import { NOTHING_REVOKED } from "../revoked.ts";
import { createFindUnserved, loadServedTags } from "./served-tags.ts";
import { createStandings } from "./standings.ts";
import { createSweep } from "./sweep.ts";
import { sync } from "../mirror/sync.ts";
import { toTag } from "../mirror/sync-plan.ts";
import { createSyncer } from "./syncer.ts";
import { unreadable } from "../git/upstream.ts";
import { type Verdict, loadVerdicts } from "./verdicts.ts";
import { createToolCatalogue } from "./tool-catalogue.ts";
import { createToolDirectory } from "./tool-directory.ts";
import { createVersionCache } from "./version-cache.ts";
import { createIndex, isQuarantined } from "./version-index.ts";
import { type VersionQuery, listVersions } from "./version-list.ts";
import type { Loaded } from "../version.ts";

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
  const served = await loadServedTags(store, onError);
  const readTree = createGitTrees(mirror.objects);
  const cache = createVersionCache({ max: limits.open, readTree, load: options.load, verdicts, onVerdict });
  const catalogue = createToolCatalogue({ index: () => index, verdicts });
  const commits = createCommits(mirror);
  const claims = createClaims({
    ...options,
    index: () => index,
    cache,
    verdicts,
    readTree,
    isAncestor: mirror.isAncestor,
    onChanged,
    onSettled,
  });
  const standings = createStandings({ ...options, index: () => index, mirror, verdicts, cache, prove: claims.prove });
  const labels = createLabels({ ...options, mirror, readTree });
  const revocations = createRevocations({ ...options, mirror, readTree });
  const findUnserved = createFindUnserved({ index: () => index, verdicts, served, isServed: claims.isServed });
  const inspect = createInspect({ mirror, open: cache.open, onError });
  const moved = createMovedLabels(labels, { ...claims, findCommits: commits.find });
  const { emit, tell, subscribe } = createRegistryEvents({ index: () => index, verdicts, onError });

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
  let index = createIndex({ refs, alarms, labels: new Map(), failed: new Map(), servedAs: served.commitOf });
  claims.measure();
  await moveLabels();

  const sweep = createSweep({
    list: (round) => listUnverified(index, verdicts, round),
    work: (commit) => cache.verify(commit).then(() => claims.prove(commit, 0)),
    onRound: claims.measure,
  });
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
    for (const version of index.byCommit.get(commit) ?? []) if (isQuarantined(version, verdict)) tell(version);
  }

  /** A number turns out to say too little, or to say enough again. */
  function onChanged(commit: string): void {
    catalogue.forget();
    for (const version of index.byCommit.get(commit) ?? []) tell(version);
  }

  function onSettled(commit: string): void {
    for (const version of index.byCommit.get(commit) ?? []) {
      if (!version.deleted && !isQuarantined(version, verdicts.get(commit))) served.note(version.tag, commit);
    }
  }

  /** What cannot be read at the moment is followed next time; until then labels mean what they did. */
  async function moveLabels(): Promise<void> {
    try {
      index = await moved.update(index);
    } catch (error) {
      isStale = true;
      onError(error);
    }
  }

  const listLabelProblems = () => [...labels.problems, ...moved.problems];

  async function refresh(): Promise<RefreshResult> {
    const before = listLabelProblems();
    const result = await look();
    tellLabelProblems(before, listLabelProblems(), emit);
    return result;
  }

  async function look(): Promise<RefreshResult> {
    const { current, problems } = revocations;
    const before = { index, alarms, labels: labels.current, revocations: { current, problems }, isStale };
    // Stays so when this fails half-way: then the next time counts everything as changed.
    isStale = true;
    const followed = [labels, revocations];
    const synced = await sync({ mirror, store, followed, alarms, inspect, findUnserved, now: now(), onError });
    // First of all: what is revoked answers nobody.
    tellRevocations(before.revocations, revocations, emit);
    isStale = false;
    const { failed, changed } = synced;
    const result = { ok: true, added: synced.created.map(toTag), failed, changed };
    const isSettled = !before.isStale && failed.size === 0 && index.missing.size === 0;
    if (isSettled && !changed && synced.alarms === alarms && labels.current === before.labels) return result;
    ({ alarms } = synced);
    index = createIndex({ ...synced, labels: index.labels, servedAs: served.commitOf });
    emit({ kind: "refs" });
    const added = index.versions.filter(({ name, commit }) => before.index.byName.get(name)?.commit !== commit);
    claims.measure();
    // Only now, because what a version is measured against may have come with it.
    for (const { commit } of added.length > MAX_INSPECTED ? [] : added) await claims.prove(commit);
    for (const version of added) tell(version);
    await moveLabels();
    tellAlarms(before.alarms, alarms, emit);
    if (before.index.labels !== index.labels) emit({ kind: "labels", labels: index.labels });
    if (limits.sweep) sweep.start();
    return result;
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
    await Promise.all([verdicts.flush(), served.flush()]);
  }

  const first = syncer.run();
  // Until the default branch was followed once, nobody knows which labels there are and what it revokes. Any later start
  // waits only as long as it takes usually.
  const isFirst = !refs.has(DEFAULT_BRANCH_REF);
  const started = isFirst ? await first : await Promise.race([first, sleep(limits.startMs, undefined, { ref: false })]);
  if (isFirst && started?.ok === false) {
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
    list: (query: VersionQuery) => listVersions({ index, cache, verdicts, prove: claims.prove, standings }, query),
    tools: createToolDirectory({ index: () => index, verdicts, cache, catalogue, prove: claims.prove }),
    revoked: () => revocations.current,
    refresh: syncer.run,
    offerDev,
    judge: async (candidate: Candidate) => moved.judge(index, candidate, await claims.judge(candidate)),
    findBases: claims.findBases,
    readText: async (commit: string, file: string) => {
      const read = await readTree(commit);
      return read.ok ? readTextOf(read.tree, file) : undefined;
    },
    subscribe,
    status: () => {
      const followed = { current: index.labels, problems: listLabelProblems() };
      const about = { upstream, index, verdicts, alarms, labels: followed, revocations, dev, open: cache.size };
      return toStatus({ ...about, ...syncer.state });
    },
    mirror: mirror.path,
    close,
  });
}
