import { CairnError } from "../errors.ts";
import { OPEN_FEEDBACK } from "../store/keys.ts";
import type { RecordDesk } from "../capabilities/work/desk.ts";

/** Feedback of one tenant that is being worked on, or waits. */
const OPEN_LIMIT = 64;

/** @throws RATE_LIMITED where as much feedback of the tenant is open as may be at a time. */
export async function assertRoom(desk: Pick<RecordDesk, "glance" | "tenant">): Promise<void> {
  const open = (await desk.glance(OPEN_FEEDBACK, 10_000)).filter(({ value }) => value === desk.tenant).length;
  if (open < OPEN_LIMIT) return;
  const text = `${open} pieces of feedback are being worked on or wait; no more are taken before one has ended.`;
  throw new CairnError("RATE_LIMITED", text, { details: { retryAfter: 60 } });
}
