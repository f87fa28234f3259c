import { randomBytes } from "node:crypto";
import { ROOT_CONTEXT, trace, TraceFlags } from "@opentelemetry/api";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Sampler, TraceConfig } from "../../../../server/config/config-traces.ts";
import { createLog } from "../../../../server/log/log.ts";
import { createTracer, type EndedSpan } from "../../../../server/operations/traces/create-tracer.ts";
import { openTraceExport } from "../../../../server/operations/traces/open-export.ts";
import { type OtlpStandIn, startOtlp } from "../../../stand-ins/otlp.ts";

const ALL: Sampler = { followsParent: true, ratio: 1 };

function createTestTracer(onEnd: (span: EndedSpan) => void, sampler = ALL) {
  return createTracer({
    sampler,
    now: () => 1_800_000_000_000.25,
    elapsed: () => performance.now(),
    randomBytes,
    onEnd,
  });
}

async function openExport({ url }: Pick<OtlpStandIn, "url">, more: Partial<TraceConfig> = {}) {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => lines.push(line) });
  const config = { url: `${url}/v1/traces`, timeoutMs: 200, serviceName: "cairn", sampler: ALL, ...more };
  const exported = await openTraceExport({ config, release: "1.0.0", log });
  const tracer = createTestTracer((span) => exported.add(span));
  const span = (name: string) =>
    tracer.startSpan(name, { attributes: { n: 1, part: 0.5, ok: true, list: ["a"] } }).end();
  return { exported, span, lines };
}

describe("the export of traces", () => {
  test("sends spans as the protocol has them, with the headers of the reference, and the rest at the end", async () => {
    const receiver = await startOtlp(onTestFinished, { "api-key": "a secret" });
    const { exported, span, lines } = await openExport(receiver, { headers: { value: "api-key=a%20secret" } });
    for (let index = 0; index < 600; index++) span(`span ${index}`);
    await exported.close();
    expect(receiver.faults).toEqual([]);
    expect(receiver.spans.map(({ name }) => name)).toEqual(Array.from({ length: 600 }, (_, index) => `span ${index}`));
    expect([...receiver.services]).toEqual(["cairn"]);
    expect(receiver.spans[0]).toMatchObject({
      startTimeUnixNano: "1800000000000250000",
      attributes: [
        { key: "n", value: { intValue: "1" } },
        { key: "part", value: { doubleValue: 0.5 } },
        { key: "ok", value: { boolValue: true } },
        { key: "list", value: { arrayValue: { values: [{ stringValue: "a" }] } } },
      ],
    });
    expect(lines).toEqual([]);
  });

  test.each(["unavailable", "silent", "drop"] as const)(
    "warns once of a receiver that is %s, keeps its spans for a while, and says when it works again",
    async (mode) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const receiver = await startOtlp(onTestFinished);
      receiver.mode = mode;
      const { exported, span, lines } = await openExport(receiver);
      span("kept");
      const patience = { timeout: 10_000 };
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(60_000);
        expect(receiver.requests).toBeGreaterThanOrEqual(3);
      }, patience);
      receiver.mode = "take";
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(60_000);
        expect(receiver.spans.map(({ name }) => name)).toEqual(["kept"]);
        expect(lines).toHaveLength(2);
      }, patience);
      expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
        { level: "warn", url: `${receiver.url}/v1/traces` },
        { level: "info", lost: 0, msg: "traces are exported again" },
      ]);
      await exported.close();
    },
  );

  test("drops what a receiver refuses for good, and counts it", async () => {
    const receiver = await startOtlp(onTestFinished);
    receiver.mode = "refuse";
    const { exported, span, lines } = await openExport(receiver);
    span("refused");
    await exported.close();
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ reason: "the receiver answers 400" }]);
    expect(receiver.requests).toBe(1);
  });

  test("refuses headers that are none", async () => {
    await expect(openExport({ url: "http://127.0.0.1:9" }, { headers: { value: "no header" } })).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: expect.not.stringContaining("no header"),
    });
  });
});

describe("the tracer", () => {
  const parentOf = (traceFlags: TraceFlags) =>
    trace.setSpanContext(ROOT_CONTEXT, { traceId: "ab".repeat(16), spanId: "cd".repeat(8), traceFlags });

  test("makes children of the caller's span, and leaves out those that the caller has left out", () => {
    const ended: EndedSpan[] = [];
    const tracer = createTestTracer((span) => ended.push(span));
    const own = tracer.startSpan("own", {}, parentOf(TraceFlags.SAMPLED));
    tracer.startSpan("inner", {}, trace.setSpan(ROOT_CONTEXT, own)).end();
    own.end();
    own.end();
    tracer.startSpan("unseen", {}, parentOf(TraceFlags.NONE)).end();
    expect(ended.map(({ name, parentId }) => [name, parentId])).toEqual([
      ["inner", own.spanContext().spanId],
      ["own", "cd".repeat(8)],
    ]);
    expect(new Set(ended.map(({ context }) => context.traceId))).toEqual(new Set(["ab".repeat(16)]));
  });

  test("samples a trace wholly or not at all, and more of them at a higher share", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (id, ratio) => {
          const isSampled = (share: number) => {
            const { sampler, now, elapsed } = {
              sampler: { followsParent: false, ratio: share },
              now: () => 0,
              elapsed: () => 0,
            };
            const tracer = createTracer({
              sampler,
              now,
              elapsed,
              randomBytes: () => Buffer.from(id),
              onEnd: () => undefined,
            });
            return tracer.startSpan("a").isRecording();
          };
          expect([isSampled(0), isSampled(1)]).toEqual([false, true]);
          if (isSampled(ratio)) expect(isSampled((ratio + 1) / 2)).toBe(true);
        },
      ),
    );
  });
});
