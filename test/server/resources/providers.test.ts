import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { toCommit, toRecordJson, toWritten } from "../../../server/kernel/record.ts";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { createConversationLogs, createRecentLogs } from "../../../server/resources/logs.ts";
import { SCAN_LIMIT } from "../../../server/resources/provider.ts";
import { SEGMENT_RECORDS, toSegments } from "../../../server/store/calls/segment.ts";
import { callKey } from "../../../server/store/keys.ts";
import { createProviders } from "../../../server/resources/providers.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";
import { toCallRecord } from "../kernel/audit/call-record.ts";
import { createLedgers } from "../../../server/capabilities/tuner/ledgers.ts";

test("there is a provider behind every name that a manifest may use, and no other", async () => {
  const store = await openTestStore();
  const providers = createProviders({
    store,
    settled: async () => undefined,
    ledgers: createLedgers({ store, now: Date.now }),
    renderer: { render: async () => "" },
    openParent: async () => undefined,
    readExport: async () => undefined,
  });
  const schema = JSON.parse(await readFile("schemas/server.schema.json", "utf8")) as {
    readonly $defs: { readonly provider: { readonly enum: readonly string[] } };
  };
  expect(Object.keys(providers).sort()).toEqual([...schema.$defs.provider.enum].sort());
});

test("a page of logs looks at so many records only, and then says where to go on", async () => {
  const store = await openTestStore();
  const version = createTestVersion({ tools: [{ name: "s.t", server: "s" }] });
  const server = version.servers.get("s");
  if (server === undefined) throw new Error("There is no server.");
  const ids = Array.from({ length: SCAN_LIMIT + 1 }, () => randomUUID()).sort();
  const sets = ids.map((id, index) => {
    // Only the oldest one is of the server that is asked.
    const own = {
      id,
      commit: version.commit,
      server: index === 0 ? "s" : "other",
      tool: index === 0 ? "s.t" : "other.t",
    };
    return { key: callKey("local", version.commit, id), json: toRecordJson({ ...toCallRecord("local"), ...own }) };
  });
  while (sets.length > 0) await store.commit({ set: sets.splice(0, 1_000) });
  const read = (variables: Record<string, string>) =>
    createRecentLogs(store)({ version, server, principal: LOCAL_PRINCIPAL, uri: "logs://recent", variables });
  expect(await read({})).toEqual({ calls: [], next: `logs://recent?limit=20&before=${ids[1]}` });
  const rest = await read({ limit: "20", before: ids[1] ?? "" });
  expect(rest).toEqual({ calls: [expect.objectContaining({ id: ids[0] })] });
});

test("logs show records that share a value, in pages and by their conversations", async () => {
  const store = await openTestStore();
  const version = createTestVersion({ tools: [{ name: "s.t", server: "s" }] });
  const server = version.servers.get("s");
  if (server === undefined) throw new Error("There is no server.");
  const own = { commit: version.commit, server: "s", tool: "s.t" };
  const first = toCallRecord("local", own);
  const later = Array.from({ length: SEGMENT_RECORDS }, () =>
    toCallRecord("local", { ...own, conversationId: first.id }),
  );
  const all = [first, ...later];
  const written = all.map(toWritten);
  await store.commit(toCommit(written, { segments: toSegments(written) }));
  expect(await Array.fromAsync(store.scan({ prefix: ["call"] }))).toHaveLength(2);
  const request = { version, server, principal: LOCAL_PRINCIPAL };
  const idsOf = (view: unknown) => (view as { calls: readonly { id: string }[] }).calls.map(({ id }) => id);
  const recent = (variables: Record<string, string>) =>
    createRecentLogs(store)({ ...request, uri: "logs://recent", variables });
  const newest = all.toReversed().map(({ id }) => id);
  expect(idsOf(await recent({}))).toEqual(newest.slice(0, 20));
  expect(idsOf(await recent({ before: newest[19] ?? "" }))).toEqual(newest.slice(20, 40));
  const logs = (id: string) =>
    createConversationLogs(store)({ ...request, uri: `logs://${id}`, variables: { conversation_id: id } });
  expect(idsOf(await logs(first.id))).toEqual(all.map(({ id }) => id));
});
