import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("fs_apply_patch", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "fs_apply_patch"));

  test("applies whole or not at all", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    await work.plan(task_id, run_id, ["docs/a.md", "versions.yaml"]);
    const good = "--- /dev/null\n+++ b/docs/a.md\n@@ -0,0 +1 @@\n+Hello.\n";
    const bad = "--- a/versions.yaml\n+++ b/versions.yaml\n@@ -1 +1 @@\n-not there\n+new\n";
    expect(await work.output("fs_apply_patch", { run_id, patch: good + bad })).toMatchObject({ status: "rejected" });
    expect((await work.output("git_status", { run_id }))["files"]).toEqual([]);
    expect(await work.output("fs_apply_patch", { run_id, patch: good })).toMatchObject({
      status: "applied",
      files: [{ path: "docs/a.md" }],
    });
  });

  test("[W10] does not touch what the plan does not name", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    await work.plan(task_id, run_id, ["docs/a.md"]);
    const patch = "--- /dev/null\n+++ b/docs/b.md\n@@ -0,0 +1 @@\n+Hello.\n";
    expect(await work.error("fs_apply_patch", { run_id, patch })).toBe("FORBIDDEN");
  });

  test("refuses a patch that would leave the workspace", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    await work.plan(task_id, run_id, ["docs/a.md"]);
    const patch = "--- /dev/null\n+++ b/../../escaped.md\n@@ -0,0 +1 @@\n+Hello.\n";
    expect(await work.error("fs_apply_patch", { run_id, patch })).toBe("BAD_REQUEST");
  });
});
