import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("workflow_verify", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "workflow_verify"));

  test("passes a workspace that makes a version, and keeps the diff", async () => {
    const { task_id, run_id } = await work.executed(work.patchOf("docs/note.md", "Hello."));
    expect(await work.output("workflow_verify", { task_id, run_id })).toMatchObject({ status: "completed" });
    const { raw } = await work.output("artifact_read", { task_id, run_id, artifact_name: "patch.diff" });
    expect(raw).toContain("+++ b/docs/note.md\n@@ -0,0 +1 @@\n+Hello.\n");
  });

  test("fails one that does not, with the place and the reason", async () => {
    const { task_id, run_id } = await work.executed(work.patchOf("manifests/work/broken.yaml", "name: broken"));
    expect(await work.output("workflow_verify", { task_id, run_id })).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/^manifests\/work\/broken\.yaml:\d+:\d+: /m),
    });
    const { content } = await work.output("artifact_read", { task_id, run_id, artifact_name: "verifier_report.json" });
    expect(content).toMatchObject({ status: "failed" });
  });

  test.each(["docs/note.md", "manifests/work/broken.yaml"])(
    "fails one with a credential in %s, and keeps no diff that would show it",
    async (path) => {
      const secret = `ghp_${"Zq7Rk2Wx".repeat(4)}abcd`;
      const { task_id, run_id } = await work.executed(work.patchOf(path, `token: ${secret}`));
      expect(await work.output("workflow_verify", { task_id, run_id })).toMatchObject({
        status: "failed",
        message: expect.stringMatching(new RegExp(`^(?:secrets: )?${path}:1:8: looks like a credential`, "m")),
      });
      const diff = { task_id, run_id, artifact_name: "patch.diff" };
      expect(await work.output("artifact_read", diff)).toMatchObject({
        error: expect.stringContaining("has no `patch.diff`"),
      });
      const { content } = await work.output("artifact_read", { ...diff, artifact_name: "verifier_report.json" });
      expect(content).toMatchObject({
        warnings: expect.arrayContaining([expect.stringMatching(/^`patch.diff` is not/)]),
      });
    },
  );

  test("fails one whose change breaks an example, and says which", async () => {
    const path = "tools/decisions/datastore_decision_findById.ts";
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    const body = lines.flatMap((line) =>
      line.includes("NOT_FOUND") ? [`-${line}`, `+${line.replace("NOT_FOUND", "CONFLICT")}`] : [` ${line}`],
    );
    const hunk = `@@ -1,${lines.length} +1,${lines.length} @@\n${body.join("\n")}\n`;
    const objective = `\`\`\`diff\n--- a/${path}\n+++ b/${path}\n${hunk}\`\`\`\n`;
    const { task_id, run_id } = await work.executed(objective);
    const verified = await work.output("workflow_verify", { task_id, run_id });
    expect(verified).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/^examples: .*1 failed[^]*datastore_decision_findById/),
    });
    const { content } = await work.output("artifact_read", { task_id, run_id, artifact_name: "verifier_report.json" });
    expect(content).toMatchObject({
      status: "failed",
      checks: expect.arrayContaining([expect.objectContaining({ name: "examples", passed: false })]),
    });
    expect(await work.output("workflow_gate", { task_id, run_id })).toMatchObject({ status: "failed" });
  });

  test("says what was not tried", async () => {
    const { task_id, run_id } = await work.executed(work.patchOf("docs/other.md", "Hello."));
    expect(await work.output("workflow_verify", { task_id, run_id })).toMatchObject({ status: "completed" });
    const { content } = await work.output("artifact_read", { task_id, run_id, artifact_name: "verifier_report.json" });
    const { warnings, checks } = content as { warnings: readonly string[]; checks: readonly { name: string }[] };
    expect(warnings).toContainEqual(expect.stringMatching(/^Not tried: tests: `checks` of .* names no command\.$/));
    expect(checks.map(({ name }) => name)).not.toContain("tests");
  });
});
