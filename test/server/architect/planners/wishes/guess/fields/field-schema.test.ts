import { describe, expect, test } from "vitest";
import type { Clause } from "../../../../../../../server/architect/planners/wishes/clause.ts";
import { toSchema } from "../../../../../../../server/architect/planners/wishes/guess/fields/field-schema.ts";
import { toTokens } from "../../../../../../../server/architect/planners/wishes/words/words.ts";

const schemaOf = (text: string, name: string) =>
  toSchema({ text, tokens: toTokens(text), amounts: [] } as unknown as Clause, text.indexOf(name));

describe("the schema of a new field", () => {
  test.each([
    ["a new field room_code: string, not longer than 12", "room_code", { type: "string", maxLength: 12 }],
    ["an optional reply_to, which has to be an email address", "reply_to", { type: "string", format: "email" }],
    ["rounds, an integer from 1 to 9, 2 if omitted", "rounds", { type: "integer", minimum: 1, maximum: 9, default: 2 }],
    [
      "take a weight_class: light, middle or heavy, where middle is what we assume",
      "weight_class",
      { type: "string", enum: ["light", "middle", "heavy"], default: "middle" },
    ],
    ["ein Feld wait_minutes, ganze Minuten von 0 bis 60", "wait_minutes", { type: "integer", minimum: 0, maximum: 60 }],
  ])("has what the message says of it: %s", (text, name, schema) => {
    expect(schemaOf(text, name)).toEqual(schema);
  });
});
