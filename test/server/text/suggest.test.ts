import { describe, expect, it } from "vitest";
import { suggest } from "../../../server/text/suggest.ts";

describe("suggest", () => {
  const words = ["description", "sideEffect", "requiredCapabilities", "uses", "name", "title"];

  it.each([
    ["descripton", "description"],
    ["decsription", "description"],
    ["side_effect", "sideEffect"],
    ["side-effects", "sideEffect"],
    ["required_capability", "requiredCapabilities"],
    ["use", "uses"],
    ["nmae", "name"],
    ["Title", "title"],
    ["x", undefined],
    ["inputSchema", undefined],
    ["a".repeat(100_000), undefined],
  ])("takes %s for %s", (word, meant) => {
    expect(suggest(word, words)).toBe(meant);
  });
});
