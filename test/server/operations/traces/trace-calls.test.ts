import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import { CairnError, ERRORS } from "../../../../server/errors.ts";
import type { Call, Result } from "../../../../server/kernel/call.ts";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import { createTraceCalls, findTracer } from "../../../../server/operations/traces/trace-calls.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const HANDLE = { conversationId: "c1", logsUri: "logs://c1", durationMs: 1 };
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, tracestate: "vendor=1" };

function setUp() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const traces = createTraceCalls(provider.getTracer("test"));
  const version = createTestVersion({ tools: [{ name: "s.t", server: "s" }] });
  const tool = version.tools.get("s.t");
  if (tool === undefined) throw new Error("the test version lost its tool");
  const call: Call = { version, tool, input: { secret: "in" }, principal: LOCAL_PRINCIPAL };
  return { traces, call, tool, spans: () => exporter.getFinishedSpans() };
}

test("a call is a span below the one that its request names, and what its handler asks for is a span below that", async () => {
  const { traces, call, tool, spans } = setUp();
  const dispatch = traces.dispatch(async () => "out");
  const invoke = traces.around(async ({ span }): Promise<Result> => {
    const running = createRunningCall({ tool, call: span === undefined ? {} : { span } });
    await dispatch(running, "state.get", { key: "secret" });
    return { ok: true, output: "out", ...HANDLE };
  });
  await invoke({ ...call, origin: { requestId: "r1", method: "tools/call", ...PARENT } });
  const [asked, called] = spans();
  expect(called).toMatchObject({
    name: "tools/call s.t",
    parentSpanContext: { spanId: "b7ad6b7169203331" },
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "s.t",
      "gen_ai.conversation.id": "c1",
      "cairn.version": "1.0.0",
    },
  });
  expect(called?.spanContext().traceId).toBe(TRACE);
  expect(called?.spanContext().traceState?.get("vendor")).toBe("1");
  expect(asked).toMatchObject({ name: "ctx.state.get", parentSpanContext: { spanId: called?.spanContext().spanId } });
  expect(JSON.stringify(spans().map(({ attributes, name }) => [attributes, name]))).not.toMatch(/secret|"in"|"out"/);
});

test("a call that fails has its error's name as type, and no message", async () => {
  const { traces, call, spans } = setUp();
  const error = { code: 1007, name: "UPSTREAM_ERROR", message: "secret" } as const;
  await traces.around(async () => ({ ok: false, error, row: ERRORS.UPSTREAM_ERROR, ...HANDLE }))(call);
  expect(spans()[0]).toMatchObject({
    name: "execute_tool s.t",
    attributes: { "error.type": "UPSTREAM_ERROR" },
    status: { code: 2 },
  });
  expect(spans()[0]?.status.message).toBeUndefined();
});

test("a syscall that fails ends its span, and the error goes on", async () => {
  const { traces, tool, spans } = setUp();
  const dispatch = traces.dispatch(() => Promise.reject(new CairnError("EGRESS_DENIED", "secret")));
  const span = trace.setSpanContext(ROOT_CONTEXT, { traceId: TRACE, spanId: "b7ad6b7169203331", traceFlags: 1 });
  await expect(dispatch(createRunningCall({ tool, call: { span } }), "fetch", {})).rejects.toThrow("secret");
  expect(spans()[0]).toMatchObject({ name: "ctx.fetch", attributes: { "error.type": "EGRESS_DENIED" }, events: [] });
});

test("without an SDK there is no tracer, so that calls make no spans", () => {
  expect(findTracer("1.0.0")).toBeUndefined();
});
