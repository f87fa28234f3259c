import { describe, expect, test } from "vitest";
import { createScorer } from "../../../../tools/_lib/language/bm25.ts";

const document = (name: string, text: string) => [
  { weight: 3, terms: name.split(" ") },
  { weight: 1, terms: text.split(" ") },
];

describe("createScorer", () => {
  test("prefers the name to the description, and two matches to one", () => {
    const score = createScorer([
      document("weather", "rain or sun"),
      document("sky", "weather and stars"),
      document("sea", "waves"),
    ]);
    const [named = 0, described = 0, other] = score(["weather"]);
    expect(named).toBeGreaterThan(described);
    expect(described).toBeGreaterThan(0);
    expect(other).toBe(0);
    expect(score(["weather", "rain"])[0]).toBeGreaterThan(named);
  });

  test("counts rare words more than common ones", () => {
    const score = createScorer([document("a", "common rare"), document("b", "common"), document("c", "common")]);
    expect(score(["rare"])[0]).toBeGreaterThan(score(["common"])[0] ?? 0);
  });

  test("does not count a word of the query twice", () => {
    const score = createScorer([document("a", "word")]);
    expect(score(["word", "word"])).toEqual(score(["word"]));
  });

  test("scores a match much alike whether there is one document or a hundred", () => {
    const many = Array.from({ length: 99 }, (_, index) => document(`name${index}`, `text${index} more${index}`));
    const target = document("weather", "rain sun");
    const [alone = 0] = createScorer([target])(["weather"]);
    const [among = 0] = createScorer([target, ...many])(["weather"]);
    expect(Math.abs(alone - among)).toBeLessThan(0.1);
    expect(alone).toBeGreaterThan(0.6);
  });

  test("takes empty documents and empty queries", () => {
    expect(createScorer([])(["x"])).toEqual([]);
    expect(createScorer([[]])(["x"])).toEqual([0]);
    expect(createScorer([document("a", "b")])([])).toEqual([0]);
  });
});
