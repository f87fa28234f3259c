import { readFileSync } from "node:fs";
import { Registry } from "prom-client";
import { expect, test, onTestFinished } from "vitest";
import { createCallMetrics } from "../../../server/operations/call-metrics.ts";
import { createHttpMetrics } from "../../../server/operations/http-metrics.ts";
import { observeProcess } from "../../../server/operations/process-metrics.ts";
import {
  createCountDelivery,
  createDriftMetrics,
  observeHealth,
  observeService,
} from "../../../server/operations/service-metrics.ts";
import { measureStore } from "../../../server/operations/store-metrics.ts";
import type { RegistryStatus } from "../../../server/versions/registry/registry-types.ts";
import { openTestStore } from "../../helpers/store.ts";

const STATUS: RegistryStatus = {
  upstream: "x",
  lastSuccess: "1970-01-01T00:01:00.000Z",
  syncs: { succeeded: 3, failed: 1 },
  versions: 6,
  unverified: 1,
  quarantined: 2,
  quarantinedVersions: ["1.0.0", "1.1.0"],
  unreplaced: 1,
  pullRequests: 0,
  open: 0,
  alarms: new Map(),
  missing: new Map([["1.2.0", "gone"]]),
  labels: new Map(),
  labelProblems: [],
  revokedProblems: [],
};

const STRIKES = { cpu: 0, memory: 0, clock: 0, silence: 0, crash: 0 };
const IDLE = { processes: 0, isolates: 0, running: 0, replaced: 0, offenders: [], waiting: 0, strikes: STRIKES };
const BUSY = {
  ...IDLE,
  processes: 2,
  isolates: 3,
  replaced: 4,
  waiting: 7,
  offenders: [{ reason: "cpu", strikes: 2, left: 5_000 }] as const,
  strikes: { ...STRIKES, cpu: 2 },
};

async function setUp() {
  const registry = new Registry();
  createCallMetrics(registry, () => 0);
  createHttpMetrics(registry);
  createDriftMetrics(registry);
  createCountDelivery(registry);
  const store = measureStore(await openTestStore(), registry, () => 0);
  onTestFinished(observeProcess(registry, 5000));
  observeService(registry, {
    registry: { status: () => STATUS },
    sandboxes: { handlers: { stats: () => BUSY }, artifacts: { stats: () => IDLE } },
    openSessions: () => 5,
    upstreams: { reports: () => [] },
    openPreviews: () => 3,
    openStreams: () => 6,
  });
  const checks = { "store:trial": { status: "pass" }, "audit:chain": { status: "fail" } } as const;
  observeHealth(registry, async () => ({ status: "fail", checks, time: "" }));
  return { registry, store };
}

test("docs/operations.md names every metric, with its labels and what it means", async () => {
  const { registry } = await setUp();
  const rows = (await registry.getMetricsAsJSON()).map(({ name, help, type }) => {
    const labels = (registry.getSingleMetric(name) as { labelNames?: readonly string[] } | undefined)?.labelNames ?? [];
    return `| \`${name}\` | ${String(type)} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`;
  });
  const page = readFileSync("docs/operations.md", "utf8").replaceAll(/ {2,}/g, " ");
  expect(rows.filter((row) => !page.includes(row.replaceAll(/ {2,}/g, " ")))).toEqual([]);
  expect(page.match(/^\| `(?:cairn|process|nodejs)_/gm)).toHaveLength(rows.length);
});

test("the service's parts say how they are, each time somebody looks", async () => {
  const { registry, store } = await setUp();
  await store.commit({ set: [{ key: ["k"], value: 1 }] });
  await expect(store.commit({ set: [{ key: [], value: 1 }] })).rejects.toThrow();
  await registry.metrics();
  const lines = (await registry.metrics()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'cairn_versions{state="served"} 3',
      'cairn_versions{state="unverified"} 1',
      'cairn_versions{state="quarantined"} 2',
      'cairn_versions{state="missing"} 1',
      "cairn_versions_unreplaced 1",
      'cairn_health_check{check="store:trial"} 0',
      'cairn_health_check{check="audit:chain"} 2',
      'cairn_git_syncs_total{result="ok"} 3',
      'cairn_git_syncs_total{result="failed"} 1',
      "cairn_git_last_success_timestamp_seconds 60",
      'cairn_sandbox_processes{sandbox="handlers"} 2',
      'cairn_sandbox_processes{sandbox="artifacts"} 0',
      'cairn_sandbox_isolates{sandbox="handlers"} 3',
      'cairn_sandbox_replaced_total{sandbox="handlers"} 4',
      'cairn_sandbox_offenders{sandbox="handlers"} 1',
      'cairn_sandbox_offenders_waiting{sandbox="handlers"} 7',
      'cairn_sandbox_strikes_total{sandbox="handlers",reason="cpu"} 2',
      'cairn_sandbox_strikes_total{sandbox="artifacts",reason="memory"} 0',
      "cairn_mcp_sessions 5",
      "cairn_http_streams 6",
      "cairn_store_commit_duration_seconds_count 2",
      "cairn_store_commit_failures_total 1",
      "process_start_time_seconds 5",
    ]),
  );
});
