import { type Aggregator, Counter, Gauge, type Registry as MetricRegistry } from "prom-client";
import type { Sandbox, SandboxStats } from "../kernel/isolates/sandbox.ts";
import type { Health } from "./health.ts";
import type { Upstreams } from "../capabilities/mcp/open-upstreams.ts";
import type { Registry } from "../versions/registry/registry-types.ts";

/** Sandboxes of handlers and of artifacts. */
export type Sandboxes = Readonly<Record<"handlers" | "artifacts", Pick<Sandbox, "stats">>>;

export interface ServiceMetricsOptions {
  readonly registry: Pick<Registry, "status">;
  readonly sandboxes: Sandboxes;
  readonly openSessions: () => number;
  readonly openStreams: () => number;
  readonly openPreviews: () => number;
  readonly upstreams: Pick<Upstreams, "reports">;
}

/** Counts a delivery by what became of it. */
export type CountDelivery = (result: "taken" | "repeated" | "ignored" | "refused") => void;

/** Observes the parts of the service at each look. */
export function observeService(metrics: MetricRegistry, options: ServiceMetricsOptions): void {
  const { registry, sandboxes, openSessions, openStreams, openPreviews, upstreams } = options;
  // Each is registered by hand; the client would otherwise take its global registry.
  const registers: MetricRegistry[] = [];
  const gauge = (name: string, help: string, read: () => number, aggregator: Aggregator = "sum") =>
    metrics.registerMetric(
      new Gauge({
        name,
        help,
        aggregator,
        registers,
        collect() {
          this.set(read());
        },
      }),
    );

  metrics.registerMetric(
    new Gauge({
      name: "cairn_versions",
      help: "Tagged versions, by state; `missing` ones cannot be brought in.",
      labelNames: ["state"],
      aggregator: "max",
      registers,
      collect() {
        const { versions, unverified, quarantined, missing } = registry.status();
        this.set({ state: "served" }, versions - unverified - quarantined);
        this.set({ state: "unverified" }, unverified);
        this.set({ state: "quarantined" }, quarantined);
        this.set({ state: "missing" }, missing.size);
      },
    }),
  );
  gauge(
    "cairn_versions_unreplaced",
    "Quarantined versions of whose major version no newer one is served.",
    () => registry.status().unreplaced,
    "max",
  );
  const countAlarms = () => registry.status().alarms.size;
  gauge("cairn_version_alarms", "Tags that were moved or deleted upstream.", countAlarms, "max");
  metrics.registerMetric(
    new Counter({
      name: "cairn_git_syncs_total",
      help: "Looks at the repository, by result.",
      labelNames: ["result"],
      registers,
      collect() {
        const { succeeded, failed } = registry.status().syncs;
        this.reset();
        this.inc({ result: "ok" }, succeeded);
        this.inc({ result: "failed" }, failed);
      },
    }),
  );
  const readLast = () => {
    const { lastSuccess } = registry.status();
    return lastSuccess === undefined ? 0 : Date.parse(lastSuccess) / 1000;
  };
  gauge("cairn_git_last_success_timestamp_seconds", "When the repository was last read; 0 for never.", readLast, "max");
  gauge("cairn_mcp_sessions", "Sessions of MCP clients that are open.", openSessions);
  gauge("cairn_previews", "Previews of pull requests that are open.", openPreviews);
  gauge("cairn_http_streams", "Answers that are streams of events and still open.", openStreams);
  metrics.registerMetric(
    new Gauge({
      name: "cairn_upstream_drifts",
      help: "Tools of upstreams that are not what a version was made with.",
      labelNames: ["version", "upstream"],
      aggregator: "max",
      registers,
      collect() {
        this.reset();
        for (const { version, upstream, drifts } of upstreams.reports()) this.inc({ version, upstream }, drifts.length);
      },
    }),
  );
  observeSandboxes(metrics, sandboxes);
}

/** Observes the checks of `/readyz` at each look, which are made as they are for probes. */
export function observeHealth(metrics: MetricRegistry, readHealth: () => Promise<Health>): void {
  metrics.registerMetric(
    new Gauge({
      name: "cairn_health_check",
      help: "Checks of `/readyz`: 0 passes, 1 warns, 2 fails.",
      labelNames: ["check"],
      aggregator: "max",
      registers: [],
      async collect() {
        const { checks } = await readHealth();
        for (const [check, { status }] of Object.entries(checks)) this.set({ check }, HEALTH_NUMBERS[status]);
      },
    }),
  );
}

const HEALTH_NUMBERS = { pass: 0, warn: 1, fail: 2 } as const;

function observeSandboxes(metrics: MetricRegistry, sandboxes: Sandboxes): void {
  const registers: MetricRegistry[] = [];
  const labelNames = ["sandbox"];
  const each = (see: (stats: SandboxStats, labels: { readonly sandbox: string }) => void) => {
    for (const [sandbox, { stats }] of Object.entries(sandboxes)) see(stats(), { sandbox });
  };
  const gauge = (name: string, help: string, read: (stats: SandboxStats) => number) => {
    function collect(this: Gauge): void {
      each((stats, labels) => this.set(labels, read(stats)));
    }
    metrics.registerMetric(new Gauge({ name, help, labelNames, registers, collect }));
  };

  gauge("cairn_sandbox_processes", "Processes that hold isolates.", ({ processes }) => processes);
  gauge("cairn_sandbox_isolates", "Isolates that are open.", ({ isolates }) => isolates);
  gauge(
    "cairn_sandbox_offenders",
    "Whose calls run one at a time, apart from all others, because they took isolates down.",
    ({ offenders }) => offenders.length,
  );
  gauge("cairn_sandbox_offenders_waiting", "Calls of those that wait for their turn.", ({ waiting }) => waiting);
  metrics.registerMetric(
    new Counter({
      name: "cairn_sandbox_replaced_total",
      help: "Isolates and processes that were killed or died, and were replaced.",
      labelNames,
      registers,
      collect() {
        this.reset();
        each(({ replaced }, labels) => this.inc(labels, replaced));
      },
    }),
  );
  metrics.registerMetric(
    new Counter({
      name: "cairn_sandbox_strikes_total",
      help: "How often somebody took isolates down, by what was too much or went wrong.",
      labelNames: [...labelNames, "reason"],
      registers,
      collect() {
        this.reset();
        each(({ strikes }, labels) => {
          for (const [reason, count] of Object.entries(strikes)) this.inc({ ...labels, reason }, count);
        });
      },
    }),
  );
}

/** Creates the count of deliveries of webhooks. */
export function createCountDelivery(registry: MetricRegistry): CountDelivery {
  const deliveries = new Counter({
    name: "cairn_webhook_deliveries_total",
    help: "Deliveries of webhooks, by what became of them.",
    labelNames: ["result"] as const,
    registers: [registry],
  });
  return (result) => deliveries.inc({ result });
}

/** Outcomes of looks at the sources of imports. */
interface DriftMetrics {
  /** Counts an import by how its source was found. */
  readonly found: (state: "unchanged" | "drifted" | "failed" | "skipped") => void;
  /** Notes a look that came to its end: when it did, in milliseconds since 1970. */
  readonly ended: (at: number) => void;
}

/** Creates the metrics of looks at the sources of imports. */
export function createDriftMetrics(registry: MetricRegistry): DriftMetrics {
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
