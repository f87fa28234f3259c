import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("approval_write", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "approval_write"));

  test("is refused for a run that waits for nobody", async () => {
    const { task_id, run_id } = await work.claimed();
    const approval = { task_id, run_id, approver: "Ada", reason: "It is right." };
    expect(await work.error("approval_write", approval, work.colleague)).toBe("CONFLICT");
  });
});
