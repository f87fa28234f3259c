import { expect, test } from "vitest";
import { judgePair, readPairs } from "./read-pairs.ts";

/** Edits whose bump differs from a careful person's; a line that is not needed any more fails, too. */
const DIFFERING = [
  "a default is written as another number of the same value: patch, found none",
  "two steps written as one: patch, found major",
];

test("[D3] edits get the bump of a careful person, but for what is listed here, and no break is missed", async () => {
  const pairs = readPairs();
  expect(pairs.length).toBeGreaterThan(120);
  expect(new Set(pairs.map(({ family }) => family)).size).toBe(12);
  const found = await Promise.all(pairs.map(async (pair) => ({ ...pair, found: await judgePair(pair) })));
  const wrong = found.filter((pair) => pair.bump !== pair.found);
  expect(wrong.filter(({ bump }) => bump === "major")).toEqual([]);
  expect(wrong.map((pair) => `${pair.edit}: ${pair.bump}, found ${pair.found}`).toSorted()).toEqual(DIFFERING);
});
