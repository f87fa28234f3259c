import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("workflow_execute", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "workflow_execute"));

  test("applies the diff of the objective, and reports", async () => {
    const { task_id, run_id } = await work.claimed({
      workflow: "change",
      objective: work.patchOf("docs/note.md", "Hello."),
    });
    await work.output("workflow_plan", { task_id, run_id });
    expect(await work.output("workflow_execute", { task_id, run_id })).toMatchObject({ status: "completed" });
    expect(await work.output("fs_read", { run_id, path: "docs/note.md" })).toMatchObject({ content: "Hello.\n" });
    const { content } = await work.output("artifact_read", {
      task_id,
      run_id,
      artifact_name: "patch_apply_report.json",
    });
    expect(content).toMatchObject({ status: "applied", files: [{ path: "docs/note.md" }] });
  });

  test("does the same again when it was cut short", async () => {
    const { task_id, run_id } = await work.claimed({
      workflow: "change",
      objective: work.patchOf("docs/note.md", "Hello."),
    });
    await work.output("workflow_plan", { task_id, run_id });
    const patch = work.patchOf("docs/note.md", "Hello.").replace(/^[\s\S]*```diff\n|```\n$/g, "");
    await work.output("fs_apply_patch", { run_id, patch });
    expect(await work.output("workflow_execute", { task_id, run_id })).toMatchObject({ status: "completed" });
    expect(await work.output("fs_read", { run_id, path: "docs/note.md" })).toMatchObject({ content: "Hello.\n" });
  });

  test("reports a diff that does not apply, and leaves nothing of it", async () => {
    const objective = "```diff\n--- a/versions.yaml\n+++ b/versions.yaml\n@@ -1,1 +1,1 @@\n-not there\n+new\n```\n";
    const { task_id, run_id } = await work.claimed({ workflow: "change", objective });
    await work.output("workflow_plan", { task_id, run_id });
    expect(await work.output("workflow_execute", { task_id, run_id })).toMatchObject({ status: "failed" });
    const { content } = await work.output("artifact_read", {
      task_id,
      run_id,
      artifact_name: "patch_apply_report.json",
    });
    expect(content).toMatchObject({ status: "rejected" });
    const { files } = await work.output("git_status", { run_id });
    expect((files as { path: string }[]).map(({ path }) => path)).toEqual([`docs/specs/${task_id}_SPEC.md`]);
  });

  test("[W9] carries out what words ask for, in the run's workspace, and writes what it has done", async () => {
    const { task_id, run_id } = await work.claimed({
      workflow: "change",
      title: "A shorter wait",
      objective: "Set the limit time of runner.get_weather to 4000.",
    });
    await work.output("workflow_plan", { task_id, run_id });
    expect(await work.output("workflow_execute", { task_id, run_id })).toMatchObject({ status: "completed" });
    const { content } = await work.output("fs_read", { run_id, path: "manifests/runner/get_weather.yaml" });
    expect(content).toContain("time: 4000");
  });

  test("leaves a plan that only a worker can carry out to a worker, and says why", async () => {
    const { task_id, run_id } = await work.claimed({
      workflow: "change",
      title: "Faster",
      objective: "Make the weather tool twice as fast.",
    });
    expect(await work.output("run_advance", { run_id })).toMatchObject({
      state: "step",
      message: expect.stringContaining("A worker has to do it:"),
    });
    expect(await work.output("run_advance", { run_id })).toMatchObject({ state: "released", step: "execute" });
    // Who only has steps done by the service does not get it again; who does it itself does, and it is the first attempt still.
    expect(await work.output("task_claim", { worker_id: "w2", with_steps: true })).toMatchObject({ task: null });
    const claimed = await work.output("task_claim", { worker_id: "w3" });
    expect(claimed).toMatchObject({ task_id });
    const again = String(claimed["run_id"]);
    await work.output("run_advance", { run_id: again });
    expect(await work.output("run_advance", { run_id: again })).toMatchObject({ state: "failed", step: "execute" });
  });
});
