import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { createRequestStates, type RequestState, type StateBinding } from "../../../server/protocol/request-state.ts";
import { jsonValues, plainNames } from "../../helpers/json-values.ts";

const HALF_AN_HOUR = 30 * 60 * 1000;
const KEY = Buffer.alloc(32, 1);
const BINDING: StateBinding = {
  principal: LOCAL_PRINCIPAL,
  commit: "c".repeat(40),
  method: "tools/call",
  name: "runner.ask",
  digest: "d".repeat(64),
};
const states = createRequestStates(KEY, () => 0);
const state: RequestState = { resume: { conversationId: "id", seed: "5eed" }, answers: { who: { action: "accept" } } };
const foreign = expect.objectContaining({
  name: "BAD_REQUEST",
  message: "`requestState` is not what this server gave for this request.",
}) as Error;

const anyState = fc.record(
  {
    resume: fc.record({ conversationId: fc.uuid(), seed: fc.string() }),
    answers: fc.dictionary(
      plainNames,
      jsonValues().map((value) => JSON.parse(JSON.stringify(value)) as never),
    ),
  },
  { requiredKeys: ["answers"] },
);

describe("createRequestStates", () => {
  test("reads what it wrote, whatever the answers were", () => {
    fc.assert(
      fc.property(anyState, (written) => {
        expect(states.read(states.write(written as RequestState, BINDING), BINDING)).toEqual(
          JSON.parse(JSON.stringify(written)),
        );
      }),
    );
  });

  test("refuses a state in which any character is another, is missing or is one too many", () => {
    const text = states.write(state, BINDING);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(..."Aa0-_.= é"), (at, character) => {
        fc.pre(text[at] !== character);
        expect(() => states.read(text.slice(0, at) + character + text.slice(at + 1), BINDING)).toThrow(foreign);
        expect(() => states.read(text.slice(0, at) + text.slice(at + 1), BINDING)).toThrow(foreign);
        expect(() => states.read(text.slice(0, at) + character + text.slice(at), BINDING)).toThrow(foreign);
      }),
    );
    expect(() => states.read(`${text}.more`, BINDING)).toThrow(foreign);
  });

  test.each<[string, Partial<StateBinding>]>([
    ["another tenant", { principal: { ...LOCAL_PRINCIPAL, tenant: "b" } }],
    ["another actor", { principal: { ...LOCAL_PRINCIPAL, actor: "b" } }],
    ["another commit", { commit: "b".repeat(40) }],
    ["another method", { method: "prompts/get" }],
    ["another tool", { name: "runner.other" }],
    ["other arguments", { digest: "b".repeat(64) }],
  ])("refuses the state of %s", (_, other) => {
    expect(() => states.read(states.write(state, BINDING), { ...BINDING, ...other })).toThrow(foreign);
  });

  test("refuses the state of a server with another key", () => {
    const others = createRequestStates(Buffer.alloc(32, 2), () => 0);
    expect(() => states.read(others.write(state, BINDING), BINDING)).toThrow(foreign);
  });

  test.each([undefined, null, 7, {}, "", ".", "a.b", "x".repeat(600_000)])("refuses %j", (text) => {
    expect(() => states.read(text, BINDING)).toThrow(foreign);
  });

  test("gives half an hour for an answer", () => {
    let time = 1_000_000;
    const timed = createRequestStates(KEY, () => time);
    const text = timed.write(state, BINDING);
    time += HALF_AN_HOUR - 1;
    expect(timed.read(text, BINDING)).toEqual(state);
    time += 1;
    expect(() => timed.read(text, BINDING)).toThrow("`requestState` has expired; send the request again without it.");
  });

  test("carries half a megabyte and no more", () => {
    const answers = { long: "x".repeat(500_000) };
    expect(() => states.write({ answers }, BINDING)).toThrow(expect.objectContaining({ name: "PAYLOAD_TOO_LARGE" }));
  });
});
