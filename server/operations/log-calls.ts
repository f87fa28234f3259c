import type { ErrorName } from "../errors.ts";
import type { Invoke } from "../invoke/call.ts";
import { toCallFields } from "../invoke/call-fields.ts";
import type { Log } from "../log.ts";

/** Ends that are nobody's failure. */
const EXPECTED: ReadonlySet<ErrorName> = new Set(["INPUT_REQUIRED", "CANCELLED"]);

/** One line for each call: a warning where it failed, else for debugging. */
export function createLogCalls(log: Log): (invoke: Invoke) => Invoke {
  return (invoke) => async (call) => {
    const result = await invoke(call);
    const failed = !result.ok && !EXPECTED.has(result.error.name);
    if (!failed && !log.isLevelEnabled("debug")) return result;
    const { conversationId, durationMs } = result;
    const outcome = result.ok ? { outcome: "ok" } : { outcome: result.error.name, reason: result.error.message };
    const fields = { ...toCallFields(call, conversationId), durationMs, ...outcome };
    if (failed) log.warn(fields, "call failed");
    else log.debug(fields, "call");
    return result;
  };
}
