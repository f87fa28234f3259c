import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("task_list", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "task_list"));

  test("shows the newest first, page by page", async () => {
    const who = work.person("lister");
    const ids = [];
    for (let count = 0; count < 5; count++) ids.unshift((await work.created({}, who)).task_id);
    const first = await work.output("task_list", { limit: 3 }, who);
    const second = await work.output("task_list", { limit: 3, after: first["next"] }, who);
    const shown = [first, second].flatMap(({ tasks }) =>
      (tasks as { task_id: string }[]).map(({ task_id }) => task_id),
    );
    expect(shown).toEqual(ids);
    expect(second["next"]).toBeNull();
  });

  test("shows those of one status, and of one tenant", async () => {
    const who = work.person("filterer");
    const { task_id } = await work.created({}, who);
    await work.output("task_cancel", { task_id }, who);
    expect(await work.output("task_list", { status: "pending" }, who)).toMatchObject({ tasks: [] });
    expect(await work.output("task_list", { status: "cancelled" }, who)).toMatchObject({ tasks: [{ task_id }] });
    expect(await work.output("task_list", {}, work.person("nobody"))).toMatchObject({ tasks: [] });
  });
});
