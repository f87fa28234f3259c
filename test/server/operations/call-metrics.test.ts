import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { ERRORS } from "../../../server/errors.ts";
import type { Invoke } from "../../../server/kernel/call.ts";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { createCallMetrics } from "../../../server/operations/call-metrics.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const HANDLE = { conversationId: "c", logsUri: "logs://c", durationMs: 1 };

function setUp() {
  const registry = new Registry();
  let time = 0;
  const around = createCallMetrics(registry, () => (time += 4));
  const call = (invoke: Invoke, semver: string, name = "s.t") => {
    const version = createTestVersion({ semver, tools: [{ name, server: "s" }] });
    const tool = version.tools.get(name);
    if (tool === undefined) throw new Error("the test version lost its tool");
    return around(invoke)({ version, tool, input: {}, principal: LOCAL_PRINCIPAL });
  };
  return { registry, call };
}

const succeed: Invoke = async () => ({ ok: true, output: null, ...HANDLE });

test("calls are counted by their result, with how long they took", async () => {
  const { registry, call } = setUp();
  const error = { code: 1003, name: "TIME_LIMIT", message: "" } as const;
  await call(succeed, "1.0.0");
  await call(succeed, "1.0.0");
  await call(async () => ({ ok: false, error, row: ERRORS.TIME_LIMIT, ...HANDLE }), "1.0.0");
  await call(async () => {
    expect(await registry.metrics()).toContain("cairn_tool_calls_in_flight 1");
    return { ok: true, output: null, ...HANDLE };
  }, "2.0.0");
  const text = await registry.metrics();
  expect(text).toContain('cairn_tool_calls_total{server="s",tool="s.t",version="1.0.0",outcome="ok"} 2');
  expect(text).toContain('cairn_tool_calls_total{server="s",tool="s.t",version="1.0.0",outcome="TIME_LIMIT"} 1');
  expect(text).toContain('cairn_tool_call_duration_seconds_sum{server="s",tool="s.t",version="2.0.0"} 0.004');
  expect(text).toContain("cairn_tool_calls_in_flight 0");
});

test("however many versions and tools are called, the series stay bounded", async () => {
  const { registry, call } = setUp();
  for (let index = 0; index < 60; index += 1) await call(succeed, `1.0.${index}`);
  for (let index = 0; index < 1200; index += 1) await call(succeed, "1.0.0", `s.t${index}`);
  const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("cairn_tool_calls_total{"));
  expect(lines.length).toBe(1001);
  expect(lines).toContain('cairn_tool_calls_total{server="s",tool="s.t",version="other",outcome="ok"} 10');
  expect(lines).toContain('cairn_tool_calls_total{server="other",tool="other",version="other",outcome="ok"} 251');
});
