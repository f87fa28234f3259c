import type { ErrorBody } from "../../errors.ts";
import type { Effects } from "../call.ts";
import { actsOutside } from "../approvals.ts";
import { type CommitPart, joinParts } from "../transaction.ts";
import { type Keyed, toAnswerPart } from "./answers.ts";
import type { CallState } from "./call-state.ts";
import type { Ran } from "./run-handler.ts";

/** The part of the commit beside a call's record, and whether the call fails when that cannot be written. */
export interface CallCommit {
  /** Absent: nothing but the record is written. */
  readonly part?: CommitPart;
  readonly isBinding: boolean;
}

const NOTHING: CallCommit = Object.freeze({ isBinding: false });
const BINDING: CallCommit = Object.freeze({ isBinding: true });

/** Of a call that succeeds: what its handler changed, the answer under its idempotency key, and what it cost. */
export function toCallCommit(state: CallState, ran: Extract<Ran, { ok: true }>): CallCommit {
  const { call, charge } = state;
  const { output, content, effects } = ran;
  const { sideEffect } = call.tool;
  const own = effects?.staged();
  if (call.idempotencyKey === undefined && charge === undefined) {
    if (own === undefined) return sideEffect ? BINDING : NOTHING;
    return { part: own, isBinding: sideEffect || own.check.length > 0 };
  }
  const answer = toAnswerPart(call, toKeyed(state), { output, ...(content === undefined ? {} : { content }) });
  const part = joinParts(own, answer, charge && { add: charge.toAdds(true) });
  return { part, isBinding: sideEffect || part.check.length > 0 };
}

/**
 * Of a call that failed: what it cost, unless it goes on with an answer to its question; and the error under its key if
 * something was done that cannot be undone. Without such, the same key may yet succeed.
 */
export function toFailureCommit(state: CallState, effects: Effects | undefined, error: ErrorBody): CallCommit {
  const { call, charge } = state;
  if (call.idempotencyKey === undefined && charge === undefined) return NOTHING;
  const isFinal = effects?.isIrreversible() === true && !waits(state, error);
  const answer = isFinal ? toAnswerPart(call, toKeyed(state), { error }) : undefined;
  const add = error.name === "INPUT_REQUIRED" ? [] : (charge?.toAdds(false) ?? []);
  if (answer === undefined && add.length === 0) return NOTHING;
  return { part: { ...answer, add }, isBinding: answer !== undefined };
}

/**
 * Checks that a call failed because one that it made waits for approval, and can begin anew with that: the others that it
 * made are not done twice under its key.
 */
function waits({ call }: CallState, error: ErrorBody): boolean {
  return error.name === "APPROVAL_REQUIRED" && !actsOutside(call.tool);
}

function toKeyed({ conversationId, keyedDigest }: CallState): Keyed {
  return { conversationId, digest: keyedDigest };
}
