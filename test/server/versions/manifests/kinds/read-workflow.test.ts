import { describe, expect, it } from "vitest";
import { createLoader } from "../../../../../server/versions/load-version.ts";
import type { Version } from "../../../../../server/versions/version.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";
import { type Change, changeTree } from "../../../../fixtures/trees/good-tree.ts";
import { VERIFY_STEP } from "../../../../fixtures/trees/verify-step.ts";

const FLOW = "manifests/workflows/change.yaml";
const SERVER = "manifests/workflows/server.yaml";
const TOOL = `name: workflows.change
version: 1.0.0
description: A tool of a server called workflows.
input: { type: object }
output: { type: object }
`;

async function load(changes: Readonly<Record<string, Change>>, loader = createLoader()): Promise<Version> {
  const loaded = await loader.load(createMemoryTree(changeTree(changes)), "0123456");
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.version;
}

describe("a workflow", () => {
  it("has everything its file says", async () => {
    const { workflows } = await load({
      ...VERIFY_STEP,
      [FLOW]: `${VERIFY_STEP[FLOW]}title: Change\nmaxAttempts: 20\nleaseSeconds: 5\n`,
    });
    expect([...workflows.keys()]).toEqual(["change"]);
    expect(workflows.get("change")).toEqual({
      name: "change",
      title: "Change",
      description: "Changes files of the agent.",
      writes: true,
      isDefault: true,
      maxAttempts: 20,
      leaseSeconds: 5,
      requires: ["plan.json"],
      steps: [{ name: "verify", tool: "runner.verify", produces: ["verifier_report.json"] }],
      risk: [
        { paths: ["manifests/policies/**"], level: "high" },
        { paths: ["tools/**", "**/*.sh"], level: "medium" },
      ],
      approvals: ["high"],
      file: FLOW,
    });
  });

  it("has defaults for what its file does not say", async () => {
    const { workflows } = await load({ [FLOW]: "name: change\ndescription: Changes.\n" });
    expect(workflows.get("change")).toEqual({
      name: "change",
      description: "Changes.",
      writes: false,
      isDefault: false,
      maxAttempts: 3,
      leaseSeconds: 300,
      requires: [],
      steps: [],
      risk: [],
      approvals: [],
      file: FLOW,
    });
  });

  it("is frozen, down to its lists", async () => {
    const flow = (await load(VERIFY_STEP)).workflows.get("change");
    const parts = [flow, flow?.requires, flow?.steps, flow?.steps[0]?.produces, flow?.risk[0]?.paths, flow?.approvals];
    expect(parts.map((part) => part !== undefined && Object.isFrozen(part))).toEqual(parts.map(() => true));
  });

  it("may have a step whose tool takes anything", async () => {
    const verify = VERIFY_STEP["manifests/runner/verify.yaml"].replace(
      /input:\n(?: .*\n)+/,
      "input: { type: object }\n",
    );
    const { workflows } = await load({ ...VERIFY_STEP, "manifests/runner/verify.yaml": verify });
    expect(workflows.get("change")?.steps).toHaveLength(1);
  });
});

describe("[V1] a folder called workflows with a server in it", () => {
  const old = {
    [SERVER]: "name: workflows\ndescription: A server of this name.\n",
    [FLOW]: TOOL,
    "tools/workflows/change.ts": "export default () => ({});\n",
  };

  it("is that server's, as in trees from before there were workflows", async () => {
    const version = await load(old);
    expect(version.servers.get("workflows")?.tools.map(({ name }) => name)).toEqual(["workflows.change"]);
    expect([...version.workflows]).toEqual([]);
  });

  it("does not make a loader take the same file of another tree for a tool, or the other way round", async () => {
    const loader = createLoader();
    await load(old, loader);
    await expect(load({ [FLOW]: TOOL }, loader)).rejects.toThrow("`version` is not allowed");
    const flow = "name: change\ndescription: Changes.\n";
    await load({ [FLOW]: flow }, loader);
    await expect(load({ ...old, [FLOW]: flow }, loader)).rejects.toThrow("`version` is missing");
  });
});

describe("a policy", () => {
  it("has commands, and whether one may approve one's own work", async () => {
    const policy = "manifests/policies/default.yaml";
    const { policies } = await load({
      [policy]: (text) => `${text}commands:
  - { program: node, arguments: [--test] }
  - { program: npm, hosts: ["registry.npmjs.org", "*.example.com:8443"] }
approvals: { self: true }
`,
    });
    expect(policies[0]).toMatchObject({
      allowsSelfApproval: true,
      commands: [
        { program: "node", arguments: ["--test"], hosts: [] },
        { program: "npm", arguments: [], hosts: ["registry.npmjs.org", "*.example.com:8443"] },
      ],
    });
    expect(Object.isFrozen(policies[0]?.commands[0]?.hosts)).toBe(true);
    expect((await load({})).policies[0]).toMatchObject({ allowsSelfApproval: false, commands: [] });
  });
});
