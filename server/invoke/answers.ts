import { CairnError, type ErrorBody, ERRORS, isErrorName } from "../errors.ts";
import { answerKey } from "../store/keys.ts";
import type { Json, Store } from "../store/store.ts";
import { createRecordReader } from "../stored.ts";
import type { Staged } from "../syscalls/effects.ts";
import type { Call, Result } from "./call.ts";
import { createQueues } from "./queues.ts";

/** Milliseconds that an answer is kept under its idempotency key. */
export const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1000;

/** What the store keeps of a call with an idempotency key. */
export interface AnswerRecord {
  readonly schemaVersion: 1;
  readonly conversationId: string;
  /** SHA-256 of the key and the input's canonical JSON. */
  readonly inputDigest: string;
  /** Either these, */
  readonly output?: Json;
  readonly content?: readonly Json[];
  /** or this: of a call that failed after something that cannot be undone. */
  readonly error?: ErrorBody;
}

export const readAnswerRecord = createRecordReader<AnswerRecord>("answer-record");

/** A `Result`, but for what is different each time. */
export type Answered =
  | Pick<Extract<Result, { ok: true }>, "ok" | "output" | "content" | "conversationId">
  | Pick<Extract<Result, { ok: false }>, "ok" | "error" | "row" | "conversationId">;

/** Has calls with the same idempotency key done once (draft-ietf-httpapi-idempotency-key-header). */
export interface Answers {
  /** Runs calls with the same key one after the other: the second finds what the first was answered. */
  inTurn(call: Call, work: () => Promise<Result>): Promise<Result>;
  /** What the key's call was answered; UNPROCESSABLE when that had another input, UNAVAILABLE when nobody knows. */
  find(call: Call, inputDigest: string): Promise<Answered | undefined>;
}

export function createAnswers(store: Store): Answers {
  const queues = createQueues();
  return {
    inTurn: (call, work) => queues.run(JSON.stringify(keyOf(call)), work),
    async find(call, inputDigest) {
      const key = keyOf(call);
      if (key === undefined) return undefined;
      const entry = await store.get(key).catch((cause: unknown) => {
        const message = "Whether there was a call with this idempotency key cannot be found out now; try again.";
        throw new CairnError("UNAVAILABLE", message, { cause });
      });
      if (entry === undefined) return undefined;
      const { error, output = null, content, conversationId, ...record } = readAnswerRecord(entry.value);
      if (record.inputDigest !== inputDigest) {
        throw new CairnError(
          "UNPROCESSABLE",
          `The idempotency key \`${call.idempotencyKey ?? ""}\` was used for a call of \`${call.tool.name}\` with another input; a new call needs a new key.`,
        );
      }
      if (error !== undefined) {
        return {
          ok: false,
          error,
          row: ERRORS[isErrorName(error.name) ? error.name : "INTERNAL_ERROR"],
          conversationId,
        };
      }
      return { ok: true, output, conversationId, ...(content === undefined ? {} : { content }) };
    },
  };
}

/** The answer under the call's key, for the commit of its record; that fails if there is one already. Nothing without a key. */
export function toAnswerShare(
  call: Call,
  answer: Omit<AnswerRecord, "schemaVersion">,
): Pick<Staged, "check" | "set"> | undefined {
  const key = keyOf(call);
  if (key === undefined) return undefined;
  const value = { schemaVersion: 1, ...answer } satisfies AnswerRecord as unknown as Json;
  return { check: [{ key, rev: 0 }], set: [{ key, value, ttl: ANSWERS_KEPT_MS }] };
}

function keyOf({ principal, version, tool, idempotencyKey }: Call) {
  if (idempotencyKey === undefined) return undefined;
  return answerKey(principal.tenant, version.commit, tool.name, principal.actor, idempotencyKey);
}
