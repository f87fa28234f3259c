import { describe, expect, test } from "vitest";
import { fitForest, probabilityOf, type Sample, toForestFile } from "../../scripts/fit-trees.ts";

/** Points of a grid of which the first number says on which side of 4 the second one has to be, which no straight line tells. */
const SAMPLES: readonly Sample[] = Array.from({ length: 400 }, (_, at) => {
  const marks = [at % 20, Math.floor(at / 20)] as const;
  return { marks, isRight: marks[0] > 9 === marks[1] > 4 };
});

describe("boosted trees", () => {
  const forest = fitForest(SAMPLES);

  test("learn what depends on two marks at once", () => {
    for (const [marks, isRight] of [
      [[3, 15], false],
      [[15, 2], false],
      [[3, 2], true],
      [[15, 15], true],
    ] as const)
      expect(probabilityOf(forest, marks) > 0.5).toBe(isRight);
  });

  test("give probabilities, also for marks that they have not seen", () => {
    for (const marks of [[-100, 100], [], [9.5, 9.5]]) {
      const probability = probabilityOf(forest, marks);
      expect(probability).toBeGreaterThan(0);
      expect(probability).toBeLessThan(1);
    }
  });

  test("are written as rows of four numbers, each root a row", () => {
    const { start, roots, nodes }: { start: number; roots: string; nodes: string } = JSON.parse(toForestFile(forest));
    const numbers = nodes.split(" ").map(Number);
    expect(numbers.length % 4).toBe(0);
    expect(
      roots
        .split(" ")
        .map(Number)
        .every((root) => root < numbers.length / 4),
    ).toBe(true);
    expect(start).toBeCloseTo(forest.start, 3);
  });
});
