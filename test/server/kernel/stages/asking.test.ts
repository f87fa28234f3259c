import { describe, expect, test } from "vitest";
import { createAsking } from "../../../../server/kernel/stages/asking.ts";
import type { Question } from "../../../../server/kernel/call.ts";

const question = (key: string): Question => ({ key, method: "roots/list", params: {} });
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a run that asks", () => {
  test("ends in its next turn, with all that it asked in this one", async () => {
    const asking = createAsking(undefined, () => false);
    void asking.ask(question("a"));
    await Promise.resolve();
    void asking.ask(question("b"));
    expect([asking.signal.aborted, asking.questions()]).toEqual([false, []]);
    await turn();
    expect([asking.signal.aborted, asking.questions()]).toEqual([true, [question("a"), question("b")]]);
  });

  test("has no questions when its caller has given it up", async () => {
    const caller = new AbortController();
    const asking = createAsking(caller.signal, () => false);
    void asking.ask(question("a"));
    caller.abort();
    expect(asking.signal.aborted).toBe(true);
    await turn();
    expect(asking.questions()).toEqual([]);
  });

  test("forgets its questions when it begins again elsewhere", async () => {
    const asking = createAsking(undefined, () => false);
    void asking.ask(question("a"));
    asking.reset();
    void asking.ask(question("a"));
    await turn();
    expect(asking.questions()).toEqual([question("a")]);
  });

  test("may ask nothing after what cannot be undone, and do nothing such once it has asked", async () => {
    const late = expect.objectContaining({
      name: "CONFLICT",
      message: "`a` is asked after something that cannot be undone; ask first, then act.",
    }) as Error;
    let final = true;
    const asking = createAsking(undefined, () => final);
    expect(() => asking.ask(question("a"))).toThrow(late);
    await turn();
    expect([asking.signal.aborted, asking.questions()]).toEqual([false, []]);
    final = false;
    void asking.ask(question("a"));
    final = true;
    await turn();
    expect(() => asking.questions()).toThrow(late);
  });

  test("asks each thing once, and sixteen at once", () => {
    const asking = createAsking(undefined, () => false);
    for (let n = 0; n < 16; n += 1) void asking.ask(question(`q${n}`));
    const refusal = (message: string) => expect.objectContaining({ name: "BAD_REQUEST", message }) as Error;
    expect(() => asking.ask(question("q0"))).toThrow(refusal("`q0` is asked twice at once."));
    expect(() => asking.ask(question("q16"))).toThrow(refusal("`q16` is more than 16 questions at once."));
  });
});
