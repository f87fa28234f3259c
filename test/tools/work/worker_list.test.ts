import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("worker_list", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "worker_list"));

  test("[W8] shows who asked for tasks, with what it can do and when it was last heard of", async () => {
    const who = work.person("crew");
    const asked = { worker_id: "w1", capabilities: ["gpu"], workflows: ["change"], with_steps: true };
    await work.output("task_claim", asked, who);
    const list = async () => (await work.output("worker_list", {}, who))["workers"] as { readonly seen_at: string }[];
    const [first, ...others] = await list();
    expect(others).toEqual([]);
    expect(first).toEqual({ ...asked, actor: who.actor, seen_at: expect.stringMatching(/^\d{4}-.*Z$/) });

    const { task_id } = await work.created({}, who);
    const claimed = await work.output("task_claim", { worker_id: "w2" }, who);
    expect(claimed).toMatchObject({ task_id });
    const beat = { run_id: claimed["run_id"], worker_id: "w2" };
    const before = (await list())[1]?.seen_at ?? "";
    await work.output("task_heartbeat", beat, who);
    expect(Date.parse((await list())[1]?.seen_at ?? "")).toBeGreaterThanOrEqual(Date.parse(before));
    expect(await work.output("worker_list", {}, work.person("none"))).toMatchObject({ workers: [] });
  });
});
