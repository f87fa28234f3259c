import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("run_events", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "run_events"));

  test("tells what happened since a line", async () => {
    const { task_id, run_id } = await work.claimed();
    await work.report(task_id, run_id);
    const all = await work.output("run_events", { run_id });
    expect(all).toMatchObject({ run_id, status: "running", next: 2 });
    expect((all["events"] as { kind: string }[]).map(({ kind }) => kind)).toEqual(["run.began", "evidence.written"]);
    expect(await work.output("run_events", { run_id, from: 2 })).toMatchObject({ events: [], next: 2 });
  });

  test("waits for something new", async () => {
    const { task_id, run_id } = await work.claimed();
    const next = work.output("run_events", { run_id, from: 1, wait: 20_000 });
    await work.report(task_id, run_id);
    expect((await next)["events"]).toMatchObject([{ seq: 1, kind: "evidence.written" }]);
  });

  test("does not wait for a run that has ended", async () => {
    const { task_id, run_id } = await work.claimed();
    await work.output("task_cancel", { task_id });
    expect(await work.output("run_events", { run_id, from: 2, wait: 60_000 })).toMatchObject({ status: "cancelled" });
  });
});
