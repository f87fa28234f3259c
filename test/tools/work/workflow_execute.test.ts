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
});
