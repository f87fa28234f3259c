import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkHistory, type Step, type Transaction } from "./check-history.ts";

const append = (key: string, value: number): Step => ({ key, append: value });
const read = (key: string, ...values: readonly number[]): Step => ({ key, read: values });
const lists = (all: Readonly<Record<string, readonly number[]>>) => new Map(Object.entries(all));

/** Transactions that ran all at once. */
const atOnce = (...all: readonly (readonly Step[])[]): readonly Transaction[] =>
  all.map((steps, at) => ({ id: `t${at + 1}`, steps, outcome: "done", begun: 0, ended: 1 }));
const withOutcome = (outcome: Transaction["outcome"], one: Transaction | undefined): Transaction => {
  if (one === undefined) throw new TypeError("there is one");
  return { ...one, outcome };
};

describe("a history", () => {
  test("that one order explains has no fault", () => {
    const history = atOnce(
      [append("a", 1)],
      [read("a", 1), append("b", 2)],
      [read("b", 2), append("a", 3), read("a", 1, 3)],
    );
    expect(checkHistory(history, lists({ a: [1, 3], b: [2] }))).toEqual([]);
  });

  test("of transactions done one after the other, by clients who see them overlap, has no fault, whatever they do", () => {
    const steps = fc.array(fc.record({ key: fc.constantFrom("a", "b", "c"), isRead: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    });
    const seen = fc.record({ steps, early: fc.nat(5), late: fc.nat(5), outcome: fc.constantFrom("done", "unknown") });
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 30 }), (all) => {
        const { history, state } = execute(all);
        expect(checkHistory(history, state)).toEqual([]);
      }),
    );
  });

  test.each([
    ["lost", [1], "2 in a of t2 is lost"],
    ["done twice", [1, 2, 1], "1 stands twice in a"],
    ["made up", [1, 2, 7], "7 in a was appended by nobody"],
  ])("in which a write was %s is found out", (_, a, fault) => {
    expect(checkHistory(atOnce([append("a", 1)], [append("a", 2)]), lists({ a }))).toEqual([fault]);
  });

  test("in which a refused write happened, or an unknown one in part, is found out", () => {
    const [one] = atOnce([append("a", 1), append("b", 2)]);
    const found = (outcome: Transaction["outcome"], b: readonly number[]) =>
      checkHistory([withOutcome(outcome, one)], lists({ a: [1], b }));
    expect(found("refused", [2])).toEqual(["1 in a is of t1, which was refused", "2 in b is of t1, which was refused"]);
    expect(found("unknown", [])).toEqual(["t1 has happened in part"]);
    expect(found("unknown", [2])).toEqual([]);
  });

  test.each<[string, readonly Step[], string]>([
    ["another order", [read("a", 2, 1)], "t3 read [2,1] of a, which began with [1,2,3]"],
    ["what is gone", [read("a", 1, 9)], "t3 read [1,9] of a, which began with [1,2,3]"],
    ["a part of another transaction", [read("a", 1, 2)], "t3 read [1,2] of a: a part of t2"],
    ["a list without its own append", [append("b", 4), read("b")], "t3 read [] of b and not its own appends"],
  ])("in which one reads %s is found out", (_, steps, fault) => {
    const history = atOnce([append("a", 1)], [append("a", 2), append("a", 3)], steps);
    expect(checkHistory(history, lists({ a: [1, 2, 3], b: [4] }))).toContain(fault);
  });

  test.each<[string, readonly (readonly Step[])[], Readonly<Record<string, readonly number[]>>]>([
    // Both read nothing before they wrote: the second has overwritten what the first knew.
    [
      "G-single: a lost update",
      [
        [read("a"), append("a", 1)],
        [read("a"), append("a", 2)],
      ],
      { a: [1, 2] },
    ],
    [
      "G-single: a read of two moments",
      [
        [append("a", 1), append("b", 2)],
        [read("a"), read("b", 2)],
      ],
      { a: [1], b: [2] },
    ],
    [
      "G0: writes in two orders",
      [
        [append("a", 1), append("b", 2)],
        [append("a", 3), append("b", 4)],
      ],
      { a: [1, 3], b: [4, 2] },
    ],
    [
      "G1c: each reads what the other wrote",
      [
        [append("a", 1), read("b", 2)],
        [append("b", 2), read("a", 1)],
      ],
      { a: [1], b: [2] },
    ],
    [
      "G2: a write skew",
      [
        [read("a"), append("b", 1)],
        [read("b"), append("a", 2)],
      ],
      { a: [2], b: [1] },
    ],
  ])("with a cycle is found out: %s", (name, transactions, final) => {
    const [kind = ""] = name.split(":");
    const [fault = "", ...more] = checkHistory(atOnce(...transactions), lists(final));
    expect([fault.split(":")[0], more]).toEqual([kind, []]);
    expect(fault).toMatch(/t1 .*t2|t2 .*t1/);
  });

  test("in which one does not see what was acknowledged before it began is found out", () => {
    const [one, two] = atOnce([append("a", 1)], [read("a")]).map((step, at) => ({
      ...step,
      begun: at * 2,
      ended: at * 2 + 1,
    }));
    expect(checkHistory([withOutcome("done", one), withOutcome("done", two)], lists({ a: [1] }))).toEqual([
      expect.stringMatching(/^G-single in real time: .*-rt-> t2/),
    ]);
    // Of which nobody knows when it ended.
    expect(checkHistory([withOutcome("unknown", one), withOutcome("done", two)], lists({ a: [1] }))).toEqual([]);
  });
});

interface Seen {
  readonly steps: readonly { readonly key: string; readonly isRead: boolean }[];
  readonly early: number;
  readonly late: number;
  readonly outcome: string;
}

/** Does transactions in their order; a client sees each begin somewhat before, and end somewhat later than it was done. */
function execute(all: readonly Seen[]) {
  const state = new Map<string, number[]>();
  let value = 0;
  const history = all.map(({ steps, early, late, outcome }, at): Transaction => {
    const done = steps.map(({ key, isRead }): Step => {
      const list = state.get(key) ?? [];
      if (isRead) return { key, read: [...list] };
      state.set(key, [...list, (value += 1)]);
      return { key, append: value };
    });
    const isDone = outcome === "done";
    const known = isDone ? done : done.filter((step) => "append" in step);
    return {
      id: `t${at}`,
      steps: known,
      outcome: isDone ? "done" : "unknown",
      begun: at - early,
      ended: at + late + 0.5,
    };
  });
  return { history, state };
}
