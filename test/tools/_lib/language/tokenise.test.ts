import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, tokenise, toTerms } from "../../../../tools/_lib/language/tokenise.ts";

describe("tokenise", () => {
  test("takes letters and digits apart and leaves signs out", () => {
    expect(tokenise("10km, São-Paulo!").map(({ text }) => text)).toEqual(["10", "km", "São", "Paulo"]);
  });

  test("folds words and cuts what hangs on an apostrophe", () => {
    expect(tokenise("What's ÉCOLE don't O’Brien").map(({ word }) => word)).toEqual(["what", "ecole", "dont", "obrien"]);
  });

  test("says where every token stands", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const token of tokenise(text)) expect(text.slice(token.start, token.end)).toBe(token.text);
      }),
    );
  });
});

describe("toTerms", () => {
  test("takes identifiers apart", () => {
    expect(toTerms("getWeatherReport create_ticket v2")).toEqual(["weather", "report", "creat", "ticket", "v", "2"]);
  });

  test("leaves out what says nothing", () => {
    expect(toTerms("What is the weather like in Paris, please?")).toEqual(["weather", "paris"]);
  });
});

describe("fold", () => {
  test("removes case and accents", () => {
    expect(fold("Île-DE-France")).toBe("ile-de-france");
  });
});
