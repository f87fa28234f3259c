import { afterAll, beforeAll, expect, test } from "vitest";
import {
  openSpecifiedWork,
  type SpecifiedWork,
  toAddition,
  toEnd,
  toIds,
  toReport,
} from "../../helpers/specified-work.ts";
import { createShared } from "../../helpers/temporary.ts";

const shared = createShared();
let work: SpecifiedWork;
beforeAll(async () => {
  work = await openSpecifiedWork(shared.atEnd);
}, 60_000);
afterAll(shared.undoAll);

/** A completed-but-for-its-evidence run of a worker that has added `docs/a.md` and its spec. */
async function change() {
  const run = await work.begin("bare");
  const { run_id } = run;
  const write = (name: string, content: string) => work.call("wim", "artifact_write", { run_id, name, content });
  await write(
    "plan.json",
    toReport(run, { status: "planned", objective: "x", files: ["docs/a.md"], instructions: "x" }),
  );
  for (const path of ["docs/a.md", `docs/specs/${run.task_id}_SPEC.md`]) {
    await work.ask("wim", "fs_write_file", { run_id, path, content: "New.\n" });
  }
  await write("executor_report.json", toReport(run));
  await write("patch_apply_report.json", toReport(run, { status: "applied" }));
  await write("verifier_report.json", toReport(run, { status: "passed" }));
  const end = () => work.call("wim", "task_complete", toEnd(run));
  return { run, write, end, judge: () => work.ask("wim", "workflow_gate", toIds(run)) };
}

test("[W3] patch.diff (if changes): a run whose patch.diff is not the change does not complete", async () => {
  const { write, judge, end } = await change();
  await write("patch.diff", "nonsense");
  await judge();
  expect((await end()).status).toBe(409);
});

test("[W2] executor_report.json: a report that names other files than those that changed does not pass", async () => {
  const { run, write, judge, end } = await change();
  const { diff } = await work.ask("wim", "git_diff", { run_id: run.run_id });
  await write("patch.diff", diff);
  await write("executor_report.json", toReport(run, { files: ["docs/other.md"] }));
  await write("patch_apply_report.json", toReport(run, { status: "nothing" }));
  await judge();
  expect((await end()).status).toBe(409);
});

test.for(["bare", "change"])(
  "[W10] all code must trace back to a plan: in %s, plan and patch are those that the gate has judged when the run completes",
  async (workflow) => {
    const { run, judge } = workflow === "bare" ? await change() : await begun();
    if (workflow === "bare") {
      const { diff } = await work.ask("wim", "git_diff", { run_id: run.run_id });
      await work.ask("wim", "artifact_write", { run_id: run.run_id, name: "patch.diff", content: diff });
    }
    await judge();
    const before = [await work.read(run, "plan.json"), await work.read(run, "patch.diff")];
    const plan = { status: "planned", objective: "Else.", files: ["docs/else.md"], instructions: "Else." };
    await work.call("wim", "artifact_write", { run_id: run.run_id, name: "plan.json", content: toReport(run, plan) });
    await work.call("wim", "artifact_write", { run_id: run.run_id, name: "patch.diff", content: "nonsense" });
    await work.call("wim", "task_complete", toEnd(run));
    const { status } = await work.ask("rita", "task_status", { task_id: run.task_id });
    const after = [await work.read(run, "plan.json"), await work.read(run, "patch.diff")];
    // Refusing what is written after the judgement is as good as refusing the end.
    expect(status === "completed" && after.some((text, at) => text !== before[at])).toBe(false);
  },
);

async function begun() {
  const run = await work.begin("change", toAddition("docs/tea.md", "Tea."));
  return { run, judge: () => work.advance(run.run_id) };
}

test("[W3] journal/events.jsonl: no line is earlier than the line before it", async () => {
  const run = await work.begin("risky", toAddition("docs/tea.md", "Tea."));
  await work.advance(run.run_id);
  const times = (await work.journal(run.run_id)).map(({ at }) => String(at));
  expect(times).toEqual(times.toSorted());
});

test("[W10] all code must trace back to a plan: the journal has the plan before the first file that is written", async () => {
  const run = await work.begin("risky", toAddition("docs/tea.md", "Tea."));
  await work.advance(run.run_id);
  const lines = await work.journal(run.run_id);
  const planned = lines.findIndex(({ details }) => (details as { name?: string }).name === "plan.json");
  // The spec itself is part of the plan, and no code.
  const written = lines.slice(0, planned).flatMap(({ kind, details }) => (kind === "fs.write_file" ? [details] : []));
  expect(written.map((details) => (details as { path?: string }).path)).toEqual([`docs/specs/${run.task_id}_SPEC.md`]);
});

test("[W5] task_create and task_status return one priority for a task, whatever its case was", async () => {
  const created = await work.ask("rita", "task_create", { title: "x", objective: "x", priority: "HIGH" });
  const found = await work.ask("rita", "task_status", { task_id: created.task_id });
  expect([created.priority, found.priority]).toEqual(["HIGH", created.priority.toLowerCase()]);
});

test("[W5] artifact_read returns {error} for a run that is not the task's, as for every piece that is not there", async () => {
  const [run, other] = [await work.begin("plain"), await work.begin("plain")];
  const asked = { task_id: other.task_id, run_id: run.run_id, artifact_name: "plan.json" };
  const { status, body } = await work.call("rita", "artifact_read", asked);
  expect([status, Object.keys(body).includes("error")]).toEqual([200, true]);
});

test("[W7] once its lease has run out, a run accepts nothing more from its worker, whether or not another has claimed the task", async () => {
  const run = await work.begin("plain");
  const beat = () => work.call("wim", "task_heartbeat", { run_id: run.run_id, worker_id: "w1" });
  // Heartbeats renew: so the end is waited for without one.
  await expect.poll(async () => new Date().toISOString() > run.lease_expires_at, { timeout: 20_000 }).toBe(true);
  await expect.poll(async () => (await beat()).status, { timeout: 20_000 }).toBe(409);
  const late = await work.call("wim", "artifact_write", { run_id: run.run_id, name: "notes.md", content: "Late." });
  const ended = await work.call("wim", "task_complete", toEnd(run));
  expect([late.status, ended.status]).toEqual([409, 409]);
});

test("[W7] lease expires and task becomes available again: then its status is pending", async () => {
  const run = await work.begin("plain");
  const status = async () => (await work.ask("rita", "task_status", { task_id: run.task_id })).status;
  await expect.poll(async () => new Date().toISOString() > run.lease_expires_at, { timeout: 20_000 }).toBe(true);
  await expect.poll(status, { timeout: 10_000 }).toBe("pending");
});
