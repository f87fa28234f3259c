import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("task_create", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "task_create"));

  test("[W5] answers with what was asked for, in the words it was asked in, and a worker finds it", async () => {
    const who = work.person("asker");
    const asked = { title: "Tidy up", objective: "Remove what nobody uses.", priority: "HIGH" };
    const task = await work.output("task_create", asked, who);
    expect(task).toMatchObject({ ...asked, task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: "pending" });
    expect(task["workflow"]).toBe("external");
    expect(await work.output("task_claim", { worker_id: "w1" }, who)).toMatchObject({ task_id: task["task_id"] });
  });

  test.each([
    ["without an objective", { title: "a" }],
    ["with an empty title", { title: "", objective: "b" }],
    ["with a priority that there is not", { title: "a", objective: "b", priority: "urgent" }],
    ["for a worker with an impossible capability", { title: "a", objective: "b", requires: ["../x"] }],
    ["with more than it takes", { title: "a", objective: "b", tenant: "other" }],
  ])("refuses one %s", async (_, input) => {
    expect(await work.error("task_create", input)).toBe("BAD_REQUEST");
  });
});
