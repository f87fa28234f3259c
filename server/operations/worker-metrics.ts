import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";
import type { Nodes } from "../instance/nodes.ts";
import type { Json } from "../json/types.ts";

/** Metrics as a scraper reads them. */
export interface MetricsText {
  readonly type: string;
  readonly text: string;
}

type Values = MetricObjectWithValues<MetricValue<string>>[];

/** Milliseconds for another worker to answer. */
const ANSWER_MS = 2_000;

/** Creates what reads the metrics of the service: of this process, and with workers of all, as of one. */
export function createReadMetrics(metrics: Registry, nodes: Nodes | undefined): () => Promise<MetricsText> {
  const ofOne = async () => ({ type: metrics.contentType, text: await metrics.metrics() });
  if (nodes?.home === undefined) return ofOne;
  return async () => {
    const others = (await nodes.list()).filter(({ id, address }) => id !== nodes.self.id && address !== undefined);
    const read = await Promise.all(others.map(({ id }) => ask(nodes, id)));
    const merged = AggregatorRegistry.aggregate([await metrics.getMetricsAsJSON(), ...read.flat(1)]);
    return { type: metrics.contentType, text: await merged.metrics() };
  };
}

/** Creates what answers another worker that reads the metrics of all. */
export function createMetricsAnswers(metrics: Registry): () => Promise<Json> {
  return async () => JSON.parse(JSON.stringify(await metrics.getMetricsAsJSON())) as Json;
}

/** Asks a worker; nothing where it does not answer, since the others can be seen all the same. */
async function ask(nodes: Nodes, id: string): Promise<readonly Values[]> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await nodes.request(id, { method: "POST", path: "/nodes/metrics", body: "null", signal });
    return response.ok ? [(await response.json()) as Values] : [];
  } catch {
    return [];
  }
}
