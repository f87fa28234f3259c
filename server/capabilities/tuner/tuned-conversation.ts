import { errorRow, CairnError, type ErrorName, isErrorName } from "../../errors.ts";
import { createRecordReader } from "../../json/stored.ts";
import { tunedKey, tuningLog } from "../../store/keys.ts";
import type { Json } from "../../store/store.ts";
import type { Assignments, Credit, FirstCall } from "../../kernel/assigner.ts";
import type { TuningEvent } from "./state/tuning-event.ts";

/** Conversation or requested choice that a reward is credited to. */
export interface TunedConversation {
  readonly schemaVersion: 1;
  readonly commit: string;
  readonly version: string;
  readonly actor: string;
  /** Milliseconds since 1970, as in the event. */
  readonly at: number;
  /** `ok`, or the name of the error that its first call ended with. */
  readonly outcome: string;
  readonly assignments: Assignments;
  /** Set once there was one. */
  readonly reward?: number;
}

export const readTunedConversation = createRecordReader<TunedConversation>("tuned-conversation");

/** Failures of others: they hit whatever was given, and say nothing of it. */
const OF_OTHERS: ReadonlySet<string> = new Set<ErrorName>(["UPSTREAM_ERROR", "UPSTREAM_TIMEOUT", "UNAVAILABLE"]);

/**
 * Writes that credit a conversation, for the commit of its first call. A call that its caller got wrong, that failed
 * because another service did, or that waits for an answer, says nothing of the values it was given, and writes nothing.
 */
export function toCredit(call: FirstCall): Credit {
  const { tenant, commit, version, actor, conversationId, outcome, assignments, startedAt: at } = call;
  const isFault =
    isErrorName(outcome) && errorRow(new CairnError(outcome, "")).status >= 500 && !OF_OTHERS.has(outcome);
  if (outcome !== "ok" && !isFault) return NOTHING;
  const conversation: TunedConversation = { schemaVersion: 1, commit, version, actor, at, outcome, assignments };
  const events = Object.entries(assignments).map(([experiment, { seq: _seq, propensities, ...given }]) => {
    const event: TuningEvent = isFault
      ? {
          kind: "failed",
          conversation: conversationId,
          ...given,
          ...(propensities === undefined ? {} : { propensities }),
          at,
        }
      : { kind: "assigned", conversation: conversationId, ...given, at };
    return { log: tuningLog(tenant, commit, experiment), entry: event as unknown as Json };
  });
  return {
    set: [{ key: tunedKey(tenant, conversationId), value: conversation as unknown as Json }],
    append: events,
  };
}

const NOTHING: Credit = { set: [], append: [] };
