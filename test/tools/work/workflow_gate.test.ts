import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

/** Members that all reports have. */
const toCommon = (task_id: string, run_id: string) => ({
  schema_version: 1,
  task_id,
  run_id,
  timestamps: expect.objectContaining({ created_at: expect.stringMatching(/Z$/) }),
  status: expect.any(String),
  metrics: expect.any(Object),
  warnings: expect.any(Array),
  errors: expect.any(Array),
});

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

  test("[W3] leaves the baseline as evidence, and the spec in the commit instead", async () => {
    const { task_id, run_id } = await work.executed(work.patchOf("docs/baseline.md", "Hello."));
    await work.output("workflow_verify", { task_id, run_id });
    await work.output("workflow_gate", { task_id, run_id });
    const { run } = (await work.output("task_status", { task_id })) as { run: { artifacts: Record<string, unknown> } };
    const reports = ["executor_report.json", "gate_report.json", "patch_apply_report.json", "verifier_report.json"];
    expect(Object.keys(run.artifacts).toSorted()).toEqual([...reports, "patch.diff", "plan.json"].toSorted());
    const read = async (artifact_name: string) =>
      (await work.output("artifact_read", { task_id, run_id, artifact_name }))["raw"] as string;
    expect(await read("journal/events.jsonl")).toContain("gate.judged");
    expect(await read("patch.diff")).toContain(`+++ b/docs/specs/${task_id}_SPEC.md`);
    for (const name of [...reports, "plan.json"]) {
      expect([name, JSON.parse(await read(name))]).toEqual([name, expect.objectContaining(toCommon(task_id, run_id))]);
    }
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
