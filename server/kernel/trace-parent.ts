import { type SpanContext, createTraceState } from "@opentelemetry/api";

/** Characters of `tracestate` that are passed on (W3C Trace Context §3.3.1.5 asks for 512 at least). */
const STATE_LIMIT = 512;
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads `traceparent` and `tracestate` (W3C Trace Context level 2); undefined where they are not well-formed. */
export function readTraceParent({
  traceparent = "",
  tracestate,
}: {
  readonly traceparent?: string;
  readonly tracestate?: string;
}): SpanContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", rest] = PARENT.exec(traceparent) ?? [];
  const isWrong = version === undefined || version === "ff" || (version === "00" && rest !== undefined);
  if (isWrong || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(tracestate === undefined || tracestate.length > STATE_LIMIT
      ? {}
      : { traceState: createTraceState(tracestate) }),
  };
}
