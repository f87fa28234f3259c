import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

interface Plan {
  readonly files: readonly string[];
  readonly referenced_context: readonly {
    readonly path: string;
    readonly from_line: number;
    readonly to_line: number;
    readonly text: string;
  }[];
  readonly impact: readonly string[];
  readonly steps: readonly { readonly description: string; readonly files: readonly string[] }[];
}

const work = useWork({ workspaces: true });

describe("workflow_plan", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "workflow_plan"));

  test("[W9] plans what it cannot read for a worker: files, instructions and steps, with context retrieved and impact analysed", async () => {
    const asked = "runner.get_weather is to answer in kelvin as well, with tests of units.";
    const { task_id, run_id } = await work.claimed({ workflow: "change", title: "Kelvin", objective: asked });
    expect(await work.output("workflow_plan", { task_id, run_id })).toMatchObject({ status: "completed" });
    const { content } = await work.output("artifact_read", { task_id, run_id, artifact_name: "plan.json" });
    const plan = content as unknown as Plan;
    expect(plan).toMatchObject({
      schema_version: 1,
      task_id,
      run_id,
      status: "planned",
      objective: `Kelvin: ${asked}`,
      instructions: expect.stringContaining("as the objective says"),
      carried_out_by: "worker",
      reasons: [expect.any(String), expect.any(String)],
    });
    // Neither handler nor unit is named by a path in what was asked.
    const wanted = ["manifests/runner/get_weather.yaml", "tools/runner/get_weather.ts", "tools/_lib/weather/units.ts"];
    expect(plan.files).toEqual(expect.arrayContaining(wanted));
    expect(plan.referenced_context.map(({ path }) => path)).toEqual(expect.arrayContaining(wanted));
    for (const { path, from_line, to_line, text } of plan.referenced_context) {
      const lines = (await readFile(path, "utf8")).split("\n").slice(from_line - 1, to_line);
      expect([path, text]).toEqual([path, lines.join("\n")]);
    }
    const [edits, checks] = [plan.steps.slice(0, plan.files.length), plan.steps.slice(plan.files.length)];
    expect(edits.flatMap(({ files }) => files)).toEqual(plan.files);
    for (const { description, files } of edits) {
      const [path = ""] = files;
      const places = plan.referenced_context
        .filter((piece) => piece.path === path)
        .map(({ from_line, to_line }) => `lines ${from_line} to ${to_line} (`);
      expect([path, description.split("`")[1]]).toEqual([path, path]);
      for (const place of places) expect(description).toContain(place);
    }
    expect(edits.find(({ files }) => files[0] === "manifests/runner/get_weather.yaml")?.description).toContain(
      "(named: runner.get_weather)",
    );
    expect(plan.impact.length).toBeGreaterThan(0);
    expect(checks.map(({ description }) => description)).toEqual(
      plan.impact
        .filter((sentence) => sentence.startsWith("Changing "))
        .map((sentence) => `Check what depends on it: ${sentence}`),
    );
    const spec = await work.output("fs_read", { run_id, path: `docs/specs/${task_id}_SPEC.md` });
    for (const { description } of plan.steps) expect(spec["content"]).toContain(`- ${description}\n`);
    expect(plan.impact.join("\n")).toMatch(/`runner\.get_weather` affects `runner\.chat`.* examples and .*`weather`/);
  });

  test("[W9] plans what it can read for itself: what changes, in which files, with what depends on them", async () => {
    const objective = "Set the limit time of runner.get_weather to 4000.";
    const { task_id, run_id } = await work.claimed({ workflow: "change", title: "A shorter wait", objective });
    expect(await work.output("workflow_plan", { task_id, run_id })).toMatchObject({
      message: "Planned: `manifests/runner/get_weather.yaml`.",
    });
    const read = async (artifact_name: string) =>
      String((await work.output("artifact_read", { task_id, run_id, artifact_name }))["raw"]);
    const plan = JSON.parse(await read("plan.json")) as Plan;
    const [said, applied, check] = plan.steps;
    expect(plan).toMatchObject({
      planner: "directives",
      carried_out_by: "service",
      files: ["manifests/runner/get_weather.yaml"],
      instructions: "Apply `planned.diff` of this run.",
    });
    expect(said?.description).toContain("4000");
    expect(applied).toEqual({
      description: "Apply the planned change to `manifests/runner/get_weather.yaml`.",
      files: ["manifests/runner/get_weather.yaml"],
    });
    expect(check?.description).toBe(`Check what depends on it: ${plan.impact[0]}`);
    expect(plan.impact[0]).toMatch(/affects .*`runner\.chat`.* examples/);
    expect(await read("planned.diff")).toMatch(/\n-  time: \d+\n\+  time: 4000\n/);
  });

  test("plans a diff as it is: its files, and what they affect", async () => {
    const objective = work.patchOf("tools/_lib/weather/conditions.ts", "// A line more.");
    const { task_id, run_id } = await work.claimed({ workflow: "change", title: "Say it", objective });
    expect(await work.output("workflow_plan", { task_id, run_id })).toMatchObject({ status: "completed" });
    const { content } = await work.output("artifact_read", { task_id, run_id, artifact_name: "plan.json" });
    expect(content).toMatchObject({
      objective: `Say it: ${objective}`,
      files: ["tools/_lib/weather/conditions.ts"],
      instructions: "Apply the diff of the objective.",
      steps: [
        {
          description: "Apply the diff to `tools/_lib/weather/conditions.ts`.",
          files: ["tools/_lib/weather/conditions.ts"],
        },
        { description: expect.stringMatching(/^Check what depends on it: /), files: [] },
      ],
    });
    expect((content as unknown as Plan).impact.join(" ")).toContain("`runner.get_weather`");
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
