import { describe, expect, test } from "vitest";
import { createOffenders } from "../../../../server/kernel/isolates/offenders.ts";
import { toHandler, toTool } from "./program.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

function createTimed() {
  let time = 50;
  const offenders = createOffenders(() => time);
  const ofTenant = (tenant: string) => ({ ...toHandler(""), key: `version of ${tenant}`, tenant });
  return {
    offenders,
    ofTenant,
    wait: (milliseconds: number) => void (time += milliseconds),
    strike: (tenant: string) => offenders.strike(ofTenant(tenant), toTool(), "cpu").left,
    isConfined: (tenant: string) => offenders.isConfined(ofTenant(tenant)),
  };
}

describe("an offender", () => {
  test("is confined for ten seconds, and for one tenant", () => {
    const { strike, wait, isConfined } = createTimed();
    expect([isConfined("a"), strike("a")]).toEqual([false, 10 * SECOND]);
    expect([isConfined("a"), isConfined("b")]).toEqual([true, false]);
    wait(10 * SECOND - 1);
    expect(isConfined("a")).toBe(true);
    wait(1);
    expect(isConfined("a")).toBe(false);
  });

  test("is confined twice as long with each further strike, up to 640 seconds", () => {
    const { strike } = createTimed();
    const terms = Array.from({ length: 9 }, () => strike("a") / SECOND);
    expect(terms).toEqual([10, 20, 40, 80, 160, 320, 640, 640, 640]);
  });

  test("is remembered when it has waited its term out, and forgotten after an hour without a strike", () => {
    const { strike, wait } = createTimed();
    strike("a");
    wait(HOUR);
    expect(strike("a")).toBe(20 * SECOND);
    wait(HOUR + 1);
    expect(strike("a")).toBe(10 * SECOND);
  });

  test("is told of, with what it did and how long it still is one", () => {
    const { offenders, ofTenant, strike, wait } = createTimed();
    strike("a");
    wait(4 * SECOND);
    offenders.strike(ofTenant("b"), undefined, "memory");
    const names = { tool: "runner.tool", version: "1.0.0", commit: "0".repeat(40) };
    expect(offenders.list()).toEqual([
      { tenant: "a", ...names, reason: "cpu", strikes: 1, left: 6 * SECOND },
      { tenant: "b", reason: "memory", strikes: 1, left: 10 * SECOND },
    ]);
    expect(offenders.strikes).toEqual({ cpu: 1, memory: 1, clock: 0, silence: 0, crash: 0 });
    wait(6 * SECOND);
    expect(offenders.list().map(({ tenant }) => tenant)).toEqual(["b"]);
  });

  test("makes room for others when a thousand struck since", () => {
    const { strike, isConfined } = createTimed();
    for (const tenant of ["first", "second"]) strike(tenant);
    strike("first");
    for (let other = 0; other < 999; other += 1) strike(`${other}`);
    expect([isConfined("first"), isConfined("second")]).toEqual([true, false]);
  });

  test("is not who has behaved for a hundred calls, until it strikes", () => {
    const { offenders, ofTenant, strike } = createTimed();
    offenders.note(ofTenant("a"), 60);
    offenders.note(ofTenant("a"), 39);
    expect(offenders.isTrusted(ofTenant("a"))).toBe(false);
    offenders.note(ofTenant("a"), 1);
    expect([offenders.isTrusted(ofTenant("a")), offenders.isTrusted(ofTenant("b"))]).toEqual([true, false]);
    strike("a");
    expect(offenders.isTrusted(ofTenant("a"))).toBe(false);
  });

  test("is all that one owner runs", () => {
    const { offenders } = createTimed();
    const [one, other] = ["one", "other"].map((key) => ({ ...toHandler(""), key, owner: "ada" }));
    if (one === undefined || other === undefined) throw new Error("There are two.");
    offenders.strike(one, toTool(), "cpu");
    expect(offenders.isConfined(other)).toBe(true);
  });
});
