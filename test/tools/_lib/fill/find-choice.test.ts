import { describe, expect, test } from "vitest";
import { findChoices } from "../../../../tools/_lib/fill/find-choice.ts";
import { createField } from "../../fields.ts";

const read = (message: string, choices: readonly unknown[], description = "") =>
  findChoices(message, createField({ enum: choices, description })).map(({ value }) => value);

describe("findChoices", () => {
  test.each([
    ["in Metric units", ["metric", "imperial"], ["metric"]],
    ["in degrees fahrenheit", ["metric", "imperial"], ["imperial"]],
    ["10 °C please", ["metric", "imperial"], ["metric"]],
    ["5 miles in km", ["mile", "km"], ["mile", "km"]],
    ["10km", ["km", "mile"], ["km"]],
    ["$5 to €", ["USD", "EUR"], ["USD", "EUR"]],
    ["make it high priority", ["low", "high"], ["high"]],
    ["it is urgent", ["low", "high"], ["high"]],
    ["it is urgent", ["high", "urgent"], ["urgent"]],
    ["not started yet", ["not_started", "done"], ["not_started"]],
    ["two wheels", [1, 2], []],
    ["take 2", [1, 2], [2]],
    ["Rio de Janeiro", ["DE", "FR"], []],
    ["I'm here", ["m", "km"], []],
    ["all in all", ["all", "some"], []],
    ["metrical", ["metric"], []],
  ])("finds in %j of %j just %j", (message, choices, expected) => {
    expect(read(message, choices)).toEqual(expected);
  });

  test("goes by what the description says of a choice", () => {
    const description = "`a` (apples, pears), b = birds or bees";
    expect(read("some pears", ["a", "b"], description)).toEqual(["a"]);
    expect(read("the bees", ["a", "b"], description)).toEqual(["b"]);
  });
});
