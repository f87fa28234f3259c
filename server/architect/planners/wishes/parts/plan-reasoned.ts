import type { Message } from "../../../message/message.ts";
import type { Plan } from "../../plan.ts";
import type { Around } from "../lists/plan-list.ts";
import { withoutReasons } from "../plain/reasons.ts";
import { toReadings } from "../readings.ts";

/**
 * Plans a message without what only says why something is wanted: "Prices will follow the market soon, so set deterministic to
 * false". Undefined unless that is sure by itself, and the first thing that is offered for all of the message.
 */
export async function planReasoned(
  message: Message,
  otherwise: Plan | undefined,
  { read, places }: Around,
): Promise<Plan | undefined> {
  const [first] = otherwise?.kind === "reject" ? (otherwise.readings ?? []) : [];
  const rest = first === undefined ? undefined : withoutReasons(message, places);
  if (rest === undefined) return undefined;
  const { plan, deeds } = await read(rest);
  if (deeds === undefined || plan === undefined || plan.kind === "reject") return undefined;
  const [own] = toReadings([{ plan, share: 1 }], 1);
  return own?.title === first?.title ? plan : undefined;
}
