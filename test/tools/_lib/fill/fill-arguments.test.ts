import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillArguments } from "../../../../tools/_lib/fill/fill-arguments.ts";
import { createProfile } from "../../../../tools/_lib/chat/tool-profile.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";
import { expectQuick } from "../../../helpers/expect-quick.ts";

const profiles = FIXTURE_TOOLS.map(createProfile);
const moment = { now: Date.UTC(2026, 6, 1, 12), offset: 0 };
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const VOCABULARY = (
  "weather in Paris and London tomorrow at 3pm on Friday from Berlin to Munich by train 10 miles 3 -5 99999 1.5 usd euros to " +
  'yes no "quoted text" title: x limit=3 labels: bug, docs {"count": 2} OPS-42 bob@example.com 48.85,2.35 2026-12-24T10:00:00Z ' +
  "archived without pinned high in the of . , ? ! : ; ( ) \n ' “ ” {} = 大阪 é 🌧 \u0000 \uFFFC"
).split(" ");
const message = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 25 }).map((words) => words.join(" ")),
);
const runs = { numRuns: process.env["CAIRN_LONG"] ? 10_000 : 150 };

describe("fillArguments", () => {
  test("never throws, and fills every property with what its schema takes", () => {
    const checks = new Map(
      profiles.map(({ info }) => {
        const properties = info.input["properties"] as Record<string, object>;
        return [
          info.name,
          Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, ajv.compile(schema)])),
        ];
      }),
    );
    fc.assert(
      fc.property(message, fc.constantFrom(...profiles), fc.boolean(), (text, { info, fields, known }, leftovers) => {
        const { values, rest } = fillArguments(text, fields, { moment, known, leftovers });
        expect(rest).toHaveLength(text.length);
        for (const [name, value] of Object.entries(values)) {
          // Tools that take `now` say so in words only, and a long value's form is for the server to check.
          if (value === "now" || String(value).length > 64) continue;
          expect([name, value, checks.get(info.name)?.[name]?.(value)]).toEqual([name, value, true]);
        }
      }),
      runs,
    );
  });

  test("reads no words twice", () => {
    fc.assert(
      fc.property(message, fc.constantFrom(...profiles), (text, { fields, known }) => {
        const { values } = fillArguments(text, fields, { moment, known, leftovers: true });
        const texts = Object.values(values).filter(
          (value) => typeof value === "string" && text.split(value).length === 2,
        );
        const letters = texts.join("").length;
        expect(letters).toBeLessThanOrEqual(text.length);
      }),
      runs,
    );
  });

  test.each(["in ", "about ", "to from ", "a", "' ", "at 9 ", "A ", "x: ", "1,", "{", "Paris and "])(
    "reads a long message of %j in less than a second",
    async (part) => {
      const long = part.repeat(4_000).slice(0, 4_000);
      for (const { fields, known } of profiles) {
        await expectQuick(1_000, () => fillArguments(long, fields, { moment, known, leftovers: true }));
      }
    },
  );
});
