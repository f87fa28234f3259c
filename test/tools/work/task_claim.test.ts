import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("task_claim", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "task_claim"));

  test("[W5] gives the task and the run that has begun, or says that there is nothing", async () => {
    const who = work.person("claimer");
    const { task_id } = await work.created({ title: "One", objective: "It." }, who);
    const claimed = await work.output("task_claim", { worker_id: "w1" }, who);
    expect(claimed).toMatchObject({
      task: { task_id },
      task_id,
      title: "One",
      objective: "It.",
      run_path: `runs/${String(claimed["run_id"])}`,
      status: "claimed",
      lease_seconds: 300,
    });
    const { conversation_id: _id, ...nothing } = await work.output("task_claim", { worker_id: "w2" }, who);
    expect(nothing).toEqual({ task: null });
  });

  test("[W6] [W7] gives the task that is named, for the seconds that the worker chooses", async () => {
    const who = work.person("chooser");
    await work.created({ title: "First" }, who);
    const { task_id } = await work.created({ title: "Second" }, who);
    const wanted = { worker_id: "w1", task_id, duration_sec: 60 };
    const claimed = await work.output("task_claim", wanted, who);
    expect(claimed).toMatchObject({ task_id, title: "Second", lease_seconds: 60 });
    const renewed = await work.output("task_heartbeat", { run_id: claimed["run_id"], worker_id: "w1" }, who);
    expect(renewed).toMatchObject({ lease_seconds: 60 });
    expect(await work.output("task_claim", { ...wanted, worker_id: "w2" }, who)).toMatchObject({ task: null });
    expect(await work.error("task_claim", { ...wanted, task_id: "none" }, who)).toBe("NOT_FOUND");
    expect(await work.error("task_claim", { ...wanted, duration_sec: 86_400 }, who)).toBe("BAD_REQUEST");
  });

  test("[W6] of many at once gives each task once", async () => {
    const who = work.person("crowd");
    for (let count = 0; count < 8; count++) await work.created({}, who);
    const claims = await Promise.all(
      Array.from({ length: 16 }, (_, at) => work.output("task_claim", { worker_id: `w${at}` }, who)),
    );
    const ids = claims.flatMap(({ task_id }) => (task_id === undefined ? [] : [task_id]));
    expect([ids.length, new Set(ids).size]).toEqual([8, 8]);
  });
});
