import fc from "fast-check";
import { dump, type DumpOptions } from "js-yaml";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { isObject } from "../../../server/json/is-object.ts";
import { loader } from "../../helpers/loader.ts";
import { diffSurfaces, surfaceDigest, toSurface } from "../../../server/versions/surface.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { type Change, changeTree, edit, GOOD_TREE } from "../../fixtures/trees/good-tree.ts";
import { VERIFY_STEP } from "../../fixtures/trees/verify-step.ts";

const SERVER = "manifests/runner/server.yaml";
const CHAT = "manifests/runner/chat.yaml";
const TOOL = "manifests/runner/get_weather.yaml";
const FLOW = "manifests/workflows/change.yaml";

async function load(changes: Readonly<Record<string, Change>> = {}) {
  const loaded = await loader.load(createMemoryTree(changeTree(changes)), "0123456");
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return toSurface(loaded.version);
}

/** The same manifest, with its keys in another order and in another style of YAML. */
function rewrite(text: string, order: (names: readonly string[]) => readonly string[], style: DumpOptions): string {
  const shuffle = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffle);
    if (!isObject(value)) return value;
    return Object.fromEntries(order(Object.keys(value)).map((name) => [name, shuffle(value[name])]));
  };
  return `# Written anew.\n${dump(shuffle(parse(text)), style)}`;
}

describe("the fingerprint", () => {
  it("is the same whatever the order of keys and the style of the YAML", { timeout: 60_000 }, async () => {
    const same = surfaceDigest(await load());
    const manifests = Object.entries(GOOD_TREE).filter(([file]) => file.endsWith(".yaml"));
    const style = fc.record({
      flowLevel: fc.integer({ min: -1, max: 3 }),
      indent: fc.integer({ min: 2, max: 4 }),
      forceQuotes: fc.boolean(),
      lineWidth: fc.constantFrom(40, -1),
    });
    await fc.assert(
      fc.asyncProperty(style, fc.infiniteStream(fc.nat()), async (options, numbers) => {
        const order = (names: readonly string[]) =>
          names
            .map((name) => ({ name, rank: numbers.next().value as number }))
            .toSorted((a, b) => a.rank - b.rank)
            .map(({ name }) => name);
        const changes = manifests.map(([file, text]) => [file, rewrite(text, order, options)]);
        expect(surfaceDigest(await load(Object.fromEntries(changes) as Record<string, string>))).toBe(same);
      }),
      { numRuns: 25 },
    );
  });
});

describe("the surface", () => {
  it("is the same for the same tree", async () => {
    expect(surfaceDigest(await load())).toBe(surfaceDigest(await load()));
    expect(diffSurfaces(await load(), await load())).toEqual([]);
  });

  it("leaves out what only the handler knows", async () => {
    const changed = await load({ "tools/runner/chat.ts": "export default () => ({ reply: { text: 1 } });\n" });
    expect(diffSurfaces(await load(), changed)).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, Change>>, string, readonly string[]]>([
    [
      "a tool's input",
      { [TOOL]: edit("enum: [metric, ", "enum: [kelvin, metric, ") },
      "tool runner.get_weather",
      ["input"],
    ],
    [
      "suggestions for an argument",
      { [SERVER]: edit("        required: true", "        required: true\n        suggestions: [Rome]") },
      "prompt runner runner/explain",
      ["arguments"],
    ],
    [
      "the kind of a message",
      { [SERVER]: edit("text: Explain the weather in {{place}}.", "image: { data: QQ==, mimeType: image/png }") },
      "prompt runner runner/explain",
      ["messages"],
    ],
    [
      "suggestions for a variable",
      { [SERVER]: edit("    provider: logs.recent", "    provider: logs.recent\n    suggestions: { limit: ['10'] }") },
      "resource runner logs://recent{?limit}",
      ["suggestions"],
    ],
    [
      "text that becomes bytes",
      { [SERVER]: edit("text: Read the sky.", "blob: QQ==") },
      "resource runner docs://howto",
      ["content", "kind"],
    ],
  ])("shows a change of %s", async (_, changes, what, properties) => {
    expect(diffSurfaces(await load(), await load(changes))).toEqual([{ change: "changed", what, properties }]);
  });

  it("shows of a workflow what tasks and workers meet, and not how it is done", async () => {
    expect((await load(VERIFY_STEP))["workflow change"]).toEqual({
      title: null,
      description: "Changes files of the agent.",
      writes: true,
      default: true,
      maxAttempts: 3,
      leaseSeconds: 300,
      requires: ["plan.json"],
      steps: [{ name: "verify", produces: ["verifier_report.json"] }],
      approvals: ["high"],
    });
    const changed = await load({ [FLOW]: edit("level: medium", "level: high") });
    expect(diffSurfaces(await load(), changed)).toEqual([]);
  });

  it("leaves out what policies say of programs and approvals", async () => {
    const policy = "manifests/policies/default.yaml";
    const more = (text: string) => `${text}commands: [{ program: node }]\napprovals: { self: true }\n`;
    expect(diffSurfaces(await load(), await load({ [policy]: more }))).toEqual([]);
  });

  it("shows that a tool, and so its server, may ask its caller something", async () => {
    const changed = await load({ [CHAT]: edit("uses: [session", "interactive: true\nuses: [elicit, session") });
    expect(diffSurfaces(await load(), changed)).toEqual([
      { change: "changed", what: "server runner", properties: ["interactive"] },
      { change: "changed", what: "tool runner.chat", properties: ["interactive"] },
    ]);
  });

  it("shows that a prompt, and so its server, may ask its caller something", async () => {
    const ask = edit("        required: true", "        required: true\n        ask: Which place?");
    expect(diffSurfaces(await load(), await load({ [SERVER]: ask }))).toEqual([
      { change: "changed", what: "prompt runner runner/explain", properties: ["arguments"] },
      { change: "changed", what: "server runner", properties: ["interactive"] },
    ]);
  });
});
