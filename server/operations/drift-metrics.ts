import { Counter, Gauge, type Registry } from "prom-client";

/** Outcomes of looks at the sources of imports. */
export interface DriftMetrics {
  /** Counts an import by how its source was found. */
  readonly found: (state: "unchanged" | "drifted" | "failed" | "skipped") => void;
  /** Notes a look that came to its end: when it did, in milliseconds since 1970. */
  readonly ended: (at: number) => void;
}

export function createDriftMetrics(registry: Registry): DriftMetrics {
  const registers = [registry];
  const looks = new Counter({
    name: "cairn_drift_looks_total",
    help: "Looks at the sources of imports, by how each was found.",
    labelNames: ["state"] as const,
    registers,
  });
  for (const state of ["unchanged", "drifted", "failed", "skipped"] as const) looks.inc({ state }, 0);
  const last = new Gauge({
    name: "cairn_drift_last_look_timestamp_seconds",
    help: "When the sources of imports were last asked to the end.",
    registers,
  });
  return { found: (state) => looks.inc({ state }), ended: (at) => last.set(at / 1000) };
}
