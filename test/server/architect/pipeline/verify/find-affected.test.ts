import { describe, expect, test } from "vitest";
import { findAffected } from "../../../../../server/architect/pipeline/verify/find-affected.ts";
import { compareVersions } from "../../../../../server/semver/compare-versions.ts";
import { loader } from "../../../../helpers/loader.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";
import { agentFiles } from "../../../../helpers/agent.ts";

const FILES = agentFiles({
  version: "1.0.0",
  tools: {
    plain: { handler: "export default () => ({});\n" },
    sharing: { handler: 'import { one } from "../_lib/one.ts";\nexport default () => ({ one });\n' },
    tuned: { handler: "export default () => ({});\n", manifest: "parameters: [style]" },
    calling: { handler: "export default (_, { tools }) => tools.list();\n", manifest: "uses: [tools.list]" },
    tuning: {
      handler: "export default () => ({});\n",
      manifest: "uses: [tuner.read]\nrequiredCapabilities: []",
    },
    looking: { handler: "export default () => ({});\n", manifest: "uses: [repository.read]" },
    numbered: { handler: "export default (_, { call }) => ({ version: call.version });\n" },
    calls: { handler: "export default () => Math.max.call(undefined, 1, 2) && {}; // the call of calls\n" },
  },
  files: {
    "tools/_lib/one.ts": 'import { two } from "./two.ts";\nexport const one = two - 1;\n',
    "tools/_lib/two.ts": "export const two = 2;\n",
    "manifests/parameters/style.yaml":
      "parameters:\n  tone: { type: categorical, values: [warm, cold], default: warm }\nexperiment:\n  strategy: { kind: thompson }\n  arms: { warm: { tone: warm }, cold: { tone: cold } }\n  reward: { range: [0, 1] }\n",
    "README.md": "Read.\n",
  },
});

/** The tools that may answer otherwise when these files are others, without `runner.`. */
async function affected(changes: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
  const files = Object.fromEntries(
    Object.entries({ ...FILES, ...changes }).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])),
  );
  const [before, after] = await Promise.all(
    [FILES, files].map(async (own, index) => {
      const loaded = await loader.load(createMemoryTree(own), String(index).repeat(40));
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
      return loaded.version;
    }),
  );
  if (before === undefined || after === undefined) throw new Error("There are not two.");
  const difference = compareVersions(before, after);
  const tools = findAffected({ before, after, difference, changed: Object.keys(changes) });
  return tools.map(({ name }) => name.replace("runner.", "")).sort();
}

const manifest = (name: string) => `manifests/runner/${name}.yaml`;
const append = (path: string, more: string) => ({ [path]: `${FILES[path]}${more}` });

describe("the tools that a change may have answer otherwise", () => {
  test("are that of a manifest, and those that see other tools or their own number", async () => {
    expect(await affected(append(manifest("plain"), "idempotent: false\n"))).toEqual(["calling", "numbered", "plain"]);
  });

  test("are those that import what changed, through others as well", async () => {
    expect(await affected(append("tools/_lib/two.ts", "export const three = 3;\n"))).toEqual([
      "calling",
      "looking",
      "numbered",
      "sharing",
    ]);
  });

  test("are that of a recording", async () => {
    expect(await affected({ "tools/runner/plain.recording.yaml": "at: 2026-01-01T00:00:00Z\n" })).toEqual([
      "calling",
      "looking",
      "numbered",
      "plain",
    ]);
  });

  test("are those that read a parameter, and those that see experiments", async () => {
    const path = "manifests/parameters/style.yaml";
    expect(await affected({ [path]: FILES[path]?.replace("default: warm", "default: cold") })).toEqual([
      "calling",
      "numbered",
      "tuned",
      "tuning",
    ]);
  });

  test("are none for a parameter that no tool reads and nobody tunes, and those that see experiments where one is tuned", async () => {
    const path = "manifests/parameters/spare.yaml";
    const spare = "parameters:\n  size: { type: int, min: 0, max: 9, default: 1 }\n";
    expect(await affected({ [path]: spare })).toEqual(["numbered"]);
    const tuned = `${spare}experiment:\n  strategy: { kind: thompson }\n  arms: { small: {}, large: { size: 9 } }\n  reward: { range: [0, 1] }\n`;
    expect(await affected({ [path]: tuned })).toEqual(["calling", "numbered", "tuning"]);
  });

  test("are new ones", async () => {
    const more = "name: more\nversion: 1.0.0\ndescription: M.\ninput: { type: object }\noutput: { type: object }\n";
    const files = { [manifest("more")]: more, "tools/runner/more.ts": "export default () => ({});\n" };
    expect(await affected(files)).toEqual(["calling", "looking", "more", "numbered"]);
    const gone = { [manifest("plain")]: undefined, "tools/runner/plain.ts": undefined };
    expect(await affected(gone)).toEqual(["calling", "looking", "numbered"]);
  });

  test("are none where no version is made of what changed, and those that see their number where that alone did", async () => {
    expect(await affected({ "README.md": "Read more.\n", "schemas/agent.schema.json": "{}" })).toEqual([]);
    expect(await affected(append("versions.yaml", "    date: 2026-01-01T00:00:00Z\n"))).toEqual(["numbered"]);
  });

  test.each(["manifests/agent.yaml", "manifests/runner/server.yaml"])(
    "are all when it cannot be told, as of %s",
    async (path) => {
      expect(await affected({ [path]: `${FILES[path]}# more\n` })).toHaveLength(8);
      expect(
        await affected({ [path]: `${FILES[path]}# more\n`, ...append(manifest("plain"), "# more\n") }),
      ).toHaveLength(8);
    },
  );
});
