import { stringify } from "yaml";
import { describe, expect, it } from "vitest";
import { createLoader } from "../../../../../server/versions/load-version.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";
import { changeTree } from "../../../../fixtures/trees/good-tree.ts";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
const CONVERSATION = { type: "string", description: "Server-provided identifier; reuse to continue the session." };
const LOGS = { type: "string", format: "uri", description: "Optional URI for debug logs related to this invocation." };

/** The schemas of the published interface, as they are published: with dialect, identity and all. */
const PUBLISHED = {
  get_weather: {
    manifest: {},
    input: {
      $schema: DRAFT,
      $id: "https://specs/runner.get_weather.input.json",
      type: "object",
      required: ["location"],
      properties: {
        location: { type: "string", description: "City name or 'lat,long' coordinates." },
        units: { type: "string", enum: ["metric", "imperial"], default: "metric" },
        when: { type: "string", description: "RFC3339 datetime or 'now'.", default: "now" },
      },
      additionalProperties: false,
    },
    output: {
      $schema: DRAFT,
      $id: "https://specs/runner.get_weather.output.json",
      type: "object",
      required: ["forecast", "conversation_id"],
      properties: {
        forecast: { type: "object", description: "Structured forecast payload." },
        conversation_id: { type: "string", description: "Server-generated UUID associated with this invocation." },
        logs_uri: LOGS,
      },
      additionalProperties: false,
    },
  },
  chat: {
    manifest: { session: "stateful", sideEffect: true, uses: ["session"] },
    input: {
      $schema: DRAFT,
      $id: "https://specs/runner.chat.input.json",
      type: "object",
      required: ["message"],
      properties: {
        conversation_id: CONVERSATION,
        message: { type: "string", description: "User input for this turn." },
        metadata: { type: "object", description: "Optional per-turn metadata (tool prefs, routing hints)." },
      },
      additionalProperties: false,
    },
    output: {
      $schema: DRAFT,
      $id: "https://specs/runner.chat.output.json",
      type: "object",
      required: ["reply", "conversation_id"],
      properties: {
        reply: { type: "object", description: "Model or pipeline response for this turn, possibly structured." },
        conversation_id: { type: "string", description: "Server-generated or reused conversation UUID." },
        logs_uri: LOGS,
      },
      additionalProperties: false,
    },
  },
  bandit_reward: {
    manifest: { sideEffect: true },
    input: {
      $schema: DRAFT,
      $id: "https://specs/tuner.bandit_reward.input.json",
      type: "object",
      required: ["conversation_id", "reward"],
      properties: {
        conversation_id: { type: "string", description: "ID of the referenced conversation." },
        reward: { type: "number", description: "Bandit reward signal (e.g., scalar in [-1,1] or [0,1])." },
      },
      additionalProperties: false,
    },
    output: {
      $schema: DRAFT,
      $id: "https://specs/tuner.bandit_reward.output.json",
      type: "object",
      required: ["status"],
      properties: {
        status: { type: "string", enum: ["success", "failure"], description: "Whether the reward was recorded." },
        details: { type: "string", description: "Optional human-readable details on what was updated." },
      },
      additionalProperties: false,
    },
  },
} as const;

const loader = createLoader();

async function loadTool(name: keyof typeof PUBLISHED) {
  const { manifest, input, output } = PUBLISHED[name];
  const content = { name, version: "1.0.0", description: "As published.", input, output, ...manifest };
  const files = changeTree({
    [`manifests/runner/${name}.yaml`]: stringify(content, { aliasDuplicateObjects: false }),
    [`tools/runner/${name}.ts`]: "export default () => ({});\n",
    // The tool that it limits may be the one that is replaced.
    "manifests/policies/default.yaml": 'roles: { reader: ["tool:*"] }\negress: ["*.open-meteo.com"]\n',
  });
  const loaded = await loader.load(createMemoryTree(files), "0123456");
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const tool = loaded.version.tools.get(name);
  if (!tool) throw new Error("missing");
  return tool;
}

describe("the published schemas", () => {
  it.each(Object.keys(PUBLISHED) as (keyof typeof PUBLISHED)[])(
    "[R2][R3][T1] of %s are carried to the letter, keys in their order",
    async (name) => {
      const tool = await loadTool(name);
      expect(JSON.stringify(tool.input)).toBe(JSON.stringify(PUBLISHED[name].input));
      expect(JSON.stringify(tool.output)).toBe(JSON.stringify(PUBLISHED[name].output));
    },
  );

  it("[R2] check the weather's input and output", async () => {
    const tool = await loadTool("get_weather");
    expect(tool.withDefaults({ location: "Rome" })).toEqual({ location: "Rome", units: "metric", when: "now" });
    expect(tool.checkInput({ location: "Rome", units: "metric", when: "now" })).toEqual([]);
    expect(tool.checkInput({ place: "Rome" }).map(({ message }) => message)).toEqual([
      "`location` is missing",
      "`place` is not allowed; allowed are location, units, when",
    ]);
    expect(tool.checkOutput({ forecast: {}, conversation_id: "x", logs_uri: "logs://x" })).toEqual([]);
    expect(tool.checkOutput({ forecast: {}, conversation_id: "x", logs_uri: "not a uri" })).toHaveLength(1);
  });

  it("[T7] of the same identity in another version are checked by that version's own", async () => {
    const tool = await loadTool("bandit_reward");
    const { manifest, output } = PUBLISHED.bandit_reward;
    const input = { ...PUBLISHED.bandit_reward.input, required: ["reward"] };
    const content = { name: "bandit_reward", version: "2.0.0", description: "Later.", input, output, ...manifest };
    const files = changeTree({
      "manifests/runner/bandit_reward.yaml": stringify(content),
      "tools/runner/bandit_reward.ts": "export default () => ({});\n",
    });
    const later = await loader.load(createMemoryTree(files), "abcdef0");
    const laterTool = later.ok ? later.version.tools.get("bandit_reward") : undefined;
    expect(laterTool?.checkInput({ reward: 1 })).toEqual([]);
    expect(tool.checkInput({ reward: 1 })).toEqual([{ path: "", message: "`conversation_id` is missing" }]);
  });
});

describe("a tool whose schemas are of draft-07", () => {
  const $schema = "http://json-schema.org/draft-07/schema#";
  const input = {
    $schema,
    type: "object",
    required: ["place"],
    properties: {
      place: { $ref: "#/definitions/place", default: "ignored beside `$ref`" },
      range: { type: "array", items: [{ type: "integer" }, { type: "integer", default: 7 }], additionalItems: false },
      units: { enum: ["metric", "imperial"], default: "metric" },
      from: { type: "string" },
      to: { type: "string" },
    },
    dependencies: { from: ["to"] },
    definitions: { place: { type: "string", minLength: 2 } },
  };
  const output = {
    $schema,
    type: "object",
    properties: { points: { type: "array", items: [{ properties: { x: {} } }] } },
  };

  async function load(name = "plan") {
    const content = { name, version: "1.0.0", description: "Plans.", input, output, redact: ["/range/0"] };
    const files = changeTree({
      [`manifests/runner/${name}.yaml`]: stringify(content, { aliasDuplicateObjects: false }),
      [`tools/runner/${name}.ts`]: "export default () => ({});\n",
    });
    const loaded = await loader.load(createMemoryTree(files), "0123456");
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const tool = loaded.version.tools.get(name);
    if (!tool) throw new Error("missing");
    return tool;
  }

  it("is given to clients as it was written", async () => {
    const tool = await load();
    expect(JSON.stringify(tool.input)).toBe(JSON.stringify(input));
    expect(JSON.stringify(tool.output)).toBe(JSON.stringify(output));
  });

  it("checks, fills in and strips by the rules of that draft", async () => {
    const tool = await load();
    expect(tool.withDefaults({ place: "Rome" })).toEqual({ place: "Rome", units: "metric" });
    expect(tool.checkInput({ place: "Rome", range: [1, 2], from: "a", to: "b" })).toEqual([]);
    expect(tool.checkInput({ place: "R", range: [1, 2, 3], from: "a" }).map(({ message }) => message)).toEqual([
      "`place` must have at least 2 characters",
      "`range` must have at most 2 items",
      "`to` is missing when there is `from`",
    ]);
    expect(tool.stripUndeclared({ points: [{ x: 1, y: 2 }], more: 3 })).toEqual({ points: [{ x: 1 }] });
  });
});
