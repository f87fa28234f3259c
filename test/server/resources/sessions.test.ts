import { expect, test } from "vitest";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { createSessionIndex, createSessionReader } from "../../../server/resources/sessions.ts";
import { sessionKey } from "../../../server/store/keys.ts";
import type { Json } from "../../../server/store/store.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const ID = "01890000-0000-7000-8000-000000000001";

async function readAll(value: Json) {
  const store = await openTestStore();
  const version = createTestVersion({ tools: [{ name: "s.chat", server: "s" }] });
  const server = version.servers.get("s");
  if (server === undefined) throw new TypeError("There is no server.");
  const about = { tool: "s.chat", server: "s", createdAt: 0, updatedAt: 1_000, calls: 2 };
  const record = { schemaVersion: 1, conversationId: ID, ...about, value };
  await store.commit({ set: [{ key: sessionKey("local", version.commit, ID), value: record }] });
  const request = { version, server, principal: LOCAL_PRINCIPAL };
  const index = await createSessionIndex(store)({ ...request, uri: "session://index", variables: {} });
  const uri = `session://${ID}`;
  const one = await createSessionReader(store)({ ...request, uri, variables: { conversation_id: ID } });
  return { index, one };
}

test("[R4] the index says what each conversation is about, where its handler has said so", async () => {
  const { index, one } = await readAll({ title: "Will it rain?", turns: [{ message: "Will it rain?" }] });
  const about = { conversation_id: ID, title: "Will it rain?", tool: "s.chat", calls: 2 };
  expect(index).toMatchObject({ sessions: [{ uri: `session://${ID}`, ...about }] });
  expect(index).not.toHaveProperty("sessions.0.turns");
  expect(one).toMatchObject({ ...about, turns: [{ message: "Will it rain?" }] });
});

test.each<[string, Json, string | undefined]>([
  ["cut where it is long", { title: "x".repeat(1_000) }, "x".repeat(200)],
  ["left out where it is no text", { title: { a: 1 } }, undefined],
  ["left out where nothing is remembered", null, undefined],
  ["left out of what is no object", ["title"], undefined],
])("a title is %s", async (_, value, title) => {
  const { index } = await readAll(value);
  expect((index as { sessions: { title?: string }[] }).sessions[0]?.title).toBe(title);
});
