import { expect, test } from "vitest";
import { findSynonyms } from "../../../../tools/_lib/fill/synonyms.ts";

test("findSynonyms knows other words for a value, in both directions and from several groups", () => {
  expect(findSynonyms("Imperial")).toContain("fahrenheit");
  expect(findSynonyms("celsius")).toEqual(expect.arrayContaining(["metric", "C", "°C"]));
  expect(findSynonyms("unheard of")).toEqual([]);
});
