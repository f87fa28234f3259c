import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("workflow_plan", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "workflow_plan"));

  test("[W9] writes a plan with objective, files, instructions, steps, context and impact", async () => {
    const objective = work.patchOf("tools/_lib/weather/conditions.ts", "// A line more.");
    const { task_id, run_id } = await work.claimed({ workflow: "change", title: "Say it", objective });
    expect(await work.output("workflow_plan", { task_id, run_id })).toMatchObject({ status: "completed" });
    const { content } = await work.output("artifact_read", { task_id, run_id, artifact_name: "plan.json" });
    expect(content).toMatchObject({
      schema_version: 1,
      task_id,
      run_id,
      status: "planned",
      objective: `Say it: ${objective}`,
      files: ["tools/_lib/weather/conditions.ts"],
      instructions: "Apply the diff of the objective.",
      steps: [],
    });
    const { referenced_context, impact } = content as { referenced_context: { path: string }[]; impact: string[] };
    expect(referenced_context.map(({ path }) => path)).toContain("tools/_lib/weather/conditions.ts");
    expect(impact.join(" ")).toContain("`runner.get_weather`");
  });

  test("[W3] writes the spec into the workspace", async () => {
    const { task_id, run_id } = await work.claimed({
      workflow: "change",
      objective: work.patchOf("docs/note.md", "Hello."),
    });
    await work.output("workflow_plan", { task_id, run_id });
    const { content } = await work.output("fs_read", { run_id, path: `docs/specs/${task_id}_SPEC.md` });
    expect(content).toContain("# Tidy up\n\n## Objective\n");
    expect(content).toContain("## Files\n\n- `docs/note.md`\n");
  });

  test("lets the plan stand that a worker has written", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    const plan = await work.plan(task_id, run_id, ["docs/own.md"]);
    await work.output("workflow_plan", { task_id, run_id });
    const { raw } = await work.output("artifact_read", { task_id, run_id, artifact_name: "plan.json" });
    expect(raw).toBe(plan);
  });
});
