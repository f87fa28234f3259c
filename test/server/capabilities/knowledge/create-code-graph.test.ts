import { describe, expect, test } from "vitest";
import { createCodeGraph } from "../../../../server/capabilities/knowledge/create-code-graph.ts";
import { changeTree, edit, GOOD_TREE } from "../../../fixtures/trees/good-tree.ts";
import { graphOf, graphOfVersion, listEdges, readOwnFiles } from "./knowledge-trees.ts";

const chatCalling = (call: string, uses = "[session, model.generate, tools.call]") =>
  changeTree({
    "tools/runner/chat.ts": `export default async (_: unknown, ctx: any) => ({ reply: await ${call} });\n`,
    "manifests/runner/chat.yaml": edit("uses: [session, model.generate]", `uses: ${uses}`),
  });

const idsOf = (found: readonly { readonly node: { readonly id: string } }[]) => found.map(({ node }) => node.id);

describe("the code graph of a tree", () => {
  test("has a node for everything that is declared, at its line", async () => {
    const { nodes, warnings } = await graphOf(GOOD_TREE);
    const lines = [...nodes.values()].map(({ id, file, line }) => `${id} ${file}:${line}`);
    expect(lines).toEqual([
      "agent manifests/agent.yaml:1",
      "capability:tool:get_weather manifests/policies/default.yaml:2",
      "example:runner.get_weather#1 manifests/runner/get_weather.yaml:33",
      "example:runner.get_weather#2 manifests/runner/get_weather.yaml:35",
      "example:runner.get_weather#3 manifests/runner/get_weather.yaml:37",
      "experiment:forecast manifests/parameters/forecast.yaml:1",
      "handler:tools/runner/chat.ts tools/runner/chat.ts:1",
      "handler:tools/runner/get_weather.ts tools/runner/get_weather.ts:8",
      "host-api manifests/agent.yaml:4",
      "label:canary versions.yaml:5",
      "label:pinned versions.yaml:6",
      "label:stable versions.yaml:4",
      "module:tools/_lib/units.ts tools/_lib/units.ts:1",
      "module:tools/_lib/unused.ts tools/_lib/unused.ts:1",
      "module:tools/runner/_shared.ts tools/runner/_shared.ts:1",
      "parameter:forecast.style manifests/parameters/forecast.yaml:3",
      "parameter:forecast.temperature manifests/parameters/forecast.yaml:7",
      "policy:default manifests/policies/default.yaml:1",
      "prompt:runner/runner/explain manifests/runner/server.yaml:19",
      "resource:runner/docs://howto manifests/runner/server.yaml:15",
      "resource:runner/logs://recent{?limit} manifests/runner/server.yaml:9",
      "resource:runner/s3://forecasts/latest.json manifests/runner/server.yaml:12",
      "resource:runner/state://active manifests/runner/server.yaml:5",
      "role:reader manifests/policies/default.yaml:2",
      "schema:schemas/tool.schema.json schemas/tool.schema.json:1",
      "server:runner manifests/runner/server.yaml:2",
      "tool:runner.chat manifests/runner/chat.yaml:1",
      "tool:runner.get_weather manifests/runner/get_weather.yaml:2",
      "version:1.5.3 versions.yaml:8",
      "version:1.6.0 versions.yaml:10",
      "workflow:change manifests/workflows/change.yaml:2",
    ]);
    expect(warnings).toEqual([]);
  });

  test("has the pages for people that name tools and modules, an ordinary word only where it is code", async () => {
    const tree = changeTree({
      "docs/weather.md": "# Weather\n\nChat about runner.get_weather.\nIt shares `tools/_lib/units.ts`.\n",
      "docs/specs/7_SPEC.md": "# Done\n\nrunner.get_weather\n",
      "README.md": "# Agent\n\nSmall talk is not for this.\n",
    });
    const graph = await graphOf(tree);
    expect(listEdges(graph).filter((edge) => edge.startsWith("page:"))).toEqual([
      "page:docs/weather.md describes module:tools/_lib/units.ts (docs/weather.md:4)",
      "page:docs/weather.md describes tool:runner.get_weather (docs/weather.md:3)",
    ]);
    expect(graph.impactOf(["runner.get_weather"]).sentence).toContain("page `docs/weather.md`");
  });

  test("says why one node depends on another, and where that stands", async () => {
    const edges = listEdges(await graphOf(GOOD_TREE));
    expect(edges.filter((edge) => edge.startsWith("tool:runner.get_weather"))).toEqual([
      "tool:runner.get_weather has the form of schema:schemas/tool.schema.json (manifests/runner/get_weather.yaml:1)",
      "tool:runner.get_weather is handled by handler:tools/runner/get_weather.ts (manifests/runner/get_weather.yaml:2)",
      "tool:runner.get_weather is limited by policy:default (manifests/policies/default.yaml:8)",
      "tool:runner.get_weather is served by server:runner (manifests/runner/get_weather.yaml:2)",
      "tool:runner.get_weather reaches hosts allowed by policy:default (manifests/policies/default.yaml:3)",
      "tool:runner.get_weather reads experiment:forecast (manifests/runner/get_weather.yaml:27)",
      "tool:runner.get_weather requires capability:tool:get_weather (manifests/runner/get_weather.yaml:28)",
      "tool:runner.get_weather takes defaults from agent (manifests/runner/get_weather.yaml:29)",
    ]);
    expect(edges).toContain("label:canary points to version:1.6.0 (versions.yaml:5)");
    expect(edges).toContain("version:1.6.0 was made from version:1.5.3 (versions.yaml:11)");
    expect(edges).toContain(
      "capability:tool:get_weather is granted by role:reader (manifests/policies/default.yaml:2)",
    );
    expect(edges).toContain("role:reader is declared in policy:default (manifests/policies/default.yaml:2)");
    expect(edges).toContain(
      "module:tools/runner/_shared.ts imports module:tools/_lib/units.ts (tools/runner/_shared.ts:1)",
    );
    expect(edges).toContain(
      "handler:tools/runner/get_weather.ts imports types of host-api (tools/runner/get_weather.ts:1)",
    );
  });

  test("is the same whether or not the version's program is known, and in whichever order files come", async () => {
    const graph = await graphOf(GOOD_TREE);
    expect(listEdges(await graphOfVersion(GOOD_TREE))).toEqual(listEdges(graph));
    const texts = [...(await readOwnFiles())];
    const [one, other] = [createCodeGraph(new Map(texts)), createCodeGraph(new Map(texts.toReversed()))];
    expect(other.edges).toEqual(one.edges);
    expect([...other.nodes]).toEqual([...one.nodes]);
  });

  test("follows the imports of a module that only the erased code of its version tells", async () => {
    const odd = 'import { toFahrenheit } from "../_lib/units.ts";\nexport const show = (c: number) => {\n';
    const texts = new Map(
      Object.entries(changeTree({ "tools/runner/_shared.ts": odd })).map(([p, t]) => [p, String(t)]),
    );
    const without = createCodeGraph(texts);
    expect(without.warnings).toEqual([
      "`tools/runner/_shared.ts` cannot be read for its imports, so what it depends on is not known.",
    ]);
    const modules = new Map([["tools/runner/_shared.ts", odd.replace("{\n", "{}\n").replace(": number", "")]]);
    const graph = createCodeGraph(texts, { modules });
    expect(graph.warnings).toEqual([]);
    expect(idsOf(graph.impactOf(["tools/_lib/units.ts"]).affected)).toContain("tool:runner.get_weather");
  });

  test.each([
    ['ctx.tools.call("runner.get_weather", {})', "calls tool:runner.get_weather"],
    ["ctx.tools.call<Answer>('runner.get_weather', {})", "calls tool:runner.get_weather"],
    ["ctx.tools\n    .call(`runner.get_weather`, {})", "calls tool:runner.get_weather"],
    ["ctx.tools.call(name, {})", "may call any-tool"],
    ['ctx.tools.call("runner." + name, {})', "may call any-tool"],
    ["ctx.tools.call(`runner.${name}`, {})", "may call any-tool"],
  ])("knows that %s is a call", async (call, edge) => {
    const graph = await graphOf(chatCalling(call));
    const calls = listEdges(graph).filter((one) => one.startsWith("handler:tools/runner/chat.ts"));
    expect(calls).toEqual([`handler:tools/runner/chat.ts ${edge} (tools/runner/chat.ts:1)`]);
    expect(graph.impactOf(["tools/_lib/units.ts"]).sentence).toContain(
      `\`runner.chat\` (${edge.startsWith("calls") ? "calls" : "may call"} \`runner.get_weather\`)`,
    );
  });

  test("takes a call in a comment or in a text for none", async () => {
    const graph = await graphOf(chatCalling('null /* ctx.tools.call("runner.get_weather") */', "[session]"));
    expect(listEdges(graph).filter((edge) => edge.includes("call"))).toEqual([]);
  });

  test("supposes any call of a tool that uses tools.call, where nothing looks like one", async () => {
    const graph = await graphOf(chatCalling('Reflect.get(ctx.tools, "call")(name)'));
    expect(listEdges(graph).filter((edge) => edge.includes("may call"))).toEqual([
      "tool:runner.chat may call any-tool (manifests/runner/chat.yaml:22)",
    ]);
  });

  test("tells what is named and not there", async () => {
    const graph = await graphOf(
      changeTree({
        "tools/runner/chat.ts": undefined,
        "manifests/parameters/forecast.yaml": undefined,
        "manifests/runner/chat.yaml": edit("session: stateful", "requiredCapabilities: [admin]\nsession: stateful"),
        "manifests/policies/more.yaml": "roles: [\n",
      }),
    );
    expect(graph.warnings).toEqual([
      "`manifests/policies/more.yaml` is not well-formed YAML, so nothing is known of what it declares.",
      "`tool:runner.chat` is handled by `handler:tools/runner/chat.ts` (manifests/runner/chat.yaml:1), which is not there.",
      "`tool:runner.chat` requires `capability:admin` (manifests/runner/chat.yaml:20), which is not there.",
      "`tool:runner.get_weather` reads `experiment:forecast` (manifests/runner/get_weather.yaml:27), which is not there.",
    ]);
  });

  test("makes the graph of a thousand tools without work for every pair of them", () => {
    const graphWith = (count: number) => {
      const texts = new Map<string, string>();
      for (let index = 0; index < count; index++) {
        texts.set(
          `manifests/runner/t${index}.yaml`,
          `name: runner.t${index}\nrequiredCapabilities: [tool:t${index}]\n`,
        );
        texts.set(`tools/runner/t${index}.ts`, `import { a } from "../_lib/a.ts";\nexport default () => a;\n`);
      }
      texts.set("tools/_lib/a.ts", "export const a = 1;\n");
      texts.set("manifests/policies/p.yaml", 'roles:\n  user: ["tool:*"]\n');
      return createCodeGraph(texts);
    };
    const [few, many] = [graphWith(10), graphWith(1000)];
    expect((many.edges.length - 1) / (few.edges.length - 1)).toBe(100);
    const { total, affected, sentence } = many.impactOf(["tools/_lib/a.ts"], 5);
    expect({ total, told: affected.length }).toEqual({ total: 2000, told: 5 });
    expect(sentence).toContain("992 other tools and 1000 handlers");
  });
});

describe("the impact of a change", () => {
  test("is told in a sentence", async () => {
    const { impactOf } = await graphOf(GOOD_TREE);
    expect(impactOf(["tools/_lib/units.ts"]).sentence).toBe(
      "Changing `tools/_lib/units.ts` affects `runner.get_weather`, 1 handler, 1 module and 3 examples.",
    );
    expect(impactOf(["tools/_lib/unused.ts"]).sentence).toBe("Changing `tools/_lib/unused.ts` affects nothing else.");
    expect(impactOf(["schemas/tool.schema.json"]).sentence).toBe(
      "Changing `schemas/tool.schema.json` affects nothing else. 1 more only names it, uses its types or has its form.",
    );
  });

  test("comes with the chain of reasons", async () => {
    const { affected } = (await graphOf(GOOD_TREE)).impactOf(["module:tools/_lib/units.ts"]);
    const tool = affected.find(({ node }) => node.id === "tool:runner.get_weather");
    expect(tool?.distance).toBe(3);
    expect(tool?.chain.map(({ why, to, file, line }) => [why, to, `${file}:${line}`])).toEqual([
      ["is handled by", "handler:tools/runner/get_weather.ts", "manifests/runner/get_weather.yaml:2"],
      ["imports", "module:tools/runner/_shared.ts", "tools/runner/get_weather.ts:2"],
      ["imports", "module:tools/_lib/units.ts", "tools/runner/_shared.ts:1"],
    ]);
  });

  test("of types is no change of behaviour", async () => {
    const graph = await graphOf(
      changeTree({
        "tools/_lib/shape.ts": "export interface Shape { readonly a: number }\n",
        "tools/_lib/units.ts": (text) => `import type { Shape } from "./shape.ts";\n${text}export type { Shape };\n`,
      }),
    );
    const { affected, mentioned } = graph.impactOf(["tools/_lib/shape.ts"]);
    expect(affected).toEqual([]);
    expect(idsOf(mentioned)).toEqual(["module:tools/_lib/units.ts"]);
  });

  test("of a file is that of all it declares", async () => {
    const { impactOf } = await graphOf(GOOD_TREE);
    expect(impactOf(["manifests/runner/get_weather.yaml"]).changed.map(({ id }) => id)).toEqual([
      "tool:runner.get_weather",
      "example:runner.get_weather#1",
      "example:runner.get_weather#2",
      "example:runner.get_weather#3",
    ]);
    expect(idsOf(impactOf(["parameter:forecast.style"]).affected).slice(0, 2)).toEqual([
      "experiment:forecast",
      "tool:runner.get_weather",
    ]);
    expect(impactOf(["tools/_lib"]).total).toBe(impactOf(["tools/_lib/units.ts"]).total);
  });

  test("of modules that import each other ends", async () => {
    const graph = await graphOf(
      changeTree({
        "tools/_lib/units.ts": (text) => `import "./unused.ts";\n${text}`,
        "tools/_lib/unused.ts": 'import "./units.ts";\n',
      }),
    );
    expect(graph.impactOf(["tools/_lib/unused.ts"]).sentence).toContain("affects `runner.get_weather`");
  });

  test.each([
    ["tools/_lib/unit.ts", "tools/_lib/units.ts"],
    ["tools/runner/units.ts", "tools/_lib/units.ts"],
    ["runner.get_wether", "tool:runner.get_weather"],
    ["experiment:forcast", "experiment:forecast"],
  ])("of %s, which is not there, names %s", async (what, meant) => {
    const { impactOf } = await graphOf(GOOD_TREE);
    expect(() => impactOf([what])).toThrow(
      expect.objectContaining({
        name: "NOT_FOUND",
        message: `There is no file, tool or node \`${what}\` in this tree. Did you mean \`${meant}\`?`,
      }),
    );
  });
});

describe("the code graph of the example agent", () => {
  test("leaves nothing open", async () => {
    expect(createCodeGraph(await readOwnFiles()).warnings).toEqual([]);
  });

  test("knows what a change of the weather's words reaches", async () => {
    const { impactOf } = createCodeGraph(await readOwnFiles());
    const { sentence, affected } = impactOf(["tools/_lib/weather/conditions.ts"]);
    expect(sentence).toMatch(
      /^Changing `tools\/_lib\/weather\/conditions\.ts` affects `runner\.get_weather`, `runner\.chat` \(may call `runner\.get_weather`\), `run_advance` \(may call `runner\.get_weather`\), 3 handlers, \d+ modules, \d+ examples, \d+ test files and what is learnt by experiments `weather`, `chat`, `greeting` and `replies`\.$/,
    );
    expect(idsOf(affected)).toContain("test:test/tools/runner/get_weather.test.ts");
    expect(idsOf(affected)).not.toContain("tool:decide_evaluate");
  });
});
