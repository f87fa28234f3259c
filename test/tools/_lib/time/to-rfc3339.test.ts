import { describe, expect, test } from "vitest";
import { toOffsetName, toRfc3339 } from "../../../../tools/_lib/time/to-rfc3339.ts";

describe("toRfc3339", () => {
  test.each([
    [0, "2026-07-01T12:00:00Z"],
    [330, "2026-07-01T17:30:00+05:30"],
    [-570, "2026-07-01T02:30:00-09:30"],
    [840, "2026-07-02T02:00:00+14:00"],
  ])("writes the clocks at an offset of %d minutes", (offset, written) => {
    expect(toRfc3339(Date.UTC(2026, 6, 1, 12), offset)).toBe(written);
  });

  test("names an offset", () => {
    expect([toOffsetName(60), toOffsetName(-30)]).toEqual(["+01:00", "-00:30"]);
  });
});
