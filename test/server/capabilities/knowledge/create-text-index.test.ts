import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTextIndex, type TextIndex } from "../../../../server/capabilities/knowledge/create-text-index.ts";
import { toTerms } from "../../../../server/capabilities/knowledge/to-terms.ts";
import { readOwnFiles } from "./knowledge-trees.ts";

const indexOf = (files: Readonly<Record<string, string>>): Promise<TextIndex> =>
  createTextIndex({ texts: new Map(Object.entries(files)), skipped: [] });

/** BM25 as in the paper, with the length of a field in distinct terms: k1 = 1.2, b = 0.75. */
function scoreNaively(documents: readonly (readonly string[])[], query: readonly string[]): readonly number[] {
  const lengths = documents.map((terms) => new Set(terms).size);
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  return documents.map((terms, index) =>
    query.reduce((sum, term) => {
      const having = documents.filter((other) => other.includes(term)).length;
      const frequency = terms.filter((other) => other === term).length;
      const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
      const norm = 1.2 * (1 - 0.75 + (0.75 * (lengths[index] ?? 0)) / average);
      return sum + (frequency === 0 ? 0 : (rarity * frequency * 2.2) / (frequency + norm));
    }, 0),
  );
}

const file = fc.constantFrom("b/one.md", "b/two.ts", "c.yaml", "d", "b.json");
const word = fc.constantFrom("weather", "tuner", "chat", "place", "policy", "audit");
const line = fc.oneof(
  fc.array(word, { maxLength: 5 }).map((words) => words.join(" ")),
  fc.constantFrom("# place", "chat:", "export const audit = 1;", "\r", "```"),
);
const files = fc
  .dictionary(file, fc.array(line, { maxLength: 120 }), { minKeys: 1 })
  .map((given) => Object.fromEntries(Object.entries(given).map(([path, lines]) => [path, lines.join("\n")])));

describe("search", () => {
  test("scores by BM25, summed over the text and the path", async () => {
    const texts = { "a.md": "weather weather chat\nplace", "b.md": "chat policy\ntuner audit", "c/weather.md": "chat" };
    const hits = (await indexOf(texts)).search("weather chat", { limit: 10 });
    const query = ["weather", "chat"];
    const inText = scoreNaively(Object.values(texts).map(toTerms), query);
    const inPath = scoreNaively(Object.keys(texts).map(toTerms), query);
    for (const [index, path] of Object.keys(texts).entries()) {
      const score = hits.find((hit) => hit.path === path)?.score;
      expect(score).toBeCloseTo((inText[index] ?? 0) + (inPath[index] ?? 0), 9);
    }
    expect(hits.map(({ path, terms }) => [path, terms])).toEqual([
      ["a.md", ["weather", "chat"]],
      ["c/weather.md", ["weather", "chat"]],
      ["b.md", ["chat"]],
    ]);
  });

  test("tells equal fits by path and line", async () => {
    const { search } = await indexOf({ "b.md": "weather", "c.md": "weather", "a.md": "weather" });
    expect(search("weather", { limit: 2 }).map(({ path }) => path)).toEqual(["a.md", "b.md"]);
  });

  test("finds nothing by words that say nothing", async () => {
    const { search } = await indexOf({ "a.md": "the of" });
    expect(search("the of", { limit: 5 })).toEqual([]);
    expect(search("", { limit: 5 })).toEqual([]);
  });

  test("stays under a folder or in a file", async () => {
    const { search } = await indexOf({
      "docs/a.md": "weather",
      "docs-old/a.md": "weather",
      "docs/sub/b.md": "weather",
    });
    const pathsUnder = (under: string) => search("weather", { limit: 5, under }).map(({ path }) => path);
    expect(pathsUnder("docs/")).toEqual(["docs/a.md", "docs/sub/b.md"]);
    expect(pathsUnder("docs/a.md")).toEqual(["docs/a.md"]);
    expect(pathsUnder(".")).toHaveLength(3);
    expect(() => pathsUnder("doc")).toThrow(
      expect.objectContaining({
        name: "NOT_FOUND",
        message: "Nothing that can be searched is under `doc`. Did you mean `docs`?",
      }),
    );
  });

  test.each([0, -1, 1.5, 101, Number.NaN])("refuses %d as a limit", async (limit) => {
    const { search } = await indexOf({ "a.md": "weather" });
    expect(() => search("weather", { limit })).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });

  test("takes long and odd queries", async () => {
    const { search } = await indexOf({ "a.md": "weather" });
    const odd = `weather ${"aA".repeat(50_000)} ${"word ".repeat(50_000)} ${"`".repeat(50_000)}`;
    expect(search(odd, { limit: 5 }).map(({ path }) => path)).toEqual(["a.md"]);
  });

  test("finds chunks whose text is exactly the lines of the file, whatever files there are", async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.array(word, { minLength: 1, maxLength: 3 }), async (given, query) => {
        const { search } = await indexOf(given);
        const hits = search(query.join(" "), { limit: 100 });
        for (const { path, from_line, to_line, text, terms } of hits) {
          const lines = (given[path] ?? "").replace(/\n$/, "").split("\n");
          expect(from_line).toBeGreaterThanOrEqual(1);
          expect(to_line).toBeLessThanOrEqual(lines.length);
          expect(text).toBe(lines.slice(from_line - 1, to_line).join("\n"));
          const own = new Set([...toTerms(text), ...toTerms(path)]);
          expect(terms).toEqual([...new Set(toTerms(query.join(" ")))].filter((term) => own.has(term)));
        }
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      }),
    );
  });

  test("is the same in whichever order files come", async () => {
    await fc.assert(
      fc.asyncProperty(files, word, async (given, query) => {
        const reversed = Object.fromEntries(Object.entries(given).reverse());
        const [one, other] = [await indexOf(given), await indexOf(reversed)];
        expect(other.search(query, { limit: 50 })).toEqual(one.search(query, { limit: 50 }));
      }),
      { numRuns: 30 },
    );
  });
});

describe("an index", () => {
  test("says what it leaves out", async () => {
    const texts = new Map([
      ["a.md", "weather"],
      ["min.js", "x".repeat(2001)],
      ["sub/package-lock.json", "{}"],
    ]);
    const index = await createTextIndex({ texts, skipped: [{ path: "b.bin", reason: "is not UTF-8 text" }] });
    expect([...index.texts.keys()]).toEqual(["a.md"]);
    expect(index.skipped).toEqual([
      { path: "b.bin", reason: "is not UTF-8 text" },
      { path: "min.js", reason: "has a line of more than 2000 characters" },
      { path: "sub/package-lock.json", reason: "is generated" },
    ]);
  });

  test("holds no more than 10,000 chunks", async () => {
    const page = "# Head\nweather\n".padEnd(3990, "\n");
    const many = Object.fromEntries(Array.from({ length: 160 }, (_, at) => [`${1000 + at}.md`, page]));
    const small = (await indexOf({ "1.md": page })).size;
    const index = await indexOf(many);
    expect(index.size).toBe(Math.min(160, Math.floor(10_000 / small)) * small);
    expect(index.skipped.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 160 - index.size / small }, () => "comes after the first 10000 chunks"),
    );
  });

  test("knows which chunk has a line", async () => {
    const index = await indexOf({ "a.yaml": `name: x\ninput:\n${"  a: 1\n".repeat(24)}output:\n  b: 1\n` });
    expect(index.chunkAt("a.yaml", 3)).toMatchObject({ from_line: 2, to_line: 26 });
    expect(index.chunkAt("a.yaml", 27)).toEqual({
      path: "a.yaml",
      from_line: 27,
      to_line: 28,
      text: "output:\n  b: 1",
    });
    expect(index.chunkAt("a.yaml", 29)).toBeUndefined();
    expect(index.chunkAt("b.yaml", 1)).toBeUndefined();
  });

  test("of this repository finds what words mean", async () => {
    const texts = await readOwnFiles("docs/*.md", "server/**/*.ts");
    const index = await createTextIndex({ texts, skipped: [] });
    // Below one folder each: what else the repository comes to say must not change this.
    const first = (query: string, under: string) => index.search(query, { limit: 5, under }).map(({ path }) => path);
    expect(first("units of temperature in the weather summary", "tools/_lib/weather")).toContain(
      "tools/_lib/weather/units.ts",
    );
    expect(first("a moved tag is refused", "server/versions/mirror")).toContain("server/versions/mirror/alarms.ts");
    expect(first("getWeather", "manifests/runner")).toContain("manifests/runner/get_weather.yaml");
  });
});
