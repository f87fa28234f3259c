import type { Principal } from "../principal.ts";
import type { FeedbackRecord } from "./feedback-record.ts";

/** On whose behalf feedback is worked on: whoever sent it, with what that held then. */
export function toPrincipal({ tenant, actor, capabilities }: FeedbackRecord): Principal {
  return { tenant, actor, capabilities: new Set(capabilities) };
}
