import { holds, type Principal } from "../principal.ts";
import type { Version } from "../versions/version.ts";
import type { ArchitectContext } from "./pipeline/context.ts";
import type { FeedbackRecord } from "./pipeline/feedback-record.ts";

/** On whose behalf feedback is worked on: whoever sent it, with what that held then and holds still. */
export function toPrincipal(
  context: Pick<ArchitectContext, "toPrincipal">,
  version: Version,
  record: FeedbackRecord,
): Principal {
  const { tenant, actor, capabilities } = record;
  const isRevoked = (capability: string) => !holds(context.toPrincipal(version, record), capability);
  return { tenant, actor, capabilities: new Set(capabilities), isRevoked };
}
