import { describe, expect, test } from "vitest";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { readAnswers, toInputRequired } from "../../../server/protocol/questions.ts";
import { createRequestStates, type StateBinding } from "../../../server/protocol/request-state.ts";

const states = createRequestStates(Buffer.alloc(32), () => 0);
const binding: StateBinding = { principal: LOCAL_PRINCIPAL, commit: "c", method: "m", name: "n", digest: "d" };
const resume = { conversationId: "id", seed: "5eed" };

describe("questions of a request", () => {
  test("go to the client by their keys, with a state that brings back what was answered before", () => {
    const asked = toInputRequired(
      [
        { key: "a", method: "elicitation/create", params: { message: "A?" } },
        { key: "b", method: "roots/list", params: {} },
      ],
      { answers: { before: 1 }, resume },
      binding,
      states,
    );
    expect(asked).toEqual({
      resultType: "input_required",
      inputRequests: {
        a: { method: "elicitation/create", params: { message: "A?" } },
        b: { method: "roots/list", params: {} },
      },
      requestState: expect.any(String) as string,
    });
    const { requestState } = asked;
    expect(readAnswers({ requestState }, binding, states)).toEqual({ answers: { before: 1 }, resume });
    expect(readAnswers({ requestState, inputResponses: { before: 2, a: 3 } }, binding, states)).toEqual({
      answers: { before: 2, a: 3 },
      resume,
    });
  });

  test("have no answers in a first request", () => {
    expect(readAnswers({}, binding, states)).toEqual({ answers: {} });
  });

  test.each([null, [], "a", 1])("cannot be answered with %j", (inputResponses) => {
    expect(() => readAnswers({ inputResponses }, binding, states)).toThrow(
      "`inputResponses` must be an object: the answers by the keys of their questions.",
    );
  });
});
