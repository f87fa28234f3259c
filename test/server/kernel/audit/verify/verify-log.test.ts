import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEventHead } from "../../../../../server/kernel/audit/audit-event.ts";
import { exportLog } from "../../../../../server/kernel/audit/export-log.ts";
import { redact } from "../../../../../server/kernel/audit/redact.ts";
import { PARTS } from "../../../../../server/kernel/audit/verify/open-source.ts";
import { verifyLog } from "../../../../../server/kernel/audit/verify/verify-log.ts";
import { CairnError } from "../../../../../server/errors.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";
import { type Audited, openAudited } from "../audited.ts";
import { createId, toCallRecord } from "../call-record.ts";
import { linesOf, type MemoryLog, toBytes, toSource } from "./memory-log.ts";
import { mutations } from "./mutations.ts";

const RUNS = 1_000;

async function exportToMemory({ store }: Audited, tenant: string): Promise<MemoryLog> {
  const folder = await temporaryFolder();
  await exportLog(store, tenant, folder);
  const read = (part: string) => readFile(join(folder, tenant, part));
  return {
    tenant,
    checkpoint: (await read(PARTS.checkpoint)).toString(),
    checkpoints: await read(PARTS.checkpoints),
    entries: await read(PARTS.entries),
    records: await read(PARTS.records),
  };
}

/** A log with entries of every kind, and how it was at two earlier moments. */
async function makeLog() {
  const audited = await openAudited();
  const { audit, journal, store } = audited;
  const grow = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await audited.call("acme");
      for (let more = 0; more < round % 4; more += 1) journal.trail(toCallRecord("acme", { conversationId: id }));
      await journal.settled();
      if (round % 7 === 0)
        await audit.changed({ change: "token.made", tenant: "acme", actor: "ada", target: "token-1" });
      if (round % 9 === 0) audit.denied(new CairnError("FORBIDDEN", "No."), { tenant: "acme", address: "192.0.2.1" });
      if (round % 20 === 0) {
        const options = { store, toHead: createEventHead(createId, randomBytes), now: Date.now };
        await redact(options, "acme", new Set([id]), "ada");
      }
      await audit.settled();
    }
  };
  await grow(8);
  const oldest = await exportToMemory(audited, "acme");
  await grow(20);
  const since = await exportToMemory(audited, "acme");
  await grow(33);
  return { audited, oldest, since, log: await exportToMemory(audited, "acme") };
}

describe("verifying a log", () => {
  test(
    "[D9] finds nothing in a log that is whole, and every one of 1,000 random mutations of it",
    { timeout: 120_000 },
    async () => {
      const { audited, oldest, since, log } = await makeLog();
      const { key } = audited.signer;
      const size = linesOf(log.entries).length;
      const whole = await verifyLog(toSource(log), key, since.checkpoint);
      expect(whole).toMatchObject({
        ok: true,
        checkpoint: { size },
        records: linesOf(log.records).length,
        redacted: 4,
      });

      await fc.assert(
        fc.asyncProperty(mutations, async ([name, mutate]) => {
          const { log: mutated, seq, isRange = false } = mutate(log, oldest);
          const verdict = await verifyLog(toSource(mutated), key, since.checkpoint);
          expect([name, verdict.ok]).toEqual([name, false]);
          if (verdict.ok || seq === undefined) return;
          if (isRange) expect([name, verdict.seq]).toEqual([name, expect.any(Number)]);
          else expect([name, verdict]).toEqual([name, { ok: false, seq, problem: expect.any(String) }]);
          expect(verdict.seq).toBeLessThanOrEqual(seq);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
  );

  test("names the record, the redaction, the place", async () => {
    const { audited, log, since } = await makeLog();
    const verify = (changed: Partial<MemoryLog>, older?: string) =>
      verifyLog(toSource({ ...log, ...changed }), audited.signer.key, older);
    const [first = "", second = "", ...rest] = linesOf(log.records);
    const id = /"id":"([^"]+)"/.exec(second)?.[1] ?? "";
    expect(first).toMatch(/^\{"redacted":"[0-9a-f-]{36}"\}$/);
    expect(await verify({ records: toBytes([first, `{"redacted":"${id}"}`, ...rest]) })).toEqual({
      ok: false,
      seq: 1,
      problem: `the record of \`${id}\` is missing, and no redaction names it`,
    });
    expect(await verify({ records: toBytes([first]) })).toEqual({
      ok: false,
      seq: 1,
      problem: `the record of \`${id}\` is missing`,
    });
    expect(await verify({ checkpoint: since.checkpoint, checkpoints: since.checkpoints })).toMatchObject({
      seq: linesOf(since.entries).length,
      problem: expect.stringContaining("the checkpoint vouches for"),
    });
    expect(await verify(since, log.checkpoint)).toMatchObject({
      ok: false,
      seq: linesOf(since.entries).length,
      problem: expect.stringContaining("the older checkpoint vouches for"),
    });
    expect(await verify({}, "no note")).toEqual({
      ok: false,
      problem: `the older checkpoint is not one of \`${audited.signer.key.name}/acme\` signed with this key`,
    });
  });

  test("finds records behind the last one that an entry names, however much later they come", async () => {
    const { audited, log } = await makeLog();
    const lines = linesOf(log.records);
    const records = toBytes([...lines, "x".repeat(40_000)]);
    expect(await verifyLog(toSource({ ...log, records }), audited.signer.key)).toEqual({
      ok: false,
      problem: "there are records that no entry names",
    });
    expect((await verifyLog(toSource({ ...log, records: records.subarray(0, -1) }), audited.signer.key)).ok).toBe(
      false,
    );
  });

  test("finds a log that another key has signed, and one that has no entries but should", async () => {
    const { audited, log } = await makeLog();
    const stranger = await openAudited();
    onTestFinished(() => stranger.audit.close());
    expect((await verifyLog(toSource(log), stranger.signer.key)).ok).toBe(false);
    const empty = { entries: Buffer.alloc(0), records: Buffer.alloc(0) };
    expect(await verifyLog(toSource({ ...log, ...empty }), audited.signer.key)).toMatchObject({ ok: false, seq: 0 });
  });
});
