import {
  type Attributes,
  INVALID_SPANID,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import type { Sampler } from "../../config/config-traces.ts";
import type { RandomBytes } from "../../identifiers.ts";

/** A span that has ended. */
export interface EndedSpan {
  readonly context: SpanContext;
  /** Sixteen hexadecimal digits; absent for the first span of a trace. */
  readonly parentId?: string;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with fractions. */
  readonly began: number;
  readonly ended: number;
  readonly attributes: Attributes;
  readonly status: SpanStatus;
}

export interface TracerOptions {
  readonly sampler: Sampler;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that nobody sets. */
  readonly elapsed: () => number;
  readonly randomBytes: RandomBytes;
  /** Takes each span that is sampled, when it ends. */
  readonly onEnd: (span: EndedSpan) => void;
}

/** The part of OpenTelemetry's tracer that Cairn uses. Events, links and active spans have no users, so they are ignored. */
export function createTracer({ sampler, now, elapsed, randomBytes, onEnd }: TracerOptions): Pick<Tracer, "startSpan"> {
  return Object.freeze({
    startSpan(name: string, { kind = SpanKind.INTERNAL, attributes = {} }: SpanOptions = {}, context): Span {
      const parent = context === undefined ? undefined : trace.getSpanContext(context);
      const traceId = parent?.traceId ?? toHex(randomBytes(16));
      const isSampled = decide(sampler, parent, traceId);
      const own: SpanContext = {
        traceId,
        spanId: toHex(randomBytes(8)),
        traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        ...(parent?.traceState === undefined ? {} : { traceState: parent.traceState }),
      };
      if (!isSampled) return trace.wrapSpanContext(own);
      const [began, since] = [now(), elapsed()];
      let isOpen = true;
      let status: SpanStatus = { code: SpanStatusCode.UNSET };
      const all: Attributes = { ...attributes };
      const span: Span = {
        spanContext: () => own,
        setAttribute: (key, value) => ((all[key] = value), span),
        setAttributes: (more) => (Object.assign(all, more), span),
        setStatus: (next) => ((status = next), span),
        updateName: () => span,
        addEvent: () => span,
        addLink: () => span,
        addLinks: () => span,
        recordException: () => undefined,
        isRecording: () => isOpen,
        end() {
          if (!isOpen) return;
          isOpen = false;
          const parentId = parent === undefined || parent.spanId === INVALID_SPANID ? {} : { parentId: parent.spanId };
          onEnd({
            context: own,
            ...parentId,
            name,
            kind,
            began,
            ended: began + elapsed() - since,
            attributes: all,
            status,
          });
        },
      };
      return span;
    },
  } satisfies Pick<Tracer, "startSpan">);
}

/** Source: the specification of `TraceIdRatioBased`, by the 56 bits of a trace id that W3C Trace Context has at random. */
function decide({ followsParent, ratio }: Sampler, parent: SpanContext | undefined, traceId: string): boolean {
  if (followsParent && parent !== undefined) return (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
  return Number.parseInt(traceId.slice(-14), 16) < ratio * 2 ** 56;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
