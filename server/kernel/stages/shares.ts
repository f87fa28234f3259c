import type { ErrorBody } from "../../errors.ts";
import type { Effects, Stage, Staged } from "../transaction.ts";
import { type Keyed, toAnswerShare } from "./answers.ts";
import type { CallState } from "./call-state.ts";
import type { Ran } from "./run-handler.ts";

/** What has a share in the commit of a call's record, and whether the call fails when that cannot be written. */
export interface Shares {
  /** Absent: nothing but the record is written. */
  readonly stage?: Stage;
  readonly isBinding: boolean;
}

const NOTHING: Shares = Object.freeze({ isBinding: false });

/** Of a call that succeeds: what its handler changed, the answer under its idempotency key, and what it cost. */
export function toShares(state: CallState, ran: Extract<Ran, { ok: true }>): Shares {
  const { call, charge } = state;
  const { output, content, effects } = ran;
  const { sideEffect } = call.tool;
  if (call.idempotencyKey === undefined && charge === undefined) {
    if (effects === undefined) return sideEffect ? BINDING : NOTHING;
    return { stage: effects, isBinding: sideEffect || effects.staged().check.length > 0 };
  }
  const answer = toAnswerShare(call, toKeyed(state), { output, ...(content === undefined ? {} : { content }) });
  const own = effects?.staged();
  const staged: Staged = {
    check: [...(own?.check ?? []), ...(answer?.check ?? [])],
    set: [...(own?.set ?? []), ...(answer?.set ?? [])],
    del: own?.del ?? [],
    add: charge?.toAdds(true) ?? [],
    append: own?.append ?? [],
    renew: own?.renew ?? [],
  };
  return { stage: { staged: () => staged }, isBinding: sideEffect || staged.check.length > 0 };
}

const BINDING: Shares = Object.freeze({ isBinding: true });

/**
 * Of a call that failed: what it cost, unless it goes on with an answer to its question; and the error under its key if
 * something was done that cannot be undone. Without such, the same key may yet succeed.
 */
export function toSharesOfFailure(state: CallState, effects: Effects | undefined, error: ErrorBody): Shares {
  const { call, charge } = state;
  if (call.idempotencyKey === undefined && charge === undefined) return NOTHING;
  const isFinal = effects?.isIrreversible() === true;
  const answer = isFinal ? toAnswerShare(call, toKeyed(state), { error }) : undefined;
  const add = error.name === "INPUT_REQUIRED" ? [] : (charge?.toAdds(false) ?? []);
  if (answer === undefined && add.length === 0) return NOTHING;
  const staged: Staged = { check: [], set: [], ...answer, del: [], add };
  return { stage: { staged: () => staged }, isBinding: answer !== undefined };
}

function toKeyed({ conversationId, keyedDigest }: CallState): Keyed {
  return { conversationId, digest: keyedDigest };
}
