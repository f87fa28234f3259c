import { expect, test } from "vitest";
import { readDuration } from "../../../server/text/duration.ts";

test.each([
  ["30m", 1_800_000],
  ["24h", 86_400_000],
  ["90d", 7_776_000_000],
  ["0d", 0],
])("the duration %s has %d milliseconds", (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds);
});

test.each(["", "30", "m", "-1h", "1.5h", "1w", "1234567d", "1h "])("`%s` is no duration", (text) => {
  expect(readDuration(text)).toBeUndefined();
});
