import { describe, expect, it } from "vitest";
import { createLoader } from "../../../server/versions/load-version.ts";
import type { Version } from "../../../server/versions/version.ts";
import { createMemoryTree, type Files } from "../../fixtures/trees/create-memory-tree.ts";
import { changeTree, edit, GOOD_TREE } from "../../fixtures/trees/good-tree.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const TOOL = "manifests/runner/get_weather.yaml";

const shared = createLoader();

async function load(files: Files, loader = shared): Promise<Version> {
  const loaded = await loader.load(createMemoryTree(files), COMMIT);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.version;
}

describe("a tree without problems", () => {
  it("[D1] is a version with everything its files say", async () => {
    const version = await load(GOOD_TREE);
    expect(version).toMatchObject({
      commit: COMMIT,
      semver: "1.6.0",
      agent: { name: "weather-desk", defaults: { limits: { time: 5000, cpu: 1000, memory: 64, payload: 1_048_576 } } },
      history: { current: "1.6.0" },
    });
    expect([...version.tools.keys()]).toEqual(["runner.chat", "runner.get_weather"]);
    expect([...version.history.labels]).toEqual([
      ["stable", "1.5.3"],
      ["canary", "1.6.0"],
      ["pinned", "eda3322"],
    ]);
    expect(version.parameters.get("forecast")?.parameters.get("temperature")).toEqual({
      type: "float",
      min: 0,
      max: 1,
      scale: "linear",
      step: 0.1,
      default: 0.3,
    });
    expect([...(version.policies[0]?.roles ?? [])]).toEqual([["reader", ["tool:*"]]]);
    expect(version.policies[0]?.limits).toEqual({
      tenant: { rate: 600 },
      actor: { rate: 60, concurrency: 4, dailyCost: 1000 },
      tools: { "runner.get_weather": { rate: 10 } },
    });
  });

  it("has resources and templates apart, each with its source", async () => {
    const server = (await load(GOOD_TREE)).servers.get("runner");
    expect(server?.resources.map(({ uri, source }) => [uri, source])).toEqual([
      ["state://active", { kind: "provider", provider: "state.active" }],
      ["s3://forecasts/latest.json", { kind: "link" }],
      ["docs://howto", { kind: "text", text: "Read the sky." }],
    ]);
    expect(server?.resourceTemplates).toEqual([
      {
        uriTemplate: "logs://recent{?limit}",
        name: "recent-logs",
        source: { kind: "provider", provider: "logs.recent" },
        suggestions: new Map(),
      },
    ]);
    expect(server?.prompts[0]?.arguments).toEqual([{ name: "place", required: true, suggestions: [] }]);
  });

  it("has the checks of changes, each with a time that it may take", async () => {
    const agent = `${GOOD_TREE["manifests/agent.yaml"]}checks:
  - { name: tests, command: [node, --test], timeout: 9000 }
  - { name: lint, command: [make] }
`;
    expect((await load({ ...GOOD_TREE, "manifests/agent.yaml": agent })).agent.checks).toEqual([
      { name: "tests", command: ["node", "--test"], timeout: 9_000 },
      { name: "lint", command: ["make"], timeout: 60_000 },
    ]);
    expect((await load(GOOD_TREE)).agent.checks).toEqual([]);
  });

  it("[G4] fills in what tools do not say, and the agent's limits", async () => {
    const version = await load(GOOD_TREE);
    expect(version.tools.get("runner.chat")).toMatchObject({
      server: "runner",
      deterministic: false,
      sideEffect: true,
      idempotent: false,
      cost: { units: 0 },
      requiredCapabilities: [],
      tenantScoped: true,
      session: "stateful",
      interactive: false,
      uses: new Set(["session", "model.generate"]),
      egress: [],
      limits: { time: 5000, cpu: 1000, memory: 64, payload: 1_048_576 },
      handler: "tools/runner/chat.ts",
    });
    expect(version.tools.get("runner.get_weather")).toMatchObject({ idempotent: true, limits: { memory: 128 } });
  });

  it("checks input and output, and fills in the defaults of input", async () => {
    const tool = (await load(GOOD_TREE)).tools.get("runner.get_weather");
    expect(tool?.withDefaults({ location: "Rome" })).toEqual({ location: "Rome", units: "metric" });
    expect(tool?.checkInput({ location: "Rome", units: "metric" })).toEqual([]);
    expect(tool?.checkInput({ location: "Rome", units: "kelvin" })).toEqual([
      { path: "/units", message: "`units` must be one of metric, imperial" },
    ]);
    expect(tool?.checkOutput({ forecast: {} })).toEqual([{ path: "", message: "`conversation_id` is missing" }]);
  });

  it("[D8] has a program of what handlers reach, with the memory of the tool that needs most", async () => {
    const { program } = await load(GOOD_TREE);
    expect([...program.modules.keys()]).toEqual([
      "tools/_lib/units.ts",
      "tools/runner/_shared.ts",
      "tools/runner/chat.ts",
      "tools/runner/get_weather.ts",
    ]);
    expect(program.memory).toBe(128);
    expect(program.modules.get("tools/runner/get_weather.ts")).not.toContain("Handler");
  });

  it("[V1] is frozen, down to the schemas", async () => {
    const version = await load(GOOD_TREE);
    const tool = version.tools.get("runner.get_weather");
    const parts: unknown[] = [version, version.agent.defaults.limits, tool, tool?.input, tool?.input["properties"]];
    parts.push(tool?.examples[0]?.input, tool?.limits, version.servers.get("runner")?.resources[0], version.history);
    expect(parts.map(Object.isFrozen)).toEqual(parts.map(() => true));
  });

  it("may have no tools at all", async () => {
    const { tools, program } = await load({
      "versions.yaml": "current: 0.1.0\nversions: { 0.1.0: { changes: [] } }\n",
      "manifests/agent.yaml": "name: empty\ndescription: Nothing yet.\nhostApi: 1.0.0\n",
    });
    expect([tools.size, program.modules.size, program.memory]).toEqual([0, 0, 64]);
  });

  it("allows what policies leave open: no policy, no list of hosts, no role, a role for everything", async () => {
    const policy = "manifests/policies/default.yaml";
    await load(changeTree({ [policy]: undefined }));
    await load(changeTree({ [policy]: "roles: { all: ['*'] }\n" }));
    await load(changeTree({ [policy]: "commands: [{ program: node, arguments: [server.js] }]\n" }));
    const rulesOf = async (text: string) => {
      const loaded = await shared.load(createMemoryTree(changeTree({ [policy]: text })), COMMIT);
      return loaded.ok || loaded.problems.map(({ rule }) => rule);
    };
    expect(await rulesOf("egress: []\n")).toEqual(["egress-not-allowed"]);
    expect(await rulesOf("roles: { reader: [other] }\n")).toEqual(["uncovered-capability"]);
  });
});

describe("a second tree", () => {
  it("costs nothing where it is the same", async () => {
    const loader = createLoader();
    const tree = createMemoryTree(GOOD_TREE);
    const first = await loader.load(tree, COMMIT);
    const { count } = tree.reads;
    const second = await loader.load(tree, "f".repeat(40));
    expect(tree.reads.count).toBe(count);
    if (!first.ok || !second.ok) throw new Error("refused");
    expect(second.version.commit).toBe("f".repeat(40));
    expect(second.version.tools.get("runner.chat")?.checkInput).toBe(
      first.version.tools.get("runner.chat")?.checkInput,
    );
  });

  it("reads only what changed, and compiles only schemas that are new", async () => {
    const loader = createLoader();
    const before = await load(GOOD_TREE, loader);
    const files = changeTree({ [TOOL]: edit("Forecasts the weather", "Tells the weather") });
    const tree = createMemoryTree(files);
    const after = await loader.load(tree, COMMIT);
    expect(tree.reads.count).toBe(1);
    const [old, young] = [before, after.ok ? after.version : undefined].map((version) =>
      version?.tools.get("runner.get_weather"),
    );
    expect(young?.description).not.toBe(old?.description);
    expect(young?.checkInput).toBe(old?.checkInput);
    expect(after.ok && after.version.program.modules).toEqual(before.program.modules);
  });

  it("has another program when a module that handlers reach or the memory is another", async () => {
    const loader = createLoader();
    const { program } = await load(GOOD_TREE, loader);
    const code = await load(changeTree({ "tools/_lib/units.ts": (text) => `${text}// more\n` }), loader);
    const memory = await load(changeTree({ [TOOL]: edit("memory: 128", "memory: 256") }), loader);
    const unused = await load(changeTree({ "tools/_lib/unused.ts": "export const other = 2;\n" }), loader);
    expect(code.program.modules).not.toEqual(program.modules);
    expect([program.memory, memory.program.memory]).toEqual([128, 256]);
    expect(unused.program).toEqual(program);
  });

  it("[V1] takes nothing from another tree that has the same text elsewhere", async () => {
    const loader = createLoader();
    await load(GOOD_TREE, loader);
    const files = changeTree({ "manifests/runner/forecast.yaml": GOOD_TREE[TOOL] });
    const moved = await loader.load(
      createMemoryTree({ ...files, "tools/runner/forecast.ts": "export default 1;" }),
      COMMIT,
    );
    expect(moved.ok || moved.problems.map(({ rule, file }) => [file, rule])).toEqual([
      ["manifests/runner/forecast.yaml", "name-mismatch"],
      ["manifests/runner/get_weather.yaml", "duplicate-name"],
    ]);
  });

  it("is loaded the same by a loader that keeps next to nothing", async () => {
    const loader = createLoader({ maxBytesKept: 8 });
    const [first, second] = [await load(GOOD_TREE, loader), await load(GOOD_TREE, loader)];
    expect(second.program).toEqual(first.program);
    expect([...second.tools.keys()]).toEqual([...first.tools.keys()]);
  });
});

describe("a tree that cannot be read", () => {
  it("makes the loader reject, and is read again the next time", async () => {
    const loader = createLoader();
    const tree = createMemoryTree(GOOD_TREE);
    const broken = { ...tree, read: () => Promise.reject(new Error("disk")) };
    await expect(loader.load(broken, COMMIT)).rejects.toThrow("disk");
    expect((await loader.load(tree, COMMIT)).ok).toBe(true);
  });

  it("with more than a version may hold is refused before all of it is read", async () => {
    const big = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `tools/_lib/big${index}.ts`,
        `export const a${index} = 1;\n${"// filler, filler, filler\n".repeat(8000)}`,
      ]),
    );
    const tree = createMemoryTree({ ...GOOD_TREE, ...big });
    const loaded = await shared.load(tree, COMMIT);
    expect(loaded.ok || loaded.problems.map(({ rule }) => rule)).toEqual(["too-many-files"]);
    expect(tree.reads.count).toBeLessThan(60);
  });
});

describe("the history alone", () => {
  it("is read without the rest of the tree", async () => {
    const tree = createMemoryTree({ "versions.yaml": GOOD_TREE["versions.yaml"], "manifests/agent.yaml": "broken: [" });
    const loaded = await createLoader().loadHistory(tree);
    expect(loaded.ok && loaded.history.current).toBe("1.6.0");
    expect(tree.reads.count).toBe(1);
  });

  it.each([
    [{}, "missing-file"],
    [{ "versions.yaml": "current: 1.0.0\n" }, "missing-key"],
    [{ "versions.yaml": { kind: "symlink" } }, "not-a-file"],
    [{ "versions.yaml": "current: 1.0.0\nversions: { 1.1.0: { changes: [] } }\n" }, "history-reference"],
  ] as const)("is refused with what is wrong: %j", async (files, rule) => {
    const loaded = await shared.loadHistory(createMemoryTree(files));
    expect(loaded.ok || loaded.problems.map((problem) => problem.rule)).toEqual([rule]);
  });
});

describe("a module that takes too long to read", () => {
  it("[V8] is held against a busy machine twice, and against the module the third time", async () => {
    const slow = createLoader({ moduleTimeLimit: 0 });
    for (let round = 1; round <= 2; round++) {
      await expect(slow.load(createMemoryTree(GOOD_TREE), COMMIT)).rejects.toMatchObject({ name: "UNAVAILABLE" });
    }
    const loaded = await slow.load(createMemoryTree(GOOD_TREE), COMMIT);
    expect(loaded).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.objectContaining({ rule: "handler-syntax" })]),
    });
  });
});
