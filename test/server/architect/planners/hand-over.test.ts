import { describe, expect, test } from "vitest";
import type { ArchitectContext } from "../../../../server/architect/pipeline/context.ts";
import type { FeedbackRecord } from "../../../../server/architect/pipeline/feedback-record.ts";
import type { Evidence, WorkBook } from "../../../../server/architect/pipeline/work-book.ts";
import { handOver } from "../../../../server/architect/planners/hand-over.ts";
import type { Ground } from "../../../../server/architect/planners/planner.ts";
import { claimTask } from "../../../../server/capabilities/work/claim-task.ts";
import { listTasks } from "../../../../server/capabilities/work/list-tasks.ts";
import { completeTask } from "../../../../server/capabilities/work/end-task.ts";
import { renewLease } from "../../../../server/capabilities/work/lease.ts";
import { toTime } from "../../../../server/text/to-time.ts";
import { ADA, BOB, createWorkBench } from "../../../helpers/work-bench.ts";
import { openTestStore } from "../../../helpers/store.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
const RECORD = { tenant: "acme", scope: "work", message: "Greet in verse.", version: "1.0.0", commit: "c" };

/** Feedback that no planner understands, of a tenant whose worker `w1` asks for tasks of `change`. */
async function setUp() {
  const clock = { at: START };
  const bench = createWorkBench(await openTestStore(() => clock.at), clock);
  const kept = new Map<string, string>();
  const said: string[] = [];
  const evidence: Evidence = {
    read: async (name) => JSON.parse(kept.get(name) ?? "null"),
    write: (name, content) => void kept.set(name, content),
  };
  const transact: WorkBook["transact"] = (work) => bench.act(ADA, (desk) => work(desk, evidence));
  /** Waits until it is told what is waited for, and then stops as a process that ends does; or resolves to the plan. */
  const run = (isPatient = false) => {
    const stop = new AbortController();
    const tell = (_: unknown, _stage: string, message: string) => {
      said.push(message);
      if (!isPatient && message.startsWith("Waits")) stop.abort();
    };
    const context = { store: bench.store, now: () => clock.at, signal: stop.signal, tell };
    return handOver(
      context as unknown as ArchitectContext,
      { transact } as WorkBook,
      RECORD as FeedbackRecord,
      {} as Ground,
    );
  };
  const claim = (workerId = "w1") => bench.act(BOB, (desk) => claimTask(desk, { workerId, workflows: ["change"] }));
  const tasks = async () => (await bench.act(ADA, (desk) => listTasks(desk, { limit: 10 }))).tasks;
  return { clock, bench, said, run, claim, tasks };
}

describe("feedback for a worker", () => {
  test("stays with the service where no worker has asked for tasks lately", async () => {
    const { clock, run, claim, tasks } = await setUp();
    await claim();
    clock.at += 10 * MINUTE;
    expect(await run()).toBeUndefined();
    expect(await tasks()).toEqual([]);
  });

  test("says until when it waits, and is answered without a worker once that has gone", async () => {
    const { clock, run, claim, tasks, said } = await setUp();
    await claim();
    clock.at += 4 * MINUTE;
    await expect(run()).rejects.toThrow();
    const [task] = await tasks();
    expect(said).toEqual([
      `Waits for a worker to do the task \`${task?.task_id}\`. Where none is heard of for ten minutes, at ${toTime(START + 14 * MINUTE)} at the earliest, it is answered without one.`,
    ]);
    clock.at += 10 * MINUTE;
    expect(await run()).toBeUndefined();
    expect(said.at(-1)).toBe("No worker has been heard of for ten minutes, so the feedback is answered without one.");
    expect(await tasks()).toMatchObject([{ status: "cancelled", result_summary: said.at(-1) }]);
    // Also after a crash, and with a worker that comes back.
    expect(await claim()).toBeUndefined();
    expect(await run()).toBeUndefined();
  });

  test("waits for a worker that asks for tasks, or holds this one, however long", async () => {
    const { bench, clock, run, claim, tasks, said } = await setUp();
    await claim();
    await expect(run()).rejects.toThrow();
    clock.at += 9 * MINUTE;
    const claimed = await claim();
    const runId = claimed?.run.run_id ?? "";
    for (let beats = 0; beats < 30; beats++) {
      clock.at += MINUTE - 1;
      await bench.act(BOB, (desk) => renewLease(desk, runId, "w1"));
    }
    await expect(run()).rejects.toThrow();
    expect(said.at(-1)).toBe(`Waits for a worker to do the task \`${claimed?.task.task_id}\`.`);
    const done = {
      taskId: claimed?.task.task_id ?? "",
      runId,
      workerId: "w1",
      summary: "No.",
      status: "failed",
    } as const;
    await bench.act(BOB, (desk) => completeTask(desk, done));
    clock.at += 9 * MINUTE;
    await expect(run()).rejects.toThrow();
    expect(await tasks()).toMatchObject([{ status: "pending", attempts: 1 }]);
    clock.at += MINUTE;
    expect(await run(true)).toBeUndefined();
  });
});
