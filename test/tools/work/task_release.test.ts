import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("task_release", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "task_release"));

  test("gives the task to whoever asks next", async () => {
    const { task_id, run_id } = await work.claimed();
    expect(await work.output("task_release", { run_id, worker_id: "w1" })).toMatchObject({
      task_id,
      status: "pending",
    });
    const again = await work.output("task_claim", { worker_id: "w2" });
    expect(again["task_id"]).toBe(task_id);
    expect(again["run_id"]).not.toBe(run_id);
  });
});
