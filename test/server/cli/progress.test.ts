import { expect, test } from "vitest";
import { createProgress } from "../../../server/cli/progress.ts";

test("long work is told of every five seconds, short work never", () => {
  let now = 1_000;
  const lines: string[] = [];
  const progress = createProgress({ err: (line) => void lines.push(line), now: () => now });
  for (const [at, text] of [
    [1_000, "1"],
    [5_999, "2"],
    [6_000, "3"],
    [10_999, "4"],
    [11_500, "5"],
  ] as const) {
    now = at;
    progress(text);
  }
  expect(lines).toEqual(["cairn: 3", "cairn: 5"]);
});
