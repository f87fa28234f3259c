import { describe, expect, test, vi } from "vitest";
import { CHECKPOINT_ENTRIES, CHECKPOINT_MS } from "../../../../server/kernel/audit/checkpoints.ts";
import { loadTree, scanCheckpoints } from "../../../../server/kernel/audit/checkpoints.ts";
import { readEntries } from "../../../../server/kernel/audit/read-log.ts";
import { readAuditEvent } from "../../../../server/kernel/audit/audit-event.ts";
import { queryLog } from "../../../../server/kernel/audit/query-log.ts";
import { CairnError } from "../../../../server/errors.ts";
import { auditLog, auditTree } from "../../../../server/store/keys.ts";
import type { Store } from "../../../../server/store/store.ts";
import { eventually } from "../../../helpers/eventually.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { collect } from "../../store/open-store.ts";
import { type Audited, openAudited, openSigner } from "./audited.ts";
import { toCallRecord } from "./call-record.ts";

const sizeOf = async ({ store }: Audited, tenant: string) => (await loadTree(store, tenant)).size;

/** The same store, where someone has changed what stands in one tenant's log. */
function tamper(store: Store, tenant: string, change: (text: string, seq: number) => string | undefined): Store {
  return {
    ...store,
    async *readLog(log, options) {
      for await (const entry of store.readLog(log, options)) {
        const text = Buffer.from(entry.bytes).toString();
        const changed = log === auditLog(tenant) ? change(text, entry.seq) : text;
        if (changed !== undefined) yield { ...entry, bytes: Buffer.from(changed) };
      }
    },
  };
}

describe("an audit", () => {
  test("signs a checkpoint of what has grown, and none when nothing has", async () => {
    const audited = await openAudited();
    for (let count = 0; count < 3; count += 1) await audited.call("acme");
    expect(await sizeOf(audited, "acme")).toBe(0);
    await audited.audit.settled();
    const { size, checkpoint } = await loadTree(audited.store, "acme");
    expect([size, checkpoint]).toEqual([3, expect.stringMatching(/^cairn\/[0-9a-f]{16}\/acme\n3\n/)]);
    await audited.audit.settled();
    expect((await loadTree(audited.store, "acme")).checkpoint).toBe(checkpoint);
    expect(await collect(scanCheckpoints(audited.store, "acme"))).toEqual([checkpoint]);
    expect(await sizeOf(audited, "globex")).toBe(0);
  });

  test("does so by itself, after a while or after many entries, and keeps the last of each thousand", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const audited = await openAudited();
      await audited.call("acme");
      vi.advanceTimersByTime(CHECKPOINT_MS);
      await eventually(async () => expect(await sizeOf(audited, "acme")).toBe(1));
      await Promise.all(Array.from({ length: CHECKPOINT_ENTRIES }, () => audited.call("acme")));
      await eventually(async () => expect(await sizeOf(audited, "acme")).toBeGreaterThanOrEqual(CHECKPOINT_ENTRIES));
      await audited.audit.settled();
      const kept = await collect(scanCheckpoints(audited.store, "acme"));
      expect(kept.at(-1)).toContain(`\n${CHECKPOINT_ENTRIES + 1}\n`);
      expect(kept).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test("goes on where it was after a restart, whichever of two processes signs", async () => {
    const first = await openAudited();
    await first.call("acme");
    await first.audit.settled();
    await first.call("acme");
    const second = await openAudited({ store: first.store, signer: first.signer });
    expect(await sizeOf(second, "acme")).toBe(2);
    await Promise.all([first.call("acme"), second.call("acme")]);
    await Promise.all([first.audit.settled(), second.audit.settled()]);
    expect([await sizeOf(first, "acme"), first.audit.health(), second.audit.health()]).toEqual([
      4,
      { ok: true, broken: [] },
      { ok: true, broken: [] },
    ]);
  });

  test("takes the first checkpoint of another process, written between two reads of its own, for no fault", async () => {
    const one = await openAudited();
    let isBetween = false;
    const store: Store = {
      ...one.store,
      async *scan(range) {
        if (isBetween) await one.audit.settled();
        yield* one.store.scan(range);
      },
    };
    const other = await openAudited({ store, signer: one.signer });
    for (const audited of [one, other]) await audited.call("acme");
    isBetween = true;
    await other.audit.settled();
    expect(other.audit.health()).toEqual({ ok: true, broken: [] });
    expect(await sizeOf(other, "acme")).toBe(2);
  });

  test("writes changes into the log of their tenant, or of the service, with a record that its schema describes", async () => {
    const audited = await openAudited();
    await audited.audit.changed({
      change: "token.made",
      tenant: "acme",
      actor: "ada",
      target: "t1",
      details: { n: 1 },
    });
    await audited.audit.changed({ change: "versions.refreshed", actor: "ada", target: "versions" });
    const [made] = await collect(queryLog(audited.store, "acme", {}));
    expect(readAuditEvent(made?.record)).toMatchObject({ kind: "change", change: "token.made", details: { n: 1 } });
    expect(await collect(queryLog(audited.store, "@service", { outcome: "versions.refreshed" }))).toHaveLength(1);
    const [entry] = await collect(readEntries(audited.store, "acme", { from: 0, to: 9 }));
    expect(JSON.parse(Buffer.from(entry?.bytes ?? []).toString())).toMatchObject({
      entry: { kind: "change", events: { [String(made && (made.record as { id: string }).id)]: expect.any(String) } },
    });
  });

  test.each<[string, (text: string, seq: number) => string | undefined, number]>([
    ["an entry changed", (text, seq) => (seq === 3 ? text.replace("calls", "falls") : text), 3],
    ["an entry gone", (text, seq) => (seq === 3 ? undefined : text), 3],
    ["the last entry that was vouched for changed", (text, seq) => (seq === 1 ? text.replace('"', "'") : text), 1],
    ["the end gone", (text, seq) => (seq >= 1 ? undefined : text), 1],
  ])("finds %s, and stops that tenant alone", async (_, change, seq) => {
    const store = await openTestStore();
    const signer = await openSigner();
    const before = await openAudited({ store, signer });
    for (const tenant of ["acme", "acme", "globex"]) await before.call(tenant);
    await before.audit.settled();
    for (let count = 0; count < 3; count += 1) {
      await store.commit({
        append: [{ log: auditLog("acme"), entry: { calls: {}, kind: "calls", schemaVersion: 1 } }],
      });
    }
    const { audit, journal, call, logged } = await openAudited({ store: tamper(store, "acme", change), signer });
    expect(audit.health()).toMatchObject({ ok: false, broken: [{ tenant: "acme", problem: expect.any(String) }] });
    expect(audit.health().broken[0]?.seq).toBeLessThanOrEqual(seq);
    expect(logged.join("")).toContain("audit log is broken");
    const unavailable = expect.objectContaining({ name: "UNAVAILABLE" });
    await expect(call("acme")).rejects.toEqual(unavailable);
    expect([journal.isBroken("acme"), journal.isBroken("globex")]).toEqual([true, false]);
    await expect(audit.changed({ change: "token.made", tenant: "acme", actor: "a", target: "t" })).rejects.toEqual(
      unavailable,
    );
    expect(journal.trail(toCallRecord("acme"))).toBeUndefined();
    audit.denied(new CairnError("FORBIDDEN", "No."), { tenant: "acme" });
    await journal.settled();
    await audit.settled();
    expect([(await store.head(auditLog("acme")))?.seq, await sizeOf(before, "acme")]).toEqual([4, 2]);
    await call("globex");
    await audit.settled();
    expect(await sizeOf(before, "globex")).toBe(2);
  });

  test("vouches for nothing behind a tree that was tampered with", async () => {
    const before = await openAudited();
    await before.call("acme");
    await before.audit.settled();
    const tree = await loadTree(before.store, "acme");
    for (const value of [{ ...tree, size: 0, head: "", edge: [], checkpoint: "" }, { ...tree, checkpoint: "" }, 7]) {
      await before.store.commit({ set: [{ key: auditTree("acme"), value }] });
      const { audit } = await openAudited({ store: before.store, signer: before.signer });
      expect(audit.health().broken).toMatchObject([{ tenant: "acme" }]);
    }
    const other = await openAudited({ store: before.store });
    expect(other.audit.health().ok).toBe(false);
  });
});
