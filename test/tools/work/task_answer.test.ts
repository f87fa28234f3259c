import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("task_answer", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "task_answer"));

  test("is refused for a task that asks nothing, and for others' tasks", async () => {
    const { task_id } = await work.created();
    expect(await work.error("task_answer", { task_id, answer: "b" })).toBe("CONFLICT");
    expect(await work.error("task_answer", { task_id, answer: "b" }, work.colleague)).toBe("FORBIDDEN");
  });
});
