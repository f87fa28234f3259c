import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createEventHead } from "../../../../server/kernel/audit/audit-event.ts";
import { exportLog } from "../../../../server/kernel/audit/export-log.ts";
import { redact } from "../../../../server/kernel/audit/redact.ts";
import { openFolders } from "../../../../server/kernel/audit/verify/open-source.ts";
import { verifyLog } from "../../../../server/kernel/audit/verify/verify-log.ts";
import { findCalls } from "../../../../server/store/calls/find-calls.ts";
import { bodyKey, callKey, replayKey } from "../../../../server/store/keys.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openAudited } from "./audited.ts";
import { createId, toCallRecord } from "./call-record.ts";

test("redaction takes a call's body, and how it was replayed, away together with its record", async () => {
  const { store, call } = await openAudited();
  const [gone, kept] = [await call("acme"), await call("acme")];
  const keys = [
    ...[gone, kept].map(({ commit, id }) => bodyKey("acme", commit, id)),
    ...[gone, kept].map(({ commit, id }) => replayKey("acme", "candidate", commit, id)),
  ];
  await store.commit({ set: keys.map((key) => ({ key, value: { input: "private" } })) });
  const options = { store, toHead: createEventHead(createId, randomBytes), now: Date.now };
  await redact(options, "acme", new Set([gone.id]), "ada");
  expect((await store.getMany(keys)).map((entry) => entry !== undefined)).toEqual([false, true, false, true]);
  expect(await store.get(callKey("acme", gone.commit, gone.id))).toBeUndefined();
});

test("redaction takes records of calls out of those that they were written with, also two at once, and leaves the others", async () => {
  const { store, journal, audit, signer } = await openAudited();
  const records = Array.from({ length: 5 }, () => toCallRecord("acme"));
  for (const record of records) journal.trail(record);
  await journal.settled();
  expect(await Array.fromAsync(store.scan({ prefix: ["call"] }))).toHaveLength(1);
  const options = { store, toHead: createEventHead(createId, randomBytes), now: Date.now };
  const gone = new Set(records.slice(1, 4));
  await Promise.all([...gone].map(({ id }) => redact(options, "acme", new Set([id]), "ada")));
  const text = JSON.stringify(await Array.fromAsync(store.scan({ prefix: ["call"] })));
  for (const { salt } of gone) expect(text).not.toContain(salt);
  expect(await findCalls(store, "acme", records)).toEqual(records.map((one) => (gone.has(one) ? undefined : one)));
  await expect(redact(options, "acme", new Set([records[1]?.id ?? ""]), "ada")).rejects.toMatchObject({
    name: "NOT_FOUND",
  });
  await audit.settled();
  const folder = await temporaryFolder();
  await exportLog(store, "acme", folder);
  const [log] = await openFolders(folder);
  expect(log && (await verifyLog(log, signer.key))).toMatchObject({ ok: true, redacted: 3, records: 8 });
});
