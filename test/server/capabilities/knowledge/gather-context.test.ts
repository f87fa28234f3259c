import { describe, expect, test } from "vitest";
import { createCodeGraph } from "../../../../server/capabilities/knowledge/create-code-graph.ts";
import { createTextIndex } from "../../../../server/capabilities/knowledge/create-text-index.ts";
import { type ContextRequest, gatherContext } from "../../../../server/capabilities/knowledge/gather-context.ts";
import { changeTree, edit, GOOD_TREE } from "../../../fixtures/trees/good-tree.ts";
import type { Files } from "../../../fixtures/trees/create-memory-tree.ts";
import { readOwnFiles } from "./knowledge-trees.ts";

async function createGatherer(files: Files) {
  const texts = new Map(Object.entries(files).map(([path, text]) => [path, String(text)]));
  const [graph, index] = [createCodeGraph(texts), await createTextIndex({ texts, skipped: [] })];
  return (objective: string, { limit = 10, ...more }: Partial<ContextRequest> = {}) =>
    gatherContext({ objective, graph, index, found: index.search(objective, { limit }), limit, ...more });
}

const gather = await createGatherer({
  ...GOOD_TREE,
  "docs/sky.md": "# The sky\nIt is blue.\n",
  "test/tools/runner/get_weather.test.ts": 'import getWeather from "../../../../tools/runner/get_weather.ts";\n',
});

describe("the context of a plan", () => {
  test("has what the objective names first, then what fits its words", () => {
    const { referenced_context } = gather("Let runner.get_weather tell the colour of the sky.");
    const told = referenced_context.map(({ path, from_line, reason }) => `${path}:${from_line} ${reason}`);
    expect(told[0]).toBe("manifests/runner/get_weather.yaml:1 named: runner.get_weather");
    expect(told).toContain("docs/sky.md:1 about: sky");
    const sky = referenced_context.find(({ path }) => path === "docs/sky.md");
    expect(sky?.text).toBe("# The sky\nIt is blue.");
    expect(new Set(told.map((one) => one.split(" ")[0])).size).toBe(told.length);
  });

  test("warns of what the change affects", () => {
    const { impact, warnings } = gather("Round in tools/_lib/units.ts.");
    const sentence =
      "Changing `tools/_lib/units.ts` affects `runner.get_weather`, 1 handler, 1 module, 3 examples and 1 test file.";
    expect(warnings).toEqual([sentence]);
    expect(impact.map(({ of, total }) => [of, total])).toEqual([["tools/_lib/units.ts", 7]]);
    expect(impact[0]?.sentence).toBe(sentence);
    expect(impact[0]?.affected[1]).toEqual({
      id: "handler:tools/runner/get_weather.ts",
      file: "tools/runner/get_weather.ts",
      line: 8,
      reason:
        "`handler:tools/runner/get_weather.ts` imports `module:tools/runner/_shared.ts`, which imports `module:tools/_lib/units.ts`",
    });
  });

  test("suggests the manifest, the handler and the test of a tool", () => {
    expect(gather("Change runner.get_weather").suggested_files.slice(0, 3)).toEqual([
      "manifests/runner/get_weather.yaml",
      "tools/runner/get_weather.ts",
      "test/tools/runner/get_weather.test.ts",
    ]);
  });

  test.each([
    ["units.ts is wrong", ["tools/_lib/units.ts"]],
    ["Look at ./tools/_lib/units.ts!", ["tools/_lib/units.ts"]],
    ["Everything in tools/_lib/ is wrong", ["tools/_lib"]],
    ["The experiment forecast and policy `default`", ["experiment:forecast", "policy:default"]],
    ["The `forecast` is wrong", ["experiment:forecast"]],
    ["The forecast is wrong by default", []],
    ["capability:tool:get_weather", ["capability:tool:get_weather"]],
    ['Ask "runner.chat", not runner.get_weather.', ["tool:runner.chat", "tool:runner.get_weather"]],
    ["No agent, no runner, no label", []],
  ])("recognises what is named in %j", (objective, parts) => {
    expect(gather(objective).impact.map(({ of }) => of)).toEqual(parts);
  });

  test("takes an ordinary word for the name of a tool only where it is said to be one", async () => {
    const change = changeTree({ "manifests/runner/chat.yaml": edit("name: runner.chat", "name: chat") });
    const partsOf = (objective: string) => gatherPlain(objective).impact.map(({ of }) => of);
    const gatherPlain = await createGatherer(change);
    expect(partsOf("Make the chat shorter.")).toEqual([]);
    expect(partsOf("Make tool chat shorter.")).toEqual(["tool:chat"]);
    expect(partsOf("Make `chat` shorter.")).toEqual(["tool:chat"]);
  });

  test("puts the files that are given first", () => {
    const { impact, suggested_files } = gather("Change runner.chat", { files: ["docs/sky.md", "tools/_lib/units.ts"] });
    expect(suggested_files.slice(0, 2)).toEqual(["docs/sky.md", "tools/_lib/units.ts"]);
    expect(impact.map(({ of }) => of)).toEqual(["tools/_lib/units.ts", "tool:runner.chat"]);
  });

  test("warns of names that are not there, with the nearest", () => {
    const { warnings } = gather("Mend runner.get_wether and tools/_lib/unit.ts, e.g. in a.b", {
      files: ["docs/new.md"],
    });
    expect(warnings).toEqual([
      "`docs/new.md` is not there: it would be new.",
      "`runner.get_wether` is not there: it would be new. Did you mean `tool:runner.get_weather`?",
      "`tools/_lib/unit.ts` is not there: it would be new. Did you mean `tools/_lib/units.ts`?",
    ]);
  });

  test("is bounded", async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`tools/_lib/m${at}.ts`, "export {};\n"]));
    const { referenced_context, suggested_files, impact, warnings } = (await createGatherer(changeTree(files)))(
      `${Object.keys(files).join(" ")} `.repeat(100),
      { limit: 3 },
    );
    expect([referenced_context.length, suggested_files.length, impact.length]).toEqual([3, 3, 20]);
    expect(warnings).toContain("30 parts are named; only the first 20 are looked at.");
  });

  test("passes on what is wrong with the tree, in at most twenty sentences", async () => {
    const broken = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`manifests/runner/b${at}.yaml`, "a: ["]));
    const { warnings } = (await createGatherer(changeTree(broken)))("Nothing");
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe("There are 10 more warnings.");
  });

  test("serves a real objective for the example agent", async () => {
    const own = await readOwnFiles("docs/*.md");
    const context = (await createGatherer(Object.fromEntries(own)))(
      "Make runner.get_weather give wind speeds in knots when experiment weather asks for it.",
    );
    expect(context.impact.map(({ of }) => of)).toEqual(["tool:runner.get_weather", "experiment:weather"]);
    expect(context.suggested_files).toContain("tools/runner/get_weather.ts");
    expect(context.suggested_files).toContain("manifests/parameters/weather.yaml");
    expect(context.warnings[0]).toMatch(/^Changing `runner\.get_weather` affects `runner\.chat` \(may call /);
  });
});
