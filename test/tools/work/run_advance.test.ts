import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("run_advance", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "run_advance"));

  test("has nothing to do in a run whose workflow has no steps", async () => {
    const { run_id } = await work.claimed();
    expect(await work.output("run_advance", { run_id })).toMatchObject({ run_id, state: "done" });
  });

  test("does the steps of a workflow one after the other, each once", async () => {
    const { task_id, run_id } = await work.claimed({
      workflow: "change",
      objective: work.patchOf("docs/note.md", "Hello."),
    });
    const steps = [];
    for (let count = 0; count < 6; count++) {
      const { state, step } = await work.output("run_advance", { run_id });
      steps.push(step ?? state);
    }
    expect(steps).toEqual(["plan", "execute", "verify", "gate", "propose", "done"]);
    const { run } = (await work.output("task_status", { task_id })) as { run: { steps: object[]; artifacts: object } };
    expect(run.steps).toHaveLength(5);
    expect(Object.keys(run.artifacts).toSorted()).toEqual([
      "executor_report.json",
      "gate_report.json",
      "patch.diff",
      "patch_apply_report.json",
      "plan.json",
      "verifier_report.json",
    ]);
    const done = { task_id, run_id, status: "completed", result_summary: "Done.", worker_id: "w1" };
    expect(await work.output("task_complete", done)).toMatchObject({ lease_released: true });
  });

  test("says why a step failed", async () => {
    const { run_id } = await work.claimed({ workflow: "change", objective: "Make it better, somehow." });
    await work.output("run_advance", { run_id });
    expect(await work.output("run_advance", { run_id })).toMatchObject({
      state: "released",
      step: "execute",
      message: expect.stringContaining("A worker has to do this itself"),
    });
  });
});
