import { describe, expect, test } from "vitest";
import { readHints } from "../../../../tools/_lib/chat/read-hints.ts";

describe("readHints", () => {
  test.each([
    [{ tool: "runner.get_weather" }, { tool: "runner.get_weather" }],
    [{ utc_offset: "+05:30" }, { offset: 330 }],
    [{ utc_offset: "-02:00" }, { offset: -120 }],
    [{ utc_offset: "-00:00" }, { offset: 0 }],
    [{ utc_offset: "CET", tool: 5, other: true }, {}],
    [{ utc_offset: "+25:00", tool: "" }, {}],
    [undefined, {}],
  ])("reads %j", (metadata, hints) => {
    expect(readHints(metadata)).toEqual(hints);
  });
});
