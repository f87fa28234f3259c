import { describe, expect, test } from "vitest";
import type { Attempt } from "../../../../server/kernel/isolates/attempt.ts";
import type { Isolate } from "../../../../server/kernel/isolates/isolate.ts";
import { findOffender, judge, type Loss, narrow } from "../../../../server/kernel/isolates/suspects.ts";
import { toHandler, toTool } from "./program.ts";

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

/** A loss of isolates, each with the program of its first letter and one call that executes, unless it is loading. */
function lose(names: string, rest: Pick<Loss, "reason" | "certain">, guilty = names): Loss {
  const made = names.split(" ").map((name) => {
    const program = { ...toHandler(""), key: name.slice(0, 1) };
    const attempt = { run: { call: { program, tool: toTool({ name }) } } } as unknown as Attempt;
    const attempts = { size: 1, all: () => [attempt] };
    const executing = () => (name.includes("-") ? [] : [attempt]);
    return [name, { program, attempts, executing } as Partial<Isolate> as Isolate] as const;
  });
  const isGuilty = ([name]: readonly [string, Isolate]) => guilty.split(" ").includes(name);
  const isolates = made.map(([, isolate]) => isolate);
  return { isolates, guilty: new Set(made.filter(isGuilty).map(([, isolate]) => isolate)), ...rest };
}

describe("the offender of a loss", () => {
  const find = (loss: Loss, isSolitary = false) => {
    const found = findOffender(loss, judge(loss, isSolitary));
    return found && [found.program.key, found.tool?.name];
  };

  test("is the program of the only call that was executing", () => {
    expect(find(lose("a1 b1-", { reason: "cpu", certain: true }, "a1"))).toEqual(["a", "a1"]);
  });

  test("is the program of all calls that were, though none of them is known to be the cause", () => {
    expect(find(lose("a1 a2", { reason: "memory", certain: false }))).toEqual(["a", "a1"]);
    expect(find(lose("a1 b1", { reason: "memory", certain: false }))).toBeUndefined();
  });

  test("is the program that was being loaded", () => {
    expect(find(lose("a1-", { reason: "crash", certain: false }))).toEqual(["a", "a1-"]);
  });

  test("is nobody when the machine stood still, unless there was one call only", () => {
    expect(find(lose("a1", { reason: "silence", certain: false }))).toBeUndefined();
    expect(find(lose("a1", { reason: "silence", certain: false }), true)).toEqual(["a", "a1"]);
  });

  test("is looked for among those that are not trusted, if there are any", () => {
    const isTrusted = ({ program }: Isolate) => program.key === "a";
    const crash = { reason: "crash", certain: false } as const;
    expect(find(narrow(lose("a1 b1", crash), isTrusted))).toEqual(["b", "b1"]);
    expect(find(narrow(lose("a1 b1 c1", crash), isTrusted))).toBeUndefined();
    expect(find(narrow(lose("a1", crash), isTrusted))).toEqual(["a", "a1"]);
  });

  test("is not certain to be one for that alone: its call runs again", () => {
    const loss = narrow(lose("a1 b1", { reason: "memory", certain: true }), ({ program }) => program.key === "a");
    expect([...judge(loss, false).values()]).toEqual(["bystander", "suspect"]);
  });
});
