import type { ErrorBody } from "../errors.ts";
import type { Invoke } from "../kernel/call.ts";
import { toCallFields } from "../kernel/call-fields.ts";
import type { Log } from "../log/log.ts";

/** Least status of failures by the service: callers' mistakes must not fill the log. */
const SERVER_FAULT = 500;

/** One line for each call: a warning where it failed by no fault of its caller, else for debugging. */
export function createLogCalls(log: Log): (invoke: Invoke) => Invoke {
  return (invoke) => async (call) => {
    const result = await invoke(call);
    const failed = !result.ok && result.row.status >= SERVER_FAULT;
    if (!failed && !log.isLevelEnabled("debug")) return result;
    const { conversationId, durationMs } = result;
    const outcome = result.ok ? { outcome: "ok" } : toReason(result.error);
    const fields = { ...toCallFields(call, conversationId), durationMs, ...outcome };
    if (failed) log.warn(fields, "call failed");
    else log.debug(fields, "call");
    return result;
  };
}

function toReason({ name, message, details }: ErrorBody): object {
  return { outcome: name, reason: message, ...(name === "HANDLER_ERROR" && details !== undefined ? { details } : {}) };
}
