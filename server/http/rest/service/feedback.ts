import { type FeedbackRecord, readFeedbackRecord } from "../../../architect/pipeline/feedback-record.ts";
import { ARCHITECT } from "../../../auth/scopes.ts";
import type { ToPrincipal } from "../../../auth/to-principal.ts";
import { feedbackOf } from "../../../store/keys.ts";
import type { Store } from "../../../store/store.ts";
import type { Registry } from "../../../versions/registry/registry-types.ts";
import { part } from "../../create-route.ts";
import { toJsonDocument } from "../../document.ts";
import { mayReadFeedback, toStatus } from "../architect.ts";
import { readCursor, readIntegerParameter, readTextParameters, CURSOR, toCursor } from "../query-parameters.ts";
import { CURSOR_PARAMETER, type Operation, toLimitParameter } from "./operation.ts";

export interface FeedbackOptions {
  readonly registry: Pick<Registry, "resolve">;
  readonly toPrincipal: ToPrincipal;
  readonly store: Pick<Store, "scan">;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** Records that one request looks at; of a page of others' feedback, it ends early and names the next. */
const LOOKED_AT = 1_000;
/** Characters of a message in the list. */
const MESSAGE_LENGTH = 500;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates the list of feedback that a caller may read: their own, and all of the tenant with the right to send some. */
export function createFeedbackOperation({ registry, toPrincipal, store }: FeedbackOptions): Operation {
  return {
    path: "/agent/{version}/architect/feedback",
    id: "list_feedback",
    summary: "Feedback of the caller's tenant about any version, the newest first, and where each stands",
    access: ARCHITECT,
    query: { limit: toLimitParameter(DEFAULT_LIMIT, MAX_LIMIT), cursor: CURSOR_PARAMETER },
    schema: "feedback-list",
    async answer(event, caller) {
      const { searchParams: search } = event.url;
      readTextParameters(search, [], ["limit", CURSOR]);
      const limit = readIntegerParameter(search, "limit", DEFAULT_LIMIT, [1, MAX_LIMIT]);
      const before = readCursor(search, UUID);
      const { version } = await registry.resolve(part(event, "version"));
      const principal = toPrincipal(version, caller);
      const prefix = feedbackOf(principal.tenant);
      const from = before === undefined ? {} : { after: [...prefix, before] };
      const feedback: ReturnType<typeof toItem>[] = [];
      let [last, looked]: [string | undefined, number] = [undefined, 0];
      for await (const { key, value } of store.scan({ prefix, reverse: true, limit: LOOKED_AT, ...from })) {
        [last, looked] = [String(key.at(-1)), looked + 1];
        const record = readFeedbackRecord(value);
        if (mayReadFeedback(principal, record)) feedback.push(toItem(record));
        if (feedback.length === limit) break;
      }
      const hasMore = feedback.length === limit || looked === LOOKED_AT;
      const next = hasMore && last !== undefined ? { next: toCursor(last) } : {};
      return { document: toJsonDocument({ feedback, ...next }) };
    },
  };
}

function toItem(record: FeedbackRecord) {
  const { actor, message } = record;
  return { ...toStatus(record), actor, message: message.slice(0, MESSAGE_LENGTH).toWellFormed() };
}
