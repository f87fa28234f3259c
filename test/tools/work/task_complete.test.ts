import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("task_complete", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "task_complete"));

  test("[W5] ends the run and lets go of its lease", async () => {
    const { task_id, run_id } = await work.claimed();
    await work.report(task_id, run_id);
    const done = { task_id, run_id, status: "completed", result_summary: "Work done" };
    expect(await work.output("task_complete", { ...done, worker_id: "w1" })).toMatchObject({
      ...done,
      lease_released: true,
    });
    expect(await work.output("task_status", { task_id })).toMatchObject({
      status: "completed",
      result_summary: "Work done",
    });
  });

  test("is refused without the evidence that the workflow asks for, and a second time", async () => {
    const { task_id, run_id } = await work.claimed();
    const done = { task_id, run_id, status: "completed", result_summary: "Work done", worker_id: "w1" };
    const refused = await work.checkout.call("task_complete", done);
    expect(refused).toMatchObject({
      error: {
        name: "CONFLICT",
        message: expect.stringMatching(/`executor_report\.json`.*`artifact_write`.*"metrics":\{\}/),
      },
    });
    await work.report(task_id, run_id);
    await work.output("task_complete", done);
    expect(await work.error("task_complete", done)).toBe("CONFLICT");
  });

  test("leaves in the journal what was refused", async () => {
    const { task_id, run_id } = await work.claimed();
    const done = { task_id, run_id, status: "completed", result_summary: "Work done", worker_id: "w1" };
    await work.error("task_complete", done);
    const { events } = await work.output("run_events", { run_id });
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: "refused",
        error: "CONFLICT",
        details: expect.objectContaining({ syscall: "run.complete" }),
      }),
    );
  });
});
