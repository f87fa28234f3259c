import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectMcp, readJsonResource } from "../../helpers/mcp-client.ts";
import {
  openSpecifiedWork,
  type SpecifiedWork,
  toAddition,
  toEnd,
  toIds,
  toReport,
} from "../../helpers/specified-work.ts";
import { createShared } from "../../helpers/temporary.ts";

/** Section 1 of the specification of tasks and runs, sentence by sentence: what records and evidence have. */

const shared = createShared();
let work: SpecifiedWork;
/** Of a run that has added `docs/HELLO.md`, and is completed. */
let done: { task_id: string; run_id: string; run_path: string };
const REPORTS = ["executor_report.json", "patch_apply_report.json", "verifier_report.json", "gate_report.json"];
const OBJECTIVE = toAddition("docs/HELLO.md", "Hello!");

beforeAll(async () => {
  work = await openSpecifiedWork(shared.atEnd);
  done = await work.begin("change", OBJECTIVE);
  await work.advance(done.run_id);
  await complete(done);
}, 120_000);
afterAll(shared.undoAll);

const complete = (claimed: { task_id: string; run_id: string }) => work.ask("wim", "task_complete", toEnd(claimed));
const findTask = async (id: string) =>
  (await work.ask("rita", "task_list", { limit: 200 })).tasks.find(
    ({ task_id }: { task_id: string }) => task_id === id,
  );
const toEvidence = async (name: string) => JSON.parse(await work.read(done, name));
const write = (run: { run_id: string }, name: string, content: string) =>
  work.call("wim", "artifact_write", { run_id: run.run_id, name, content });

describe("Task: task_id, title, objective, status, priority, schema_version, timestamps, workspace_path", () => {
  test("[W1] a task keeps what was asked, and its status, times and workspace follow its run", async () => {
    const asked = { title: "Ask the cook", objective: "What is for dinner?\n", priority: "critical" };
    const { task_id } = await work.ask("rita", "task_create", { ...asked, workflow: "plain" });
    const before = await findTask(task_id);
    expect(before).toMatchObject({ ...asked, task_id, status: "pending", schema_version: 1, workspace_path: null });
    const { created_at, updated_at } = before.timestamps;
    expect(updated_at >= created_at).toBe(true);

    const claim = await work.ask("wim", "task_claim", { worker_id: "w1", task_id });
    const during = await findTask(task_id);
    expect(during).toMatchObject({
      ...asked,
      status: "running",
      workspace_path: expect.stringContaining(claim.run_id),
    });
    expect(during.timestamps).toMatchObject({ created_at, ended_at: null });
    expect(during.timestamps.updated_at > updated_at).toBe(true);
    // The workspace is where it says, and has the files of the commit.
    await work.ask("wim", "fs_read", { run_id: claim.run_id, path: "docs/harbour.md" });
    expect(await readdir(join(work.data, during.workspace_path, "tree", "docs"))).toContain("harbour.md");

    await complete(claim);
    const after = await findTask(task_id);
    expect(after).toMatchObject({ ...asked, status: "completed", result_summary: "Done." });
    expect(after.timestamps.ended_at >= during.timestamps.updated_at).toBe(true);
  });

  test.for([
    ["no title", { objective: "x" }],
    ["an empty title", { title: "", objective: "x" }],
    ["no objective", { title: "x" }],
    ["an unknown priority", { title: "x", objective: "x", priority: "soon" }],
    ["a status of its own", { title: "x", objective: "x", status: "completed" }],
    ["a workflow that is not there", { title: "x", objective: "x", workflow: "none" }],
  ] as const)("[W1] a task with %s is refused, and makes no task", async ([, input]) => {
    const before = (await work.ask("rita", "task_list")).tasks.length;
    expect([400, 404]).toContain((await work.call("rita", "task_create", input)).status);
    expect((await work.ask("rita", "task_list")).tasks).toHaveLength(before);
  });
});

describe("Run: run_id, task_id, workflow, status, risk_level, run_path, timestamps, schema_version", () => {
  test("[W1] the record of a run is at its path, says how risky its change was, and how it ended", async () => {
    const client = await connectMcp(`${work.url}/agent/latest/work`, work.as("rita"));
    expect(done.run_path).toBe(`runs/${done.run_id}`);
    const record = await readJsonResource(client, `runs://${done.run_id}`);
    expect(record).toMatchObject({
      run_id: done.run_id,
      task_id: done.task_id,
      run_path: done.run_path,
      schema_version: 1,
      workflow: "change",
      status: "completed",
      risk_level: "low",
      worker_id: "w1",
    });
    const { created_at, updated_at, ended_at } = record["timestamps"] as Record<string, string>;
    expect([created_at, updated_at, ended_at].toSorted()).toEqual([created_at, updated_at, ended_at]);
    expect(await work.ask("rita", "task_status", { task_id: done.task_id })).toMatchObject({
      run: { run_id: done.run_id, status: "completed", risk_level: "low", timestamps: record["timestamps"] },
    });
  });

  test("[W1] a run has no risk before its change was judged", async () => {
    const { task_id, run_id } = await work.begin("change", OBJECTIVE);
    const { run } = await work.ask("rita", "task_status", { task_id });
    expect(run).toMatchObject({ run_id, status: "running", risk_level: null, timestamps: { ended_at: null } });
  });
});

describe("All artifacts/*.json include schema_version, task_id, run_id, timestamps, status, metrics, warnings/errors", () => {
  test.for(["plan.json", ...REPORTS])("[W2] %s has them, of this run and its time", async (name) => {
    const { run } = await work.ask("rita", "task_status", { task_id: done.task_id });
    const report = await toEvidence(name);
    expect(report).toMatchObject({ schema_version: 1, task_id: done.task_id, run_id: done.run_id });
    expect(report.status).toMatch(/^(planned|completed|applied|passed)$/);
    expect(Object.values(report.metrics).every((value) => Number.isFinite(value))).toBe(true);
    expect([report.warnings, report.errors]).toEqual([expect.any(Array), []]);
    const { created_at } = report.timestamps;
    expect(created_at > run.timestamps.created_at && created_at < run.timestamps.ended_at).toBe(true);
  });

  test("[W2] their contents are what happened", async () => {
    const spec = `docs/specs/${done.task_id}_SPEC.md`;
    expect((await toEvidence("plan.json")).files).toEqual(["docs/HELLO.md"]);
    expect((await toEvidence("executor_report.json")).files.toSorted()).toEqual(["docs/HELLO.md", spec]);
    expect((await toEvidence("gate_report.json")).files.toSorted()).toEqual(["docs/HELLO.md", spec]);
    expect((await toEvidence("patch_apply_report.json")).files).toMatchObject([
      { path: "docs/HELLO.md", change: "added", status: "applied" },
    ]);
    const verified = await toEvidence("verifier_report.json");
    expect(verified.checks.length).toBeGreaterThan(0);
    expect(verified.checks.every(({ passed }: { passed: boolean }) => passed)).toBe(true);
    expect(verified.metrics.diff_bytes).toBe(Buffer.byteLength(await work.read(done, "patch.diff")));
  });

  test.for(["schema_version", "task_id", "run_id", "timestamps", "status", "metrics", "warnings", "errors"])(
    "[W2] a report without %s, or with another one, is refused",
    async (member) => {
      const run = await work.begin("plain");
      for (const name of ["executor_report.json", "found.json"]) {
        expect((await write(run, name, toReport(run, { [member]: undefined }))).status).toBe(400);
        const other = member.endsWith("_id") ? done[member as "run_id"] : [1];
        const isList = member === "warnings" || member === "errors";
        expect((await write(run, name, toReport(run, { [member]: other }))).status).toBe(400);
        expect(
          isList || (await work.call("rita", "artifact_read", { ...toIds(run), artifact_name: name })).body.error,
        ).toBeTruthy();
      }
      expect((await write(run, "found.json", toReport(run, { found: 7 }))).status).toBe(200);
    },
  );
});

describe("Required artifacts baseline for any write-capable workflow", () => {
  test("[W3] a run that has changed something has all six, and its patch makes the change in a clone", async () => {
    const { run } = await work.ask("rita", "task_status", { task_id: done.task_id });
    expect(Object.keys(run.artifacts).toSorted()).toEqual([...REPORTS, "patch.diff", "plan.json"].toSorted());
    const lines = (await work.read(done, "journal/events.jsonl")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(
      (await work.journal(done.run_id)).map(({ kind }) => kind),
    );
    const patch = join(work.data, "one.diff");
    await writeFile(patch, await work.read(done, "patch.diff"));
    await work.repository.git("apply", "--index", patch);
    expect(await work.repository.git("show", ":docs/HELLO.md")).toBe("Hello!");
    await work.repository.git("reset", "--quiet", "--hard");
  });

  const NAMES = ["plan.json", "executor_report.json", "patch_apply_report.json", "verifier_report.json"];
  const report = (run: typeof done, name: string, files: readonly string[]) =>
    ({
      "plan.json": toReport(run, { status: "planned", objective: "Do it.", files, instructions: "None." }),
      "patch_apply_report.json": toReport(run, { status: "nothing" }),
      "verifier_report.json": toReport(run, { status: "passed", checks: [] }),
    })[name] ?? toReport(run);

  test("[W3] a run lacks none of them to complete, whatever its worker hands in, and no patch where nothing changed", async () => {
    const run = await work.begin("bare");
    const end = toEnd(run);
    for (const name of NAMES) {
      const { status, body } = await work.call("wim", "task_complete", end);
      expect([status, body.details.missing]).toEqual([409, expect.arrayContaining([name, "gate_report.json"])]);
      expect((await write(run, name, report(run, name, []))).status).toBe(200);
    }
    expect((await work.call("wim", "task_complete", end)).body.details.missing).toEqual(["gate_report.json"]);
    // Nobody vouches for himself.
    const gate = toReport(run, { status: "passed", risk_level: "low", checks: [], files: [] });
    expect((await write(run, "gate_report.json", gate)).status).toBe(403);
    expect((await write(run, "journal/events.jsonl", "{}")).status).toBe(403);
    await work.ask("wim", "workflow_gate", toIds(run));
    expect(await work.ask("wim", "task_complete", end)).toMatchObject({ status: "completed" });
    await expect(work.read(run, "patch.diff")).rejects.toThrow("has no `patch.diff`");
    expect(JSON.parse(await work.read(run, "gate_report.json"))).toMatchObject({ status: "passed", files: [] });
  });

  test("[W3] a run that has changed something lacks its patch, and one whose checks fail does not complete", async () => {
    const run = await work.begin("bare");
    for (const name of NAMES) await write(run, name, report(run, name, ["docs/a.md"]));
    const spec = `docs/specs/${run.task_id}_SPEC.md`;
    for (const path of ["docs/a.md", spec]) {
      await work.ask("wim", "fs_write_file", { run_id: run.run_id, path, content: "New.\n" });
    }
    const { diff } = await work.ask("wim", "git_diff", { run_id: run.run_id });
    await work.ask("wim", "workflow_gate", toIds(run));
    const lacking = await work.call("wim", "task_complete", toEnd(run));
    expect([lacking.status, lacking.body.details]).toEqual([409, { missing: ["patch.diff"] }]);
    await write(run, "patch.diff", diff);
    // The gate has not seen that patch.
    expect((await work.call("wim", "task_complete", toEnd(run))).status).toBe(409);
    await work.ask("wim", "workflow_gate", toIds(run));
    await write(run, "verifier_report.json", toReport(run, { status: "failed" }));
    expect((await work.call("wim", "task_complete", toEnd(run))).status).toBe(409);
    await write(run, "verifier_report.json", toReport(run, { status: "passed" }));
    expect(await work.ask("wim", "task_complete", toEnd(run))).toMatchObject({ status: "completed" });
  });
});

describe("Spec files are stored in docs/specs/<task_id>_SPEC.md (not run artifacts)", () => {
  test("[W3] the spec is a file of the change, says the objective, and is no piece of evidence", async () => {
    const spec = `docs/specs/${done.task_id}_SPEC.md`;
    const patch = await work.read(done, "patch.diff");
    expect(patch).toContain(`+++ b/${spec}\n`);
    expect(patch).toContain("++Hello!");
    const { run } = await work.ask("rita", "task_status", { task_id: done.task_id });
    expect(Object.keys(run.artifacts).filter((name) => name.toLowerCase().includes("spec"))).toEqual([]);
    const { task_id, run_id } = await work.begin("plain");
    for (const name of [`${task_id}_SPEC.md`, `docs/specs/${task_id}_SPEC.md`]) {
      expect((await write({ run_id }, name, "# Spec")).status).toBe(400);
    }
  });
});
