import { describe, expect, test } from "vitest";
import { findOffset, isSameCall, readByClock, toClock } from "../../../../tools/_lib/chat/clock.ts";

describe("findOffset", () => {
  test.each([
    [{ forecast: { time: "2026-07-01T14:00:00+02:00" } }, 120],
    [{ times: ["2026-07-01T14:00:00-03:30", "2026-07-02T14:00:00-03:30"] }, -210],
    [{ a: "2026-07-01T14:00:00+02:00", b: "2026-07-01T14:00:00+03:00" }, undefined],
    [{ time: "2026-07-01T14:00:00Z" }, undefined],
    [{ note: "at 2026-07-01T14:00:00+02:00" }, undefined],
    [{ a: { b: { c: { d: { e: "2026-07-01T14:00:00+02:00" } } } } }, undefined],
    [undefined, undefined],
  ])("finds in %j an offset of %s", (result, offset) => {
    expect(findOffset(result)).toBe(offset);
  });
});

describe("isSameCall", () => {
  test("compares times by the instant they mean", () => {
    const call = { when: "2026-07-01T12:00:00Z", x: [1] };
    expect(isSameCall(call, { x: [1], when: "2026-07-01T14:00:00+02:00" })).toBe(true);
    expect(isSameCall(call, { ...call, when: "2026-07-01T12:00:00+02:00" })).toBe(false);
    expect(isSameCall(call, { ...call, y: undefined })).toBe(true);
    expect(isSameCall(call, { ...call, y: 1 })).toBe(false);
  });
});

describe("readByClock", () => {
  test("says by which clocks it read, where that matters", () => {
    expect(readByClock(120, (offset) => ({ when: `in ${offset}` }))).toEqual({
      arguments: { when: "in 120" },
      clock: 120,
    });
    expect(readByClock(120, () => ({ when: "now" }))).toEqual({ arguments: { when: "now" } });
  });
});

describe("toClock", () => {
  const values = { when: "2026-07-01T15:00:00+05:45", until: "2026-07-01T15:00:00Z", x: "y", n: 1 };

  test("keeps the clock time and changes the place", () => {
    expect(toClock({ arguments: values, clock: 345 }, 120)).toEqual({ ...values, when: "2026-07-01T15:00:00+02:00" });
    expect(toClock({ arguments: values, clock: 345 }, 345)).toBe(values);
  });

  test("leaves times alone that no clock was read for", () => {
    expect(toClock({ arguments: values }, 120)).toBe(values);
  });
});
