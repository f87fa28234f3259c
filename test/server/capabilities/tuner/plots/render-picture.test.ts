import { Resvg } from "@resvg/resvg-js";
import { describe, expect, test } from "vitest";
import { DARK_PALETTE, PALETTE } from "../../../../../server/capabilities/tuner/plots/palette.ts";
import { toEmptyPicture } from "../../../../../server/capabilities/tuner/plots/picture.ts";
import { renderPicture } from "../../../../../server/capabilities/tuner/plots/render-picture.ts";
import { drawAll } from "./pictures.ts";

const SIZE_LIMIT = 300_000;
/** What a picture is made of: none of them runs or fetches anything. */
const ELEMENTS = new Set(
  "svg title desc style g path line rect text tspan defs clipPath linearGradient stop".split(" "),
);

describe.each(drawAll())("the picture of %s", async (_name, picture) => {
  const svg = await renderPicture(picture);

  test("is well-formed, named and not too large", () => {
    expect(() => new Resvg(svg)).not.toThrow();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" role="img" width="\d+" height="\d+" viewBox=/);
    expect(svg).toMatch(/<title>[^<]+<\/title><desc>[^<]+<\/desc>/);
    expect(Number(/ width="(\d+)"/.exec(svg)?.[1])).toBeLessThan(720);
    expect(svg.length).toBeLessThan(SIZE_LIMIT);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  test("runs nothing and fetches nothing, whatever things are called", () => {
    const elements = new Set([...svg.matchAll(/<([a-zA-Z:]+)/g)].map(([, element]) => element));
    expect([...elements].filter((element) => !ELEMENTS.has(String(element)))).toEqual([]);
    const attributes = new Set(
      [...svg.replaceAll(/>[^<]*</g, "><").matchAll(/ ([a-zA-Z:-]+)="/g)].map(([, name]) => name),
    );
    expect([...attributes].filter((name) => /^on|href|src|^style$/i.test(String(name)))).toEqual([]);
    expect([...svg.matchAll(/url\(([^)]*)\)/g)].filter(([, target = ""]) => !target.startsWith("#"))).toEqual([]);
    expect(/<style>([^<]*)<\/style>/.exec(svg)?.[1]).not.toMatch(/@import|url\(|expression/);
    expect(svg.replaceAll('"http://www.w3.org/2000/svg"', "")).not.toMatch(/xlink|="\s*(?:https?|data|javascript):/);
  });

  test("is the same bytes each time", async () => {
    expect(await renderPicture(structuredClone(picture))).toBe(svg);
  });
});

test("a picture shows something", async () => {
  const [, picture = toEmptyPicture("", "")] = drawAll().find(([name]) => name === "arm-means of three arms") ?? [];
  const { pixels } = new Resvg(await renderPicture(picture), { font: { loadSystemFonts: false } }).render();
  const opaque = pixels.filter((_, place) => place % 4 === 3).filter((alpha) => alpha > 0).length;
  expect(opaque).toBeGreaterThan(5000);
  expect(opaque).toBeLessThan(pixels.length / 4);
});

test("names are shown as text, shortened", async () => {
  const svg = await renderPicture(toEmptyPicture("a <b> & c", "d < e"));
  expect(svg).toContain("<title>a &lt;b&gt; &amp; c</title><desc>Nothing yet: d &lt; e.</desc>");
  expect(svg).toContain(">Nothing yet: d &lt; e.</text>");
});

test("readers on dark get the brighter colours and light text", async () => {
  const svg = await renderPicture(toEmptyPicture("a", "b"));
  const [, dark = ""] = /@media\(prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(svg) ?? [];
  expect(dark).toContain("svg{color:#e6e6e6}");
  for (const [place, colour] of PALETTE.entries()) {
    expect(dark).toContain(`[stroke="${colour}"]{stroke:${DARK_PALETTE[place]}}`);
    expect(dark).toContain(`[fill="${colour}"]{fill:${DARK_PALETTE[place]}}`);
  }
});
