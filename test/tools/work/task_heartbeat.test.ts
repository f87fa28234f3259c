import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("task_heartbeat", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "task_heartbeat"));

  test("[W7] moves the end of the lease", async () => {
    const { run_id, lease_expires_at } = await work.claimed();
    const beat = await work.output("task_heartbeat", { run_id, worker_id: "w1" });
    expect(beat).toMatchObject({ run_id, lease_seconds: 300 });
    expect(Date.parse(String(beat["lease_expires_at"]))).toBeGreaterThanOrEqual(Date.parse(lease_expires_at));
  });

  test("is refused to another worker", async () => {
    const { run_id } = await work.claimed();
    expect(await work.error("task_heartbeat", { run_id, worker_id: "w2" })).toBe("CONFLICT");
  });
});
