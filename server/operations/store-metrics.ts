import { Counter, Histogram, type Registry } from "prom-client";
import type { Store } from "../store/store.ts";

/** Seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Wraps a store to measure its commits. `clock` in milliseconds. */
export function measureStore(store: Store, registry: Registry, clock: () => number): Store {
  const registers = [registry];
  const duration = new Histogram({
    name: "cairn_store_commit_duration_seconds",
    help: "Seconds until a commit was flushed.",
    buckets: BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: "cairn_store_commit_failures_total",
    help: "Commits that failed, for another reason than that what they had read was changed.",
    registers,
  });
  return Object.freeze({
    ...store,
    async commit(commit) {
      const begun = clock();
      try {
        return await store.commit(commit);
      } catch (error) {
        failures.inc();
        throw error;
      } finally {
        duration.observe((clock() - begun) / 1000);
      }
    },
  } satisfies Store);
}
