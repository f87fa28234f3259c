import { describe, expect, test } from "vitest";
import { toConditions, toConditionsPhrase } from "../../../../tools/_lib/weather/conditions.ts";

describe("the conditions", () => {
  test("have words for every code that Open-Meteo documents", () => {
    const codes = [
      0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86, 95, 96, 99,
    ];
    expect(codes.map(toConditions).filter((words) => words.includes("code"))).toEqual([]);
  });

  test("name a code they do not know", () => {
    expect(toConditions(42)).toBe("weather of code 42");
  });

  test("fit into a sentence", () => {
    expect([3, 63].map(toConditionsPhrase)).toEqual(["and overcast", "with rain"]);
  });
});
