import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Invoke } from "../kernel/call.ts";
import type { Tool, Version } from "../versions/version.ts";

/** Versions with a label of their own; later ones share `other`, so that tags cannot fill the memory of who scrapes. */
const VERSION_LIMIT = 50;
/** Tools of versions with labels of their own; later ones share `other`. */
const TOOL_LIMIT = 1000;
const OTHER = "other";
/** The version of all previews: they come and go with pull requests. */
const PREVIEW = "preview";
/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Cell {
  readonly labels: { readonly server: string; readonly tool: string; readonly version: string };
  readonly duration: { observe(seconds: number): void };
  /** By outcome. */
  readonly calls: Map<string, { inc(): void }>;
}

/** Counts calls by what came of them, which HTTP's status does not tell: a failed tool is a 200. `clock` in milliseconds. */
export function createCallMetrics(registry: Registry, clock: () => number): (invoke: Invoke) => Invoke {
  const registers = [registry];
  const calls = new Counter({
    name: "cairn_tool_calls_total",
    help: "Calls of tools, by outcome: `ok`, or the name of the error.",
    labelNames: ["server", "tool", "version", "outcome"] as const,
    registers,
  });
  const duration = new Histogram({
    name: "cairn_tool_call_duration_seconds",
    help: "Seconds from a call to its result.",
    labelNames: ["server", "tool", "version"] as const,
    buckets: BUCKETS,
    registers,
  });
  let running = 0;
  registry.registerMetric(
    new Gauge({
      name: "cairn_tool_calls_in_flight",
      help: "Calls of tools that have begun and not ended.",
      registers,
      collect() {
        this.set(running);
      },
    }),
  );
  const versions = new Set<string>();
  const cells = new WeakMap<Tool, Cell>();
  const byLabels = new Map<string, Cell>();

  return (invoke) => async (call) => {
    const { labels, duration: seconds, calls: outcomes } = cells.get(call.tool) ?? open(call.tool, call.version);
    const begun = clock();
    running += 1;
    const result = await invoke(call);
    running -= 1;
    seconds.observe((clock() - begun) / 1000);
    const outcome = result.ok ? "ok" : result.error.name;
    let counter = outcomes.get(outcome);
    if (counter === undefined) outcomes.set(outcome, (counter = calls.labels({ ...labels, outcome })));
    counter.inc();
    return result;
  };

  function open(tool: Tool, { semver, preview }: Version): Cell {
    if (preview === undefined && versions.size < VERSION_LIMIT) versions.add(semver);
    const version = preview !== undefined ? PREVIEW : versions.has(semver) ? semver : OTHER;
    const own = { server: tool.server, tool: tool.name, version };
    const isFull = byLabels.size >= TOOL_LIMIT && !byLabels.has(JSON.stringify(own));
    const labels = isFull ? { server: OTHER, tool: OTHER, version: OTHER } : own;
    const key = JSON.stringify(labels);
    const cell = byLabels.get(key) ?? { labels, duration: duration.labels(labels), calls: new Map() };
    byLabels.set(key, cell);
    cells.set(tool, cell);
    return cell;
  }
}
