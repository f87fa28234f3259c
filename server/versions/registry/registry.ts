import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { unreadable } from "../git/upstream.ts";
import { followUpstream } from "../mirror/follow.ts";
import { DEFAULT_BRANCH_REF, DEV_REF } from "../mirror/refs.ts";
import type { Problem } from "../problem.ts";
import { readTextOf } from "../read-text-of.ts";
import { NOTHING_REVOKED } from "../revoked.ts";
import type { Loaded } from "../version.ts";
import type { Candidate } from "./judge/claims.ts";
import { openRegistryParts, type RegistryParts } from "./open-parts.ts";
import { listAlarms, listLabelProblems, moveLabels, refresh } from "./refresh.ts";
import { toStatus } from "./registry-status.ts";
import { createRetirements } from "./retirements.ts";
import type { Registry, RegistryOptions } from "./registry-types.ts";
import { describeVersion } from "./resolve/describe.ts";
import { inspectVersion, readVersion, resolveVersion } from "./resolve/resolve.ts";
import { listVersions, type VersionQuery } from "./resolve/version-list.ts";
import { createSyncer, type Syncer } from "./syncer.ts";
import { createToolDirectory } from "./tools/tool-directory.ts";

const UNKNOWN_POLICIES =
  "What the default branch revokes cannot be read from the copy of the repository. Restore it from a backup.";

/**
 * Opens the registry: at once from what the data folder has, or after the first copy of the repository. Rejects with
 * UPSTREAM_ERROR when there is neither.
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const parts = await openRegistryParts(options);
  const { mirror, claims, sweep, limits, events, verdicts, served } = parts;
  await readDefaultBranch(parts);
  parts.state.index = Object.freeze({ ...parts.state.index, announced: parts.labels.announced });
  claims.measure();
  await moveLabels(parts);
  const syncer = createSyncer({
    async work() {
      const result = await refresh(parts);
      if (result.changed) options.neighbours?.tell();
      return result;
    },
    tidy: mirror.tidy,
    onFailed: (message) => events.emit({ kind: "sync-failed", message }),
    onRecovered: () => events.emit({ kind: "sync-recovered" }),
    onError: options.onError,
    now: options.now,
    limits,
  });
  await firstSync(parts, syncer);
  const stopFollowing = followUpstream({
    git: options.git,
    path: limits.watch ? options.upstream.path : undefined,
    intervalMs: limits.pollMs,
    random: options.random,
    trigger: syncer.trigger,
  });
  const stopHearing = options.neighbours?.onTold(syncer.trigger);
  if (limits.sweep) sweep.start();
  return toRegistry(parts, syncer, async () => {
    stopHearing?.();
    stopFollowing();
    const closed = [syncer.close(), sweep.close()];
    mirror.close();
    await Promise.all(closed);
    await Promise.all([verdicts.flush(), served.flush()]);
  });
}

/** Reads labels and revocations from the copy of the repository. Rejects when it is not known what is revoked. */
async function readDefaultBranch({ options, mirror, labels, revocations, refs }: RegistryParts): Promise<void> {
  const { onError } = options;
  await labels.update(refs).catch(onError);
  await revocations.update(refs).catch((error: unknown) => {
    onError(error);
    // Without knowing what is revoked nothing must be answered.
    if (revocations.current !== NOTHING_REVOKED) return;
    mirror.close();
    throw new CairnError("INTERNAL_ERROR", UNKNOWN_POLICIES, { cause: error });
  });
}

/** Waits for the first look upstream: to its end at a first start, at any later one no longer than a look usually takes. */
async function firstSync({ options, mirror, refs, limits }: RegistryParts, syncer: Syncer): Promise<void> {
  const first = syncer.run();
  // Until the default branch was followed once, nobody knows which labels there are and what it revokes.
  if (refs.has(DEFAULT_BRANCH_REF)) {
    await Promise.race([first, sleep(limits.startMs, undefined, { ref: false })]);
    return;
  }
  const { ok, message } = await first;
  if (ok) return;
  mirror.close();
  throw unreadable(options.upstream, message);
}

function toRegistry(parts: RegistryParts, syncer: Syncer, close: () => Promise<void>): Registry {
  const { cache, catalogue, claims, commits, moved, readTree, revocations, standings, state, verdicts } = parts;
  const dev = createDev(parts);
  const index = () => state.index;
  const { now } = parts.options;
  const retirements = createRetirements({ index, verdicts, dev: () => dev.current?.commit, now });
  const context = {
    index,
    cache,
    verdicts,
    standings,
    commits,
    dev: () => dev.current?.commit,
    retirements,
    lookAgain: syncer.lookAgain,
    isDecided: async (name: string) => (await parts.firsts?.isDecided(name)) === true,
    staleSince: () => syncer.state.failingSince,
  };
  return Object.freeze({
    resolve: (segment: string) => resolveVersion(context, segment),
    describe: (segment: string) => describeVersion(context, segment),
    inspect: (segment: string) => inspectVersion(context, segment),
    read: (segment: string) => readVersion(context, segment),
    list: (query: VersionQuery) =>
      listVersions({ index: index(), cache, verdicts, prove: claims.prove, standings }, query),
    tools: createToolDirectory({ index, verdicts, cache, catalogue, prove: claims.prove }),
    ceiling: () => standings.ceiling(),
    retirements,
    revoked: () => revocations.current,
    refresh: syncer.run,
    offerDev: dev.offer,
    judge: async (candidate: Candidate) => moved.judge(index(), candidate, await claims.judge(candidate)),
    findBases: claims.findBases,
    readTree,
    readText: async (commit: string, file: string) => {
      const read = await readTree(commit);
      return read.ok ? readTextOf(read.tree, file) : undefined;
    },
    subscribe: parts.events.subscribe,
    status: () => {
      const followed = {
        current: index().labels,
        problems: [...listLabelProblems(parts), ...retirements.listProblems()],
      };
      const { upstream } = parts.options;
      const about = {
        upstream,
        index: index(),
        verdicts,
        alarms: listAlarms(index(), state.alarms),
        labels: followed,
        revocations,
      };
      return toStatus({ ...about, dev: dev.current, open: cache.size, ...syncer.state });
    },
    mirror: parts.mirror.path,
    close,
  });
}

/** The commit that `dev` means, and why a later one was refused. */
function createDev({ cache, mirror, events }: RegistryParts) {
  let current: { readonly commit?: string; readonly problems: readonly Problem[] } | undefined;
  return {
    get current() {
      return current;
    },
    async offer(commit: string): Promise<Loaded> {
      const loaded = await cache.open(commit);
      if (loaded.ok) {
        // A ref, so that housekeeping leaves the snapshot alone.
        await mirror.writeRefs("update", [{ ref: DEV_REF, oid: commit }]);
        current = { commit, problems: [] };
        events.emit({ kind: "dev", commit });
      } else {
        current = { ...current, problems: loaded.problems };
        events.emit({ kind: "dev-refused", commit, problems: loaded.problems });
      }
      return loaded;
    },
  };
}
