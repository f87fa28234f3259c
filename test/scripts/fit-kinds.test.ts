import { expect, test } from "vitest";
import { type Example, fitKinds, scoreKinds } from "../../scripts/fit-kinds.ts";

const WORDS: Readonly<Record<string, readonly string[]>> = {
  up: ["raise", "more", "higher"],
  down: ["lower", "less", "cut"],
};
const EXAMPLES: readonly Example[] = Object.entries(WORDS).flatMap(([kind, words]) =>
  words.flatMap((word) =>
    ["timeout", "limit", "cost", "rate"].map((thing) => ({ features: [word, thing, "please"], kinds: [kind] })),
  ),
);

test("a message wants the kind whose words it has, and not the other", () => {
  const scores = scoreKinds(fitKinds(EXAMPLES), ["raise", "cost"]);
  expect(scores.get("up")).toBeGreaterThan(0);
  expect(scores.get("down")).toBeLessThan(0);
});

test("a kind that hardly any message wants is none", () => {
  const rare = { features: ["sell", "cost"], kinds: ["sold"] };
  expect(fitKinds([...EXAMPLES, rare, rare]).kinds).toEqual(["down", "up"]);
});
