import { readFileSync } from "node:fs";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../../../../server/architect/planners/model/estimate-tokens.ts";

/** A text of a thousand characters, each drawn from these. */
function draw(characters: string): string {
  const unit = fc.constantFrom(...characters);
  return fc.sample(fc.string({ unit, minLength: 1000, maxLength: 1000 }), { numRuns: 1, seed: 7 })[0] ?? "";
}

function range(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, at) => String.fromCodePoint(from + at)).join("");
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

describe("the estimate of tokens", () => {
  test.each([
    ["hexadecimal digits", draw("0123456789abcdef")],
    ["base64", draw(`${LETTERS}${LETTERS.toUpperCase()}0123456789+/`)],
    ["digits", draw("0123456789")],
    ["numbers", "0.1234 ".repeat(200)],
    ["capitals", draw(LETTERS.toUpperCase())],
    ["letters without words", draw(LETTERS)],
    ["letters by themselves", "a b c d ".repeat(100)],
    ["short lines", "a\n".repeat(500)],
    ["signs", draw("!@#$%^&*()_+-=[]{}|;:',./<>?~`\\\"")],
    ["white space", draw(" \t\n")],
    ["Chinese", draw(range(0x4e00, 0x9f00))],
    ["rare Chinese", draw(range(0x20000, 0x20400))],
    ["Hangul", draw(range(0xac00, 0xd7a0))],
    ["kana", draw(range(0x3041, 0x3096))],
    ["Cyrillic", draw(range(0x430, 0x450))],
    ["Arabic", draw(range(0x621, 0x64b))],
    ["Thai", draw(range(0xe01, 0xe3b))],
    ["Cherokee", draw(range(0x13a0, 0x13f0))],
    ["accents", draw(range(0xc0, 0x240))],
    ["combining marks", "a\u0301\u0302\u0303\u0304".repeat(200)],
    ["emoji", draw(range(0x1f300, 0x1f600))],
    ["families", "👩‍👩‍👧‍👦🏳️‍🌈👍🏽".repeat(50)],
    ["cuneiform", draw(range(0x12000, 0x12380))],
    ["letters of mathematics", draw(range(0x1d400, 0x1d7ff))],
    ["boxes and arrows", draw(range(0x2190, 0x2600))],
    ["escapes", "\\u{200b}".repeat(100)],
  ])("has about as many as there are for %s, or more", (_, text) => {
    expect(estimateTokens(text) / countTokens(text)).toBeGreaterThan(0.9);
  });

  test.each([
    "manifests/runner/get_weather.yaml",
    "tools/runner/get_weather.ts",
    "AGENTS.md",
    "schemas/tool.schema.json",
  ])("has at most a third too many for %s, and not too few", (path) => {
    const text = readFileSync(path, "utf8");
    const ratio = estimateTokens(text) / countTokens(text);
    expect(ratio).toBeGreaterThan(1);
    expect(ratio).toBeLessThan(1.35);
  });
});
