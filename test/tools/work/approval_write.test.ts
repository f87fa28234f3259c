import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("approval_write", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "approval_write"));

  test("is refused for a run that waits for nobody", async () => {
    const { task_id, run_id } = await work.claimed();
    const approval = { task_id, run_id, approver: "Ada", reason: "It is right." };
    expect(await work.error("approval_write", approval, work.colleague)).toBe("CONFLICT");
  });

  async function blocked() {
    const objective = work.patchOf("manifests/policies/more.yaml", "roles:\n  nobody: []");
    const { task_id, run_id } = await work.claimed({ workflow: "change", objective });
    const states = [];
    for (let count = 0; count < 4; count++) states.push((await work.output("run_advance", { run_id }))["state"]);
    expect(states).toEqual(["step", "step", "step", "blocked"]);
    return { task_id, run_id };
  }

  test("[W5] [W11] lets a blocked run go on, and is kept as evidence", async () => {
    const { task_id, run_id } = await blocked();
    expect(await work.output("task_status", { task_id })).toMatchObject({
      status: "blocked",
      run: { risk_level: "high" },
    });
    expect(await work.output("task_claim", { worker_id: "w1" })).toMatchObject({ task: null });
    const approval = { task_id, run_id, approver: "Ada", reason: "It is right." };
    expect(await work.error("approval_write", approval)).toBe("FORBIDDEN");
    expect(await work.output("approval_write", approval, work.colleague)).toMatchObject({
      task_id,
      run_id,
      approver: "Ada",
      status: "approved",
    });
    expect(await work.output("task_claim", { worker_id: "w1" })).toMatchObject({ task_id, run_id });
    expect(await work.output("run_advance", { run_id })).toMatchObject({ state: "step", step: "gate" });
    expect(await work.output("run_advance", { run_id })).toMatchObject({ state: "step", step: "propose" });
    expect(await work.output("run_advance", { run_id })).toMatchObject({ state: "done" });
    const { content } = await work.output("artifact_read", { task_id, run_id, artifact_name: "approval.json" });
    expect(content).toMatchObject({ status: "approved", approver: "Ada", approved_by: "colleague" });
    const done = { task_id, run_id, status: "completed", result_summary: "Done.", worker_id: "w1" };
    expect(await work.output("task_complete", done)).toMatchObject({ lease_released: true });
  });

  test("is refused under the name of the worker, and ends a run that is rejected, and its task", async () => {
    const { task_id, run_id } = await blocked();
    const approval = { task_id, run_id, approver: "Ada", reason: "It is right." };
    expect(await work.error("approval_write", approval, { ...work.colleague, actor: "W1" })).toBe("FORBIDDEN");
    expect(await work.error("approval_write", { ...approval, approver: "w1" }, work.colleague)).toBe("FORBIDDEN");
    const rejection = { task_id, run_id, approver: "Ada", reason: "No.", decision: "rejected" };
    expect(await work.output("approval_write", rejection, work.colleague)).toMatchObject({ status: "rejected" });
    expect(await work.output("task_status", { task_id })).toMatchObject({ status: "rejected", result_summary: "No." });
    expect(await work.output("task_claim", { worker_id: "w1" })).toMatchObject({ task: null });
  });
});
