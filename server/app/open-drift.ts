import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Registry as Metrics } from "prom-client";
import type { Architect } from "../architect/open-architect.ts";
import { type AskedImport, createAskSources } from "../architect/renewals/ask-sources.ts";
import { createChangeReader } from "../architect/renewals/create-change-reader.ts";
import {
  type DriftReport,
  type DriftTime,
  openDriftSchedule,
  type Outcome,
} from "../architect/renewals/open-drift-schedule.ts";
import type { Config, Environment } from "../config/config.ts";
import type { Log } from "../log/log.ts";
import { createDriftMetrics } from "../operations/service-metrics.ts";
import type { Store } from "../store/store.ts";
import type { Git } from "../versions/git/git.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { OpenedForge } from "./open-forge.ts";

export interface DriftServiceOptions {
  readonly config: Pick<Config, "drift">;
  readonly environment: Environment;
  readonly git: Git;
  readonly store: Store;
  readonly registry: Registry;
  readonly forge: OpenedForge;
  readonly architect: Architect;
  readonly metrics: Metrics;
  /** False for a worker that leaves to the first what one of them does for all. */
  readonly isFirst: boolean;
  readonly log: Log;
  readonly now: () => number;
  /** Absent: the machine's own. */
  readonly driftTime?: DriftTime;
  readonly onError: (error: unknown) => void;
}

const PROGRAM = fileURLToPath(new URL("../../bin/cairn.mjs", import.meta.url));

/** Creates the machine's own time for looks at sources, which keep no process. */
function createDriftTime(now: () => number): DriftTime {
  return { now, random: Math.random, sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }) };
}

/** Opens the looks of this service at the sources of imports; without an interval there are none. */
export function openServiceDrift(options: DriftServiceOptions): { close(): Promise<void> } {
  const { config, environment, git, registry, forge: opened, architect, store, now, onError } = options;
  const { drift } = config;
  const report = createReport(options);
  if (drift === undefined || !options.isFirst) return { close: async () => undefined };
  const { forge, baseBranch } = opened;
  const gitDir = registry.mirror;
  const reader = createChangeReader({ git, gitDir });
  return openDriftSchedule({
    everyMs: drift.everyMs,
    ask: createAskSources({ git, gitDir, program: PROGRAM, environment, tokens: drift.tokens }),
    store,
    registry,
    architect,
    findHead: async () =>
      (await git.run([`--git-dir=${gitDir}`, "rev-parse", "--verify", `refs/heads/${baseBranch}^{commit}`])).trim(),
    ...(forge === undefined ? {} : { place: { forge, reader, base: baseBranch } }),
    time: options.driftTime ?? createDriftTime(now),
    report,
    onError,
  });
}

/** Says what comes of each look in the log and in metrics. */
function createReport({ log, metrics }: Pick<DriftServiceOptions, "log" | "metrics">): DriftReport {
  const measure = createDriftMetrics(metrics);
  return {
    began: (commit) => log.info({ commit }, "asks the sources of imports"),
    found(one) {
      const { kind, name, from, found } = one;
      measure.found(found.state);
      const about = { kind, import: name, from, state: found.state };
      if (found.state === "failed")
        log.warn({ ...about, reason: found.reason }, "the source of an import was not read");
      else log.info(about, SAID[found.state]);
    },
    settled: (one, outcome) => settled(log, one, outcome),
    ended: measure.ended,
  };
}

const SAID: Readonly<Record<Exclude<AskedImport["found"]["state"], "failed">, string>> = {
  unchanged: "the source of an import is as it was imported",
  drifted: "the source of an import has changed",
  skipped: "the source of an import is a command, which is not started for this",
};

function settled(log: Log, { kind, name }: AskedImport, outcome: Outcome): void {
  const about = { kind, import: name };
  if (outcome.kind === "none")
    return log.warn({ ...about, reason: outcome.reason }, "nothing was proposed for the import");
  if (outcome.kind === "change") {
    const { outcome: fate, change } = outcome.settled;
    return log.info({ ...about, outcome: fate, change: change?.url ?? change?.branch }, "the change of an import");
  }
  const { id, answer, error } = outcome;
  const run = { ...about, feedback: id, ...(answer === undefined ? {} : { notes: answer.notes }) };
  if (error !== undefined) log.warn({ ...run, error }, "the import could not be renewed");
  else if (answer === undefined) log.info(run, "the renewal of an import goes on");
  else if (answer.result === "rejected") log.warn(run, "the import is not renewed");
  else log.info(run, "the import is renewed");
}
