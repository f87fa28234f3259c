import { toDataPaths } from "../../config/data-folder.ts";
import { createGitTrees } from "../git/git-tree.ts";
import { type Alarms, loadAlarms } from "../mirror/alarms.ts";
import { createLabels } from "../mirror/labels.ts";
import { openMirror } from "../mirror/mirror.ts";
import { createRevocations } from "../mirror/revocations.ts";
import { createCommits } from "./commits.ts";
import { createClaims, listUnverified } from "./judge/claims.ts";
import { createFirstTags } from "./first-tags.ts";
import { createMovedLabels } from "./label-moves.ts";
import { createRegistryEvents } from "./registry-events.ts";
import { DEFAULT_LIMITS, type RegistryOptions } from "./registry-types.ts";
import { createFindUnserved, loadServedTags } from "./served-tags.ts";
import { createStandings } from "./standings.ts";
import { createSweep } from "./sweep.ts";
import { createToolCatalogue } from "./tools/tool-catalogue.ts";
import { loadVerdicts, type Verdict } from "./verdicts.ts";
import { createVersionCache } from "./version-cache.ts";
import { createIndex, isQuarantined, type VersionIndex } from "./version-index.ts";

/** State that a refresh replaces; everything else of the registry reads it. */
interface RegistryState {
  index: VersionIndex;
  alarms: Alarms;
  /** Set while something that should have been read was not, so that the next refresh counts everything as changed. */
  isStale: boolean;
}

export type RegistryParts = Awaited<ReturnType<typeof openRegistryParts>>;

/** Opens the mirror and the store's records, and creates the parts of the registry over one state. */
export async function openRegistryParts(options: RegistryOptions) {
  const { git, upstream, store, signers, onError } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const mirror = await openMirror({ git, path: toDataPaths(options.data).mirror, upstream, limits, signers });
  const verdicts = await loadVerdicts(store, options.fingerprint, onError);
  const served = await loadServedTags(store, onError);
  const firsts = options.neighbours && createFirstTags({ store, served });
  await firsts?.align(mirror);
  const [refs, alarms] = [await mirror.listRefs(), await loadAlarms(store)];
  const first = createIndex({ refs, alarms, labels: new Map(), failed: new Map(), servedAs: served.commitOf });
  const state: RegistryState = { index: first, alarms, isStale: false };
  const index = () => state.index;

  const readTree = createGitTrees(mirror.objects);
  const catalogue = createToolCatalogue({ index, verdicts });
  const events = createRegistryEvents({ index, verdicts, onError });
  const versionsAt = (commit: string) => index().byCommit.get(commit) ?? [];
  const onVerdict = (commit: string, verdict: Verdict) => {
    catalogue.onVerdict(commit, verdict);
    for (const version of versionsAt(commit)) if (isQuarantined(version, verdict)) events.tell(version);
  };
  const cache = createVersionCache({ max: limits.open, readTree, load: options.load, verdicts, onVerdict });
  const claims = createClaims({
    ...options,
    index,
    cache,
    verdicts,
    readTree,
    isAncestor: mirror.isAncestor,
    // A number turns out to say too little, or to say enough again.
    onChanged: (commit) => {
      catalogue.forget();
      for (const version of versionsAt(commit)) events.tell(version);
    },
    onSettled: (commit) => {
      for (const version of versionsAt(commit)) {
        if (!version.deleted && !isQuarantined(version, verdicts.get(commit))) served.note(version.tag, commit);
      }
    },
  });
  const labels = createLabels({ ...options, mirror, readTree });
  const commits = createCommits(mirror);
  const standings = createStandings({ ...options, index, mirror, verdicts, cache, prove: claims.prove });
  const sweep = createSweep({
    list: (round) => listUnverified(index(), verdicts, round),
    work: (commit) => cache.verify(commit).then(() => claims.prove(commit, 0)),
    onRound: claims.measure,
  });
  return {
    options,
    limits,
    state,
    mirror,
    refs,
    readTree,
    verdicts,
    served,
    firsts,
    catalogue,
    events,
    cache,
    claims,
    labels,
    commits,
    sweep,
    standings,
    revocations: createRevocations({ ...options, mirror, readTree }),
    findUnserved: createFindUnserved({ index, verdicts, served, isServed: claims.isServed }),
    moved: createMovedLabels(labels, { ...claims, isLedTo: standings.isLedTo, findCommits: commits.find }),
  };
}
