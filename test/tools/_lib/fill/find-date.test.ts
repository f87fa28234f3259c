import { describe, expect, test } from "vitest";
import { fillDates } from "../../../../tools/_lib/fill/find-date.ts";
import { createFields, draftOf } from "../../fields.ts";

const moment = { now: Date.UTC(2026, 6, 1, 12, 30), offset: 0 };
const at = { type: "string", format: "date-time" };

function read(schema: object, message = "tomorrow at 9:00", offset = 0): unknown {
  const fields = createFields({ at: { type: "string", ...schema } });
  return fillDates(draftOf(message), fields, { ...moment, offset }).values["at"];
}

describe("fillDates", () => {
  test("writes what the field takes", () => {
    expect(read({ format: "date-time" })).toBe("2026-07-02T09:00:00Z");
    expect(read({ format: "date-time" }, "tomorrow at 9:00", 120)).toBe("2026-07-02T09:00:00+02:00");
    expect(read({ format: "date" })).toBe("2026-07-02");
    expect(read({ format: "time" })).toBe("09:00:00Z");
    expect(read({ description: "RFC3339 datetime or 'now'." }, "right now")).toBe("now");
    expect(read({ format: "date-time" }, "right now")).toBe("2026-07-01T12:30:00Z");
  });

  test.each([
    ["from tomorrow until Friday", { start: "2026-07-02T12:00:00Z", end: "2026-07-03T12:00:00Z" }],
    ["until Friday", { end: "2026-07-03T12:00:00Z" }],
    ["tomorrow", { start: "2026-07-02T12:00:00Z" }],
    ["tomorrow and Friday", { start: "2026-07-02T12:00:00Z", end: "2026-07-03T12:00:00Z" }],
    ["whenever", {}],
  ])("gives beginning and end their time: %s", (message, expected) => {
    expect(fillDates(draftOf(message), createFields({ start: at, end: at }), moment).values).toEqual(expected);
  });

  test("takes the words out of what is left", () => {
    const { rest } = fillDates(draftOf("go tomorrow now"), createFields({ at }), moment);
    expect(rest).toBe(`go ${"\uFFFC".repeat(8)} now`);
  });
});
