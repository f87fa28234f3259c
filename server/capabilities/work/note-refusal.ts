import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { runLog } from "../../store/keys.ts";
import type { Json } from "../../store/store.ts";
import { findRun, toEvent, type WorkDesk } from "./desk.ts";
import { toRecord } from "./task.ts";

/**
 * Has the journal of a run say what was refused in it. The call that was refused leaves nothing else behind, so this is
 * written at once. Of runs that the caller cannot see, nothing is said.
 */
export async function noteRefusal(desk: WorkDesk, runId: string, syscall: string, error: unknown): Promise<void> {
  if (!(error instanceof CairnError)) return;
  const found = await findRun(desk, runId).catch(() => undefined);
  if (found === undefined) return;
  const { tenant, record: run } = found;
  const message = error.message.slice(0, MESSAGE_LENGTH);
  // What a command reached before it was given up.
  const connections = isObject(error.details) ? error.details["connections"] : undefined;
  const details = { syscall, message, ...(connections === undefined ? {} : { connections: connections as Json }) };
  const event = toEvent(desk, run, "refused", details);
  await desk.appendNow(runLog(tenant, runId), toRecord({ ...event, error: error.name }));
}

const MESSAGE_LENGTH = 1000;
