import { describe, expect, it } from "vitest";
import { createBench } from "../../../../../server/architect/planners/directives/bench.ts";
import { renameRole } from "../../../../../server/architect/planners/directives/rename-role.ts";
import { renameTool } from "../../../../../server/architect/planners/directives/rename-tool.ts";
import { createGround, readCheckout } from "../../../../helpers/plan-ground.ts";

const POLICY = "manifests/policies/access.yaml";
const APPROVALS = `approvals:
  calls:
    - { tools: [exec_run], when: { type: object }, by: approver }
`;

describe("a role under another name", () => {
  it("keeps its rights, its comment and its place, and approvals ask for it", async () => {
    const files = await readCheckout();
    const policy = (files.get(POLICY) ?? "") + APPROVALS;
    const ground = await createGround(new Map([...files, [POLICY, policy]]));
    const bench = createBench(ground);
    await renameRole(ground.version, "approver", "referee")(bench);
    const plan = bench.toPlan();
    expect(plan).toMatchObject({
      kind: "change",
      bump: "major",
      changes: ["The role `approver` is called `referee`."],
    });
    expect(plan.kind === "change" ? plan.files.get(POLICY) : undefined).toBe(
      policy.replace("  approver:", "  referee:").replace("by: approver", "by: referee"),
    );
  });

  it("is refused where another role has it, and of a role that is revoked", async () => {
    const files = await readCheckout();
    const { version } = await createGround(files);
    expect(() => renameRole(version, "approver", "judge")).toThrow("There is a role `judge` already.");
    const revoked = (files.get(POLICY) ?? "") + "revoke: { roles: [approver] }\n";
    const ground = await createGround(new Map([...files, [POLICY, revoked]]));
    expect(() => renameRole(ground.version, "approver", "referee")).toThrow("The role `approver` is revoked.");
  });
});

describe("a tool under another name", () => {
  it("needs no server in it, and stays in reach of roles that had it by a family", async () => {
    const ground = await createGround(await readCheckout());
    const tool = ground.version.tools.get("fs_list");
    if (tool === undefined) throw new Error("there is no such tool");
    const bench = createBench(ground);
    await renameTool(ground.version, tool, "list_folder")(bench);
    const plan = bench.toPlan();
    if (plan.kind !== "change") throw new Error("it is no change");
    expect([...plan.files.keys()]).toContain("manifests/work/list_folder.yaml");
    expect(plan.files.get("manifests/work/fs_list.yaml")).toBeNull();
    expect(plan.files.get(POLICY)).toContain("    - tool:list_folder\n");
  });
});
