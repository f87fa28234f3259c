import {
  type Attributes,
  type Context,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { CairnError } from "../../errors.ts";
import type { Call, Invoke } from "../../kernel/call.ts";
import { readTraceParent } from "../../kernel/trace-parent.ts";
import type { Dispatch } from "../../kernel/dispatch.ts";

/** Puts spans around calls, and around what their handlers ask for. */
export interface TraceCalls {
  readonly around: (invoke: Invoke) => Invoke;
  readonly dispatch: (dispatch: Dispatch) => Dispatch;
}

/**
 * Finds the receiver of spans; undefined unless an SDK registered itself before Cairn started (`NODE_OPTIONS=--import
 * ...`).
 */
export function findTracer(version: string): Pick<Tracer, "startSpan"> | undefined {
  const provider = trace.getTracerProvider();
  // The API's own stand-in would make an empty span for every call.
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer("cairn", version)
    : provider.getTracer("cairn", version);
}

/**
 * A span for each call, by OpenTelemetry's semantic conventions for MCP and generative AI, as a child of what the caller
 * sent, and one for each syscall below it. Inputs, outputs and messages are in none of them.
 */
export function createTraceCalls(tracer: Pick<Tracer, "startSpan">): TraceCalls {
  return {
    around: (invoke) => async (call) => {
      const parent = call.span ?? toContext(call);
      const { method } = call.origin ?? {};
      const isNested = call.parent !== undefined;
      const span = tracer.startSpan(
        `${isNested ? EXECUTE : (method ?? EXECUTE)} ${call.tool.name}`,
        { kind: isNested ? SpanKind.INTERNAL : SpanKind.SERVER, attributes: toAttributes(call) },
        parent,
      );
      try {
        const result = await invoke({ ...call, span: trace.setSpan(parent, span) });
        span.setAttribute("gen_ai.conversation.id", result.conversationId);
        if (!result.ok) {
          span.setAttribute("error.type", result.error.name);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        return result;
      } finally {
        span.end();
      }
    },
    dispatch: (dispatch) => async (call, name, args) => {
      if (call.span === undefined) return dispatch(call, name, args);
      const span = tracer.startSpan(`ctx.${name}`, { kind: SpanKind.INTERNAL }, call.span);
      try {
        return await dispatch(call, name, args);
      } catch (error) {
        span.setAttribute("error.type", error instanceof CairnError ? error.name : "INTERNAL_ERROR");
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
  };
}

const EXECUTE = "execute_tool";

function toContext({ origin }: Call): Context {
  const remote = origin && readTraceParent(origin);
  return remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
}

function toAttributes({ tool, version, origin, parent }: Call): Attributes {
  const { method } = origin ?? {};
  return {
    "gen_ai.operation.name": EXECUTE,
    "gen_ai.tool.name": tool.name,
    ...(method === undefined || parent !== undefined ? {} : { "mcp.method.name": method }),
    ...(origin === undefined ? {} : { "cairn.request.id": origin.requestId }),
    "cairn.server": tool.server,
    "cairn.version": version.semver,
    "cairn.commit": version.commit,
    ...(version.preview === undefined ? {} : { "cairn.preview": version.preview }),
  };
}
