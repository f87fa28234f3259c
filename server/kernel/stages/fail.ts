import { CairnError, ERRORS, errorRow, toErrorBody } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { toFields } from "../../log/log.ts";
import { holds, LOGS_READ, type Principal } from "../../principal.ts";
import type { Result } from "../call.ts";
import { toCallFields } from "../call-fields.ts";
import type { CallState } from "./call-state.ts";
import type { Failed } from "./run-handler.ts";
import { save, type SaveOptions } from "./save.ts";
import { toFailureCommit } from "./call-commit.ts";
import { type BodyOptions, withBody } from "./body.ts";
import { toRecord } from "./to-record.ts";

export interface FailOptions extends SaveOptions, BodyOptions {
  /** Hears of calls that limits have refused, which leave no record: a flood of them must not fill the store. */
  readonly onRefused: (error: unknown, who: Principal) => void;
  readonly now: () => number;
}

/** The stage that ends a call that failed: logs a defect, writes the record, and makes the result. Does not reject. */
export async function fail(
  options: FailOptions,
  state: CallState,
  { error, effects, questions, tape }: Omit<Failed, "ok">,
): Promise<Pick<Extract<Result, { ok: false }>, "ok" | "error" | "row" | "frames" | "pending">> {
  const { journal, log, now } = options;
  const { call, id, redactor, conversationId, seed } = state;
  const { principal } = call;
  const row = errorRow(error);
  const body = toErrorBody(error, id, redactor);
  // Only the answer to this caller says more, and the log with it: records and kept answers are for others, too.
  const readsLogs = holds(principal, LOGS_READ);
  const isTold = row === ERRORS.HANDLER_ERROR && readsLogs;
  const isInner = call.parent !== undefined;
  const shown = readsLogs && (isTold || !isInner) ? toErrorBody(error, id, redactor, true) : body;
  if (!row.exposed && !isTold) {
    const err = error instanceof Error ? redactor.json(toFields(error)) : error;
    log.error(
      { ...toCallFields(call, conversationId), err, incident: id },
      row === ERRORS.HANDLER_ERROR ? "handler failed" : "call failed by a defect",
    );
  }
  const isRefused = !state.isAdmitted && (body.name === "RATE_LIMITED" || body.name === "UNAVAILABLE");
  if (isRefused) options.onRefused(error, principal);
  if (!isRefused && !journal.isBroken(principal.tenant)) {
    const record = toRecord(state, effects, now(), body.name, undefined, body.message);
    const commit = withBody(
      toFailureCommit(state, effects, body),
      state,
      { error: body, ...defined({ tape }) },
      options,
    );
    await Promise.resolve(save(options, record, commit)).catch((failure: unknown) => {
      log.error({ ...toCallFields(call, conversationId), err: failure }, "record of a failed call was not written");
    });
  }
  const pending = body.name === "INPUT_REQUIRED" ? { pending: { questions, resume: { conversationId, seed } } } : {};
  const frames = isInner && error instanceof CairnError && error.frames ? { frames: error.frames } : {};
  return { ok: false, error: shown, row, ...frames, ...pending };
}
