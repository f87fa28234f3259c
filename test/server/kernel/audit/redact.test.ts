import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createEventHead } from "../../../../server/kernel/audit/audit-event.ts";
import { redact } from "../../../../server/kernel/audit/redact.ts";
import { bodyKey, callKey, replayKey } from "../../../../server/store/keys.ts";
import { openAudited } from "./audited.ts";
import { createId } from "./call-record.ts";

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
