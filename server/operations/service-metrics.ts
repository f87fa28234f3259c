import { Counter, Gauge, type Registry as MetricRegistry } from "prom-client";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Registry } from "../versions/registry/registry-types.ts";

export interface ServiceMetricsOptions {
  readonly registry: Pick<Registry, "status">;
  readonly sandbox: Pick<Sandbox, "stats">;
  readonly openSessions: () => number;
  readonly openStreams: () => number;
  readonly openPreviews: () => number;
}

/** What the parts of the service say of themselves when somebody looks. */
export function observeService(metrics: MetricRegistry, options: ServiceMetricsOptions): void {
  const { registry, sandbox, openSessions, openStreams, openPreviews } = options;
  // Each is registered by hand; the client would otherwise take its global registry.
  const registers: MetricRegistry[] = [];
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.registerMetric(
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      }),
    );

  metrics.registerMetric(
    new Gauge({
      name: "cairn_versions",
      help: "Tagged versions, by state.",
      labelNames: ["state"],
      registers,
      collect() {
        const { versions, unverified, quarantined } = registry.status();
        this.set({ state: "served" }, versions - unverified - quarantined);
        this.set({ state: "unverified" }, unverified);
        this.set({ state: "quarantined" }, quarantined);
      },
    }),
  );
  gauge("cairn_version_alarms", "Tags that were moved or deleted upstream.", () => registry.status().alarms.size);
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
  gauge("cairn_git_last_success_timestamp_seconds", "When the repository was last read; 0 for never.", () => {
    const { lastSuccess } = registry.status();
    return lastSuccess === undefined ? 0 : Date.parse(lastSuccess) / 1000;
  });
  gauge("cairn_sandbox_processes", "Processes that hold isolates.", () => sandbox.stats().processes);
  gauge("cairn_sandbox_isolates", "Isolates that are open.", () => sandbox.stats().isolates);
  metrics.registerMetric(
    new Counter({
      name: "cairn_sandbox_replaced_total",
      help: "Isolates and processes that were killed or died, and were replaced.",
      registers,
      collect() {
        this.reset();
        this.inc(sandbox.stats().replaced);
      },
    }),
  );
  gauge("cairn_mcp_sessions", "Sessions of MCP clients that are open.", openSessions);
  gauge("cairn_previews", "Previews of pull requests that are open.", openPreviews);
  gauge("cairn_http_streams", "Answers that are streams of events and still open.", openStreams);
}
