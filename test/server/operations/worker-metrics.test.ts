import { Counter, Gauge, Registry } from "prom-client";
import { expect, test } from "vitest";
import type { Nodes } from "../../../server/instance/nodes.ts";
import { createMetricsAnswers, createReadMetrics } from "../../../server/operations/worker-metrics.ts";

function createMetrics(calls: number, versions: number): Registry {
  const registers = [new Registry()];
  new Counter({ name: "calls_total", help: "Calls.", labelNames: ["tool"], registers }).inc({ tool: "a" }, calls);
  new Gauge({ name: "versions", help: "Versions.", aggregator: "max", registers }).set(versions);
  return registers[0] ?? new Registry();
}

const member = (id: string, address?: string) => ({
  id,
  opening: id,
  label: id,
  release: "1.0.0",
  startedAt: 0,
  ...(address === undefined ? {} : { address }),
});

/** Nodes of which the second answers with these metrics, the third with an error, and the fourth has no address at the moment. */
function createNodes(other: Registry, home?: string): Nodes {
  const all = [member("1", "http://a"), member("2", "http://b"), member("3", "http://c"), member("4")];
  return {
    self: all[0] ?? member("1"),
    ...(home === undefined ? {} : { home }),
    list: async () => all,
    find: async (id) => all.find((one) => one.id === id),
    isAlive: async () => true,
    request: async (id) => {
      if (id !== "2") throw new Error("does not answer");
      return Response.json(await createMetricsAnswers(other)());
    },
    findSender: () => undefined,
    digest: (text) => text,
  };
}

test("workers are counted as one service: what each has done is added, what all see is not", async () => {
  const own = createMetrics(2, 7);
  const { text, type } = await createReadMetrics(own, createNodes(createMetrics(3, 8), "1"))();
  expect(type).toBe(own.contentType);
  expect(text).toContain('calls_total{tool="a"} 5');
  expect(text).toContain("versions 8");
});

test.each([
  ["alone", undefined],
  ["among nodes of several machines", createNodes(createMetrics(3, 8))],
])("a service %s tells its own metrics", async (_case, nodes) => {
  const own = createMetrics(2, 7);
  expect(await createReadMetrics(own, nodes)()).toEqual({ type: own.contentType, text: await own.metrics() });
});
