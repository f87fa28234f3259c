import { trace } from "@opentelemetry/api";
import type { Call } from "./call.ts";
import { readTraceParent } from "./trace-parent.ts";

/** Fields of every line of the log that concerns a call. */
export function toCallFields({ origin, principal, tool, version, span }: Call, conversationId: string): object {
  const context = span === undefined ? origin && readTraceParent(origin) : trace.getSpanContext(span);
  return {
    ...(origin === undefined ? {} : { request: origin.requestId }),
    conversation: conversationId,
    tenant: principal.tenant,
    tool: tool.name,
    version: version.semver,
    commit: version.commit,
    ...(version.preview === undefined ? {} : { preview: version.preview }),
    ...(context === undefined ? {} : { trace: context.traceId }),
  };
}
