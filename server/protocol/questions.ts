import type { Json } from "../json/types.ts";
import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import type { Question } from "../kernel/call.ts";
import type { Params } from "./json-rpc.ts";
import type { RequestState, RequestStates, StateBinding } from "./request-state.ts";

/** Reads the answers to questions of an earlier request. */
export function readAnswers(
  { inputResponses, requestState }: Params,
  binding: StateBinding,
  states: RequestStates,
): RequestState {
  const before = requestState === undefined ? { answers: {} } : states.read(requestState, binding);
  if (inputResponses === undefined) return before;
  if (!isObject(inputResponses)) {
    throw new CairnError(
      "BAD_REQUEST",
      "`inputResponses` must be an object: the answers by the keys of their questions.",
    );
  }
  return { ...before, answers: { ...before.answers, ...(inputResponses as Record<string, Json>) } };
}

/** The result that asks a modern client: it answers by sending its request again. */
export function toInputRequired(
  questions: readonly Question[],
  state: RequestState,
  binding: StateBinding,
  states: RequestStates,
) {
  return {
    resultType: "input_required",
    inputRequests: Object.fromEntries(questions.map(({ key, method, params }) => [key, { method, params }])),
    requestState: states.write(state, binding),
  };
}
