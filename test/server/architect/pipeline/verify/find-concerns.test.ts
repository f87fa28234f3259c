import { describe, expect, test } from "vitest";
import { findConcerns } from "../../../../../server/architect/pipeline/verify/find-concerns.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { loadFiles } from "../../../../helpers/plan-ground.ts";

const POLICY = "manifests/policies/access.yaml";
const ROLES = 'roles:\n  sender: ["architect:chat"]\n  approver: ["tool:*"]\n';
const CODE = "export default () => ({});\n";
const FILES = agentFiles({
  version: "1.0.0",
  tools: {
    approve: {
      handler: CODE,
      manifest: "requiredCapabilities: [tool:approve]\nuses: [work.approve]\nsideEffect: true",
    },
    greet: { handler: CODE },
  },
  files: { [POLICY]: ROLES },
});

async function load(changed: Readonly<Record<string, string | null>> = {}) {
  const files = Object.entries({ ...FILES, ...changed }).flatMap(([path, text]) =>
    text === null ? [] : [[path, text] as const],
  );
  const loaded = await loadFiles(new Map(files));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.version;
}

const concernsOf = async (changed: Readonly<Record<string, string | null>>) =>
  findConcerns(await load(), await load(changed));

describe("what a change does to those after it", () => {
  test("is of concern where nobody may ask any more", async () => {
    expect(await concernsOf({ [POLICY]: 'roles:\n  approver: ["tool:*"]\n' })).toEqual([
      expect.stringContaining("no role may send feedback (`architect:chat`)"),
    ]);
  });

  test("is of concern where the tool goes by which people approve", async () => {
    const gone = { "manifests/runner/approve.yaml": null, "tools/runner/approve.ts": null };
    expect(await concernsOf(gone)).toEqual([expect.stringContaining("no tool approves changes (`work.approve`)")]);
  });

  test.each(['roles:\n  sender: ["architect:*"]\n  approver: ["tool:approve"]\n', 'roles:\n  all: ["*"]\n'])(
    "is none where somebody still may: %j",
    async (roles) => {
      expect(await concernsOf({ [POLICY]: roles })).toEqual([]);
    },
  );

  test("is of concern where a tool asks less of its callers, or reaches a host more", async () => {
    const manifest = "manifests/runner/approve.yaml";
    const text = FILES[manifest] ?? "";
    const freed = text.replace("requiredCapabilities: [tool:approve]", "requiredCapabilities: []");
    const reaching = `${text.replace("uses: [work.approve]", "uses: [work.approve, fetch]")}\negress: [api.example.org]\n`;
    const policy = `${ROLES}egress: [api.example.org]\n`;
    expect(await concernsOf({ [manifest]: freed })).toEqual([
      "Callers of `runner.approve` would not need `tool:approve` any more.",
    ]);
    expect(await concernsOf({ [manifest]: reaching, [POLICY]: policy })).toEqual([
      "`runner.approve` could reach `api.example.org`.",
    ]);
    expect(findConcerns(await load({ [manifest]: freed }), await load())).toEqual([]);
    expect(findConcerns(await load({ [manifest]: reaching, [POLICY]: policy }), await load())).toEqual([]);
  });
});
