import { describe, expect, test } from "vitest";
import { loadUsage, toTenants } from "../../../server/operations/usage.ts";
import { callKey } from "../../../server/store/keys.ts";
import type { CallRecord } from "../../../server/kernel/record.ts";
import type { Json } from "../../../server/store/store.ts";
import { openTestStore } from "../../helpers/store.ts";
import { toCallRecord } from "../kernel/audit/call-record.ts";

describe("loadUsage", () => {
  test("counts each tenant's calls of the commit and of no other, since a time", async () => {
    const store = await openTestStore();
    const commit = "c".repeat(40);
    const add = async (tenant: string, of: string, startedAt: number, more: Partial<CallRecord> = {}) => {
      const record = toCallRecord(tenant, { commit: of, startedAt, ...more });
      await store.commit({ set: [{ key: callKey(tenant, of, record.id), value: { ...record } as unknown as Json }] });
    };
    await add("acme", commit, 10);
    await add("acme", commit, 30, { outcome: "NOT_FOUND" });
    await add("acme", commit, 40, { parent: "00000000-0000-7000-8000-000000000000" });
    await add("acme", commit, 50, { client: "cairn-console" });
    await add("acme", commit, 60, { client: "cairn-console/1" });
    await add("globex", commit, 20, { client: "cairn-consoles/1" });
    await add("globex", "d".repeat(40), 99);
    const { uses, truncated } = await loadUsage(store, { version: commit, since: 0 });
    expect(truncated).toBe(false);
    expect(uses.map(({ tenant, calls, failed, lastUse }) => [tenant, calls, failed, lastUse])).toEqual([
      ["acme", 2, 1, 30],
      ["globex", 1, 0, 20],
    ]);
    expect([...toTenants(uses)]).toEqual([
      ["acme", 30],
      ["globex", 20],
    ]);
    expect((await loadUsage(store, { version: commit, since: 25 })).uses).toHaveLength(1);
    expect((await loadUsage(store, { tenant: "globex", since: 0 })).uses.map(({ lastUse }) => lastUse)).toEqual([
      99, 20,
    ]);
  });

  test("looks at the newest calls of each version, and says where there are more", async () => {
    const store = await openTestStore();
    for (let at = 0; at < 103; at += 1) {
      const commit = "c".repeat(40);
      const id = `00000000-0000-7000-8000-${String(at).padStart(12, "0")}`;
      const record = toCallRecord("acme", { id, commit, startedAt: at });
      await store.commit({ set: [{ key: callKey("acme", commit, id), value: { ...record } as unknown as Json }] });
    }
    const { uses, truncated } = await loadUsage(store, { since: 0, limit: 1 });
    expect([truncated, uses.map(({ calls, lastUse }) => [calls, lastUse])]).toEqual([true, [[100, 102]]]);
  });
});
