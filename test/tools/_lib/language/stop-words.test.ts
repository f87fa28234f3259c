import { expect, test } from "vitest";
import { isStopWord } from "../../../../tools/_lib/language/stop-words.ts";

test("isStopWord knows words that say nothing from words that do", () => {
  expect(["the", "please", "would", "whats"].every(isStopWord)).toBe(true);
  expect(["weather", "add", "tomorrow", ""].some(isStopWord)).toBe(false);
});
