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
    await add("globex", commit, 20);
    await add("globex", "d".repeat(40), 99);
    const uses = await loadUsage(store, commit, 0);
    expect(uses.map(({ tenant, calls, failed, lastUse }) => [tenant, calls, failed, lastUse])).toEqual([
      ["acme", 2, 1, 30],
      ["globex", 1, 0, 20],
    ]);
    expect([...toTenants(uses)]).toEqual([
      ["acme", 30],
      ["globex", 20],
    ]);
    expect(await loadUsage(store, commit, 25)).toHaveLength(1);
  });
});
