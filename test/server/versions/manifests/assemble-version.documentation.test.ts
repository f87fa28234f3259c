import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createLoader } from "../../../../server/versions/load-version.ts";
import { createMemoryTree } from "../../../fixtures/trees/create-memory-tree.ts";
import { VERIFY_STEP } from "../../../fixtures/trees/verify-step.ts";

const FILES = [
  "manifests/runner/get_weather.yaml",
  "tools/runner/get_weather.recording.yaml",
  "tools/runner/get_weather.ts",
  "tools/_lib/mean.ts",
  "versions.yaml",
  "manifests/agent.yaml",
  "manifests/runner/server.yaml",
  "manifests/parameters/forecast.yaml",
  "manifests/policies/default.yaml",
  "manifests/workflows/change.yaml",
];

describe("docs/manifests.md", () => {
  it("has examples that together are a version", async () => {
    const docs = await readFile(new URL("../../../../docs/manifests.md", import.meta.url), "utf8");
    const blocks = [...docs.matchAll(/```(?:yaml|ts)\n(.*?)```/gs)].map(([, text = ""]) => text).slice(1);
    expect(blocks).toHaveLength(FILES.length);
    const examples = Object.fromEntries(FILES.map((path, index) => [path, blocks[index] ?? ""]));
    const tree = createMemoryTree({ ...VERIFY_STEP, ...examples });
    const loaded = await createLoader().load(tree, "0123456");
    expect(loaded.ok || loaded.problems).toBe(true);
  });
});
