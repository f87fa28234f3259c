import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("task_status", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "task_status"));

  test("[W5] tells of the task and its latest run", async () => {
    const { task_id, run_id } = await work.claimed();
    expect(await work.output("task_status", { task_id })).toMatchObject({
      task_id,
      title: "Tidy up",
      status: "running",
      priority: "medium",
      attempts: 1,
      run: { run_id, task_id, status: "running", steps: [], artifacts: {} },
    });
  });

  test("knows nothing of another tenant's task", async () => {
    const { task_id } = await work.claimed();
    expect(await work.error("task_status", { task_id }, work.stranger)).toBe("NOT_FOUND");
  });
});
