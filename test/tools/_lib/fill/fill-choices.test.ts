import { describe, expect, test } from "vitest";
import { fillChoices } from "../../../../tools/_lib/fill/fill-choices.ts";
import { createFields, draftOf } from "../../fields.ts";

const units = { enum: ["inch", "cm", "mile"] };
const fields = createFields({ from: units, to: units });
const read = (message: string, previous = {}) => fillChoices(draftOf(message), fields, previous).values;

describe("fillChoices", () => {
  test.each([
    ["5 miles to cm", { from: "mile", to: "cm" }],
    ["from cm to inches", { from: "cm", to: "inch" }],
    ["to cm from inches", { from: "inch", to: "cm" }],
    ["how many cm are 3 inches", { from: "inch", to: "cm" }],
    ["inches, cm", { from: "inch", to: "cm" }],
    ["into cm", { to: "cm" }],
    ["3 inches", { from: "inch" }],
    ["nothing", {}],
  ])("reads %j", (message, expected) => {
    expect(read(message)).toEqual(expected);
  });

  test("changes the target of an earlier call unless the message says otherwise", () => {
    const previous = { from: "mile", to: "cm" };
    expect(read("and inches?", previous)).toEqual({ to: "inch" });
    expect(read("and from inches?", previous)).toEqual({ from: "inch" });
  });

  test("does not make rivals of fields with different choices", () => {
    const different = createFields({ size: { enum: ["small", "large"] }, colour: { enum: ["red", "blue"] } });
    expect(fillChoices(draftOf("a large one in blue"), different, {}).values).toEqual({
      size: "large",
      colour: "blue",
    });
  });
});
