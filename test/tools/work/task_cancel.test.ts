import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("task_cancel", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "task_cancel"));

  test("ends the task, and what its worker does goes nowhere", async () => {
    const { task_id, run_id } = await work.claimed();
    expect(await work.output("task_cancel", { task_id })).toMatchObject({ task_id, status: "cancelled" });
    const late = { run_id, name: "notes.md", content: "late" };
    expect(await work.error("artifact_write", late)).toBe("CONFLICT");
    expect(await work.error("task_cancel", { task_id })).toBe("CONFLICT");
  });
});
