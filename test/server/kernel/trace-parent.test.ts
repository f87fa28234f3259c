import { describe, expect, test } from "vitest";
import { toOrigin, withTraceOf } from "../../../server/kernel/origin.ts";
import { readTraceParent } from "../../../server/kernel/trace-parent.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

describe("traceparent", () => {
  test.each([
    [`00-${TRACE}-${SPAN}-01`, 1],
    [`00-${TRACE}-${SPAN}-00`, 0],
    [`cc-${TRACE}-${SPAN}-03-what-comes`, 1],
  ])("%s is read", (traceparent, traceFlags) => {
    expect(readTraceParent({ traceparent })).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags, isRemote: true });
  });

  test.each([
    "",
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  ])("`%s` is not", (traceparent) => {
    expect(readTraceParent({ traceparent })).toBeUndefined();
  });
});

test("an id of a request is taken when it is well-formed, and the message's own trace before that of its request", () => {
  const createId = () => "made";
  const headers = { "x-request-id": "given-1", traceparent: "outer" };
  const origin = toOrigin(headers, createId, "tools/call");
  expect(origin).toEqual({ requestId: "given-1", method: "tools/call", traceparent: "outer" });
  for (const wrong of ["", "a b", "a\nb", "a".repeat(129), ["a", "b"]]) {
    expect(toOrigin({ "x-request-id": wrong }, createId)).toEqual({ requestId: "made" });
  }
  expect(withTraceOf(origin, { traceparent: "inner", tracestate: "v=1" })).toEqual({
    requestId: "given-1",
    method: "tools/call",
    traceparent: "inner",
    tracestate: "v=1",
  });
  expect(withTraceOf(origin, { traceparent: 1 })).toBe(origin);
  expect(withTraceOf(origin, undefined)).toBe(origin);
});
