import { expect, test } from "vitest";
import { DARK_PALETTE, DASHES, NEUTRAL, PALETTE } from "../../../../../server/capabilities/tuner/plots/palette.ts";

function luminanceOf(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2.2. */
function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

test.each([...PALETTE, NEUTRAL])("%s can be seen on white and on dark", (colour) => {
  expect(contrastOf(colour, "#ffffff")).toBeGreaterThan(3);
  expect(contrastOf(colour, "#111111")).toBeGreaterThan(3);
});

test.each(DARK_PALETTE)("%s stands out on dark", (colour) => {
  expect(contrastOf(colour, "#111111")).toBeGreaterThan(5);
});

test("every colour has dashes of its own and a brighter one of its own", () => {
  expect(new Set(PALETTE).size).toBe(PALETTE.length);
  expect(new Set(DARK_PALETTE).size).toBe(PALETTE.length);
  expect(new Set(DASHES.map(String)).size).toBe(PALETTE.length);
});
