import { hash } from "node:crypto";
import { CairnError, type ErrorBody, ERRORS, isErrorName } from "../../errors.ts";
import { answerKey, plainAnswerKey } from "../../store/keys.ts";
import type { Entry, Json, Key, Store } from "../../store/store.ts";
import { createRecordReader } from "../../json/stored.ts";
import type { CommitPart } from "../transaction.ts";
import type { Call, Result } from "../call.ts";
import { createQueues } from "../../serial.ts";
import { createReservations } from "./reservations.ts";
import { seal, unseal } from "../../store/seal.ts";

/** Milliseconds that an answer is kept under its idempotency key. */
export const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1000;

/** The answer to a call; `error` when it failed after something that cannot be undone. */
interface Answer {
  readonly output?: Json;
  readonly content?: readonly Json[];
  readonly error?: ErrorBody;
}

/** The stored answer to a call with an idempotency key. */
export interface AnswerRecord extends Answer {
  readonly schemaVersion: 1;
  readonly conversationId: string;
  /** SHA-256 of `Keyed.digest`; that digest itself in records whose answer is not sealed. */
  readonly inputDigest: string;
  /** The answer, encrypted with `Keyed.digest`; records of before hold it as it is. */
  readonly sealed?: string;
}

/** Identity of a call with a key, by which it finds its answer. */
export interface Keyed {
  readonly conversationId: string;
  /**
   * SHA-256 of the idempotency key and the input's canonical JSON. Kept nowhere: only a retry can bring it again, so whoever
   * reads the store cannot read what `redact` names, or find it by trying inputs.
   */
  readonly digest: string;
}

export const readAnswerRecord = createRecordReader<AnswerRecord>("answer-record");

/** A `Result`, but for what is different each time. */
export type Answered =
  | Pick<Extract<Result, { ok: true }>, "ok" | "output" | "outputText" | "content" | "conversationId">
  | Pick<Extract<Result, { ok: false }>, "ok" | "error" | "row" | "conversationId">;

/** Has calls with the same idempotency key done once (draft-ietf-httpapi-idempotency-key-header). */
export interface Answers {
  /** Runs calls with the same key one after the other: the second finds what the first was answered. */
  inTurn(call: Call, work: () => Promise<Result>): Promise<Result>;
  /** The answer to the key's call. @throws UNPROCESSABLE when that had another input; UNAVAILABLE when nobody knows. */
  find(call: Call, digest: string): Promise<Answered | undefined>;
}

/** `isShared`: other nodes use the store, so that a key is reserved before anything is done. */
export function createAnswers(store: Store, isShared: boolean): Answers {
  const queues = createQueues();
  const reservations = isShared ? createReservations(store) : undefined;

  async function load(key: Key, plainKey: Key): Promise<Entry | undefined> {
    try {
      return (await store.get(key)) ?? (await store.get(plainKey));
    } catch (cause) {
      const message = "Whether there was a call with this idempotency key cannot be found out now; try again.";
      throw new CairnError("UNAVAILABLE", message, { cause });
    }
  }

  return {
    inTurn(call, work) {
      const key = keyOf(call, reservationKey);
      const reserved =
        reservations === undefined || key === undefined
          ? work
          : // A right that cannot be given back ends by itself.
            () => work().finally(() => reservations.release(key).catch(() => undefined));
      return queues.run(JSON.stringify(keyOf(call)), reserved);
    },
    async find(call, digest) {
      const key = keyOf(call);
      const plainKey = keyOf(call, plainAnswerKey);
      if (key === undefined || plainKey === undefined) return undefined;
      const find = () => load(key, plainKey);
      const reserved = keyOf(call, reservationKey);
      const entry = await (reservations === undefined || reserved === undefined
        ? find()
        : reservations.take(reserved, call.tool.limits.time, find));
      if (entry === undefined) return undefined;
      const { conversationId, sealed, inputDigest, ...plain } = readAnswerRecord(entry.value);
      if (inputDigest !== (sealed === undefined ? digest : hash("sha256", digest))) {
        // The message is recorded, so it does not have the key in it.
        throw new CairnError(
          "UNPROCESSABLE",
          `This idempotency key was used for a call of \`${call.tool.name}\` with another input; a new call needs a new key.`,
        );
      }
      const { error, output = null, content } = sealed === undefined ? plain : (unseal(sealed, digest, key) as Answer);
      if (error !== undefined) {
        return {
          ok: false,
          error,
          row: ERRORS[isErrorName(error.name) ? error.name : "INTERNAL_ERROR"],
          conversationId,
        };
      }
      const outputText = JSON.stringify(output);
      return { ok: true, output, outputText, conversationId, ...(content === undefined ? {} : { content }) };
    },
  };
}

/** The answer under the call's key, for the commit of its record; that fails if there is one already. Nothing without a key. */
export function toAnswerPart(call: Call, { conversationId, digest }: Keyed, answer: Answer): CommitPart | undefined {
  const key = keyOf(call);
  if (key === undefined) return undefined;
  const sealed = seal(answer as unknown as Json, digest, key);
  const value = {
    schemaVersion: 1,
    conversationId,
    inputDigest: hash("sha256", digest),
    sealed,
  } satisfies AnswerRecord;
  return { check: [{ key, rev: 0 }], set: [{ key, value, ttl: ANSWERS_KEPT_MS }] };
}

function reservationKey(...call: Parameters<typeof answerKey>): Key {
  return ["reserved", ...answerKey(...call)];
}

function keyOf({ principal, version, tool, idempotencyKey }: Call, toKey = answerKey): Key | undefined {
  if (idempotencyKey === undefined) return undefined;
  return toKey(principal.tenant, version.commit, tool.name, principal.actor, idempotencyKey);
}
