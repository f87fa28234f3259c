import type { ReadExport } from "../capabilities/lineage/read-export.ts";
import type { Ledgers } from "../capabilities/tuner/ledgers.ts";
import type { Renderer } from "../capabilities/tuner/plots/open-renderer.ts";
import type { Store } from "../store/store.ts";
import { createCompatManifest, type OpenParent } from "./compat.ts";
import { createDriftPicture } from "./drift.ts";
import { createExportReader } from "./exports.ts";
import { createConversationLogs, createRecentLogs } from "./logs.ts";
import { createPlots } from "./plots.ts";
import type { Provider } from "./provider.ts";
import { createRunReader } from "./runs.ts";
import { createSessionIndex, createSessionReader } from "./sessions.ts";
import {
  createActiveState,
  createActiveTuning,
  createMicroResults,
  createStagedTuning,
  createTuningExplanation,
} from "./tuning.ts";

export interface ProviderOptions {
  readonly store: Store;
  /** Resolves once the records of all calls that were answered are written. */
  readonly settled: () => Promise<void>;
  readonly ledgers: Ledgers;
  readonly renderer: Pick<Renderer, "render">;
  readonly openParent: OpenParent;
  readonly readExport: ReadExport;
}

/** Creates the providers that a manifest may name. */
export function createProviders({
  store,
  settled,
  ledgers,
  renderer,
  openParent,
  readExport,
}: ProviderOptions): Readonly<Record<string, Provider>> {
  /** Waits for pending records: a caller with an answer must be able to read its record, and records may trail answers. */
  const afterRecords =
    (provide: Provider): Provider =>
    async (request) => {
      await settled();
      return provide(request);
    };
  return {
    "state.active": createActiveState(ledgers),
    "state.assets": readAssets,
    "session.read": createSessionReader(store),
    "session.index": createSessionIndex(store),
    "logs.recent": afterRecords(createRecentLogs(store)),
    "logs.read": afterRecords(createConversationLogs(store)),
    "compat.manifest": createCompatManifest(openParent),
    "tuner.active": afterRecords(createActiveTuning(ledgers)),
    "tuner.staging": afterRecords(createStagedTuning(ledgers)),
    "tuner.results": afterRecords(createMicroResults(ledgers, store)),
    "assets.plots": afterRecords(createPlots({ ledgers, renderer })),
    "assets.drift": afterRecords(createDriftPicture({ store, renderer })),
    "lineage.exports": createExportReader(readExport),
    "work.runs": createRunReader(store),
    "tuner.explain": afterRecords(createTuningExplanation(ledgers)),
  };
}

/** `state://assets`: the objects elsewhere that this server's manifest refers to. */
const readAssets: Provider = async ({ version, server }) => ({
  version: version.semver,
  commit: version.commit,
  assets: server.resources
    .filter(({ source }) => source.kind === "link")
    .map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
});
