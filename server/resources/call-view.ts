import { defined } from "../json/defined.ts";
import type { CallRecord } from "../kernel/record.ts";
import { toTime } from "../text/to-time.ts";

/** Shows the record of a call to those who may read it: what it ran with, what came of it, and its lines of log. */
export function toCallView(record: CallRecord) {
  return {
    id: record.id,
    conversation_id: record.conversationId,
    ...defined({ parent: record.parent }),
    tool: record.tool,
    tool_version: record.toolVersion,
    version: record.version,
    commit: record.commit,
    actor: record.actor,
    ...defined({ approval: record.approval }),
    ...defined({ request_id: record.requestId, environment: record.environment }),
    started_at: toTime(record.startedAt),
    duration_ms: record.durationMs,
    outcome: record.outcome,
    ...defined({ message: record.message }),
    parameters: record.parameters,
    logs: record.logs.map(({ at, ...line }) => ({ at: toTime(at), ...line })),
  };
}
