import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("workflow_gate", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "workflow_gate"));

  test("commits what may stand", async () => {
    const { task_id, run_id } = await work.executed(work.patchOf("docs/note.md", "Hello."));
    await work.output("workflow_verify", { task_id, run_id });
    expect(await work.output("workflow_gate", { task_id, run_id })).toMatchObject({
      status: "completed",
      message: expect.stringMatching(/^Committed as [0-9a-f]{40}\.$/),
    });
  });

  test("[W11] stops what is too risky without somebody's approval", async () => {
    const objective = work.patchOf("manifests/policies/more.yaml", "roles:\n  nobody: []");
    const { task_id, run_id } = await work.executed(objective);
    await work.output("workflow_verify", { task_id, run_id });
    expect(await work.output("workflow_gate", { task_id, run_id })).toMatchObject({
      status: "blocked",
      message: "A change of high risk waits for approval_write.",
    });
  });

  test("[W10] fails what no plan names", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    expect(await work.output("workflow_gate", { task_id, run_id })).toMatchObject({
      status: "failed",
      message: expect.stringContaining("There is no `plan.json`."),
    });
  });
});
