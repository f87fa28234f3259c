import { describe, expect, test } from "vitest";
import type { Attempt } from "../../../server/sandbox/attempt.ts";
import type { Isolate } from "../../../server/sandbox/isolate.ts";
import { judge, type Loss } from "../../../server/sandbox/suspects.ts";

/** As much of isolates as judging looks at: `*` marks those that were executing, `-` those that were given up. */
function describeLoss(isolates: Record<string, string>, guilty: string[], rest: Pick<Loss, "reason" | "certain">) {
  const names = new Map<Attempt, string>();
  const made = Object.entries(isolates).map(([name, calls]) => {
    const attempts = calls.split(" ").map((call, id) => {
      const attempt = { id } as Attempt;
      names.set(attempt, call.replace(/\W/g, ""));
      return { call, attempt };
    });
    const present = attempts.filter(({ call }) => !call.includes("-")).map(({ attempt }) => attempt);
    const isolate = {
      attempts: { size: present.length, all: () => present },
      executing: () => attempts.filter(({ call }) => call.includes("*")).map(({ attempt }) => attempt),
    } as Partial<Isolate> as Isolate;
    return { name, isolate };
  });
  const loss: Loss = {
    isolates: made.map(({ isolate }) => isolate),
    guilty: new Set(made.filter(({ name }) => guilty.includes(name)).map(({ isolate }) => isolate)),
    ...rest,
  };
  return (isSolitary = false) =>
    Object.fromEntries([...judge(loss, isSolitary)].map(([attempt, verdict]) => [names.get(attempt), verdict]));
}

describe("a loss", () => {
  const cpu = { reason: "cpu", certain: true } as const;
  const memory = { reason: "memory", certain: true } as const;

  test("is the fault of the one call that was executing", () => {
    expect(describeLoss({ i: "a* b" }, ["i"], cpu)()).toEqual({ a: "culprit", b: "bystander" });
    expect(describeLoss({ i: "a*" }, ["i"], memory)()).toEqual({ a: "culprit" });
  });

  test("of memory may be the fault of one that waits", () => {
    expect(describeLoss({ i: "a* b" }, ["i"], memory)()).toEqual({ a: "suspect", b: "bystander" });
  });

  test("is nobody's certain fault when several were executing", () => {
    expect(describeLoss({ i: "a* b* c" }, ["i"], cpu)()).toEqual({ a: "suspect", b: "suspect", c: "bystander" });
    expect(describeLoss({ i: "a*", j: "b*" }, ["i", "j"], memory)()).toEqual({ a: "suspect", b: "suspect" });
  });

  test("may be the fault of a call that was given up", () => {
    expect(describeLoss({ i: "a* b*-" }, ["i"], cpu)()).toEqual({ a: "suspect" });
  });

  test("is not the fault of other isolates of the process", () => {
    expect(describeLoss({ i: "a*", j: "b* c" }, ["i"], cpu)()).toEqual({
      a: "culprit",
      b: "bystander",
      c: "bystander",
    });
  });

  test("that nobody explains makes suspects only", () => {
    expect(describeLoss({ i: "a*" }, ["i"], { reason: "crash", certain: false })()).toEqual({ a: "suspect" });
  });

  test("of a process with one call is the fault of that call, if it was executing", () => {
    const crash = { reason: "crash", certain: false } as const;
    expect(describeLoss({ i: "a*" }, ["i"], crash)(true)).toEqual({ a: "culprit" });
    expect(describeLoss({ i: "a" }, ["i"], crash)(true)).toEqual({ a: "bystander" });
  });
});
