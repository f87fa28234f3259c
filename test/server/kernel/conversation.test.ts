import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Call } from "../../../server/kernel/call.ts";
import { findConversation } from "../../../server/kernel/conversation.ts";
import { toCommit, toWritten } from "../../../server/kernel/record.ts";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { toSegments } from "../../../server/store/calls/segment.ts";
import { callKey, conversationKey, sessionKey } from "../../../server/store/keys.ts";
import type { Store } from "../../../server/store/store.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";
import { toCallRecord } from "./audit/call-record.ts";

const version = createTestVersion({ tools: [{ name: "s.chat", server: "s", session: "stateful" }] });

describe("a conversation", () => {
  test("[abuse 34] of another tenant is looked for as one that does not exist is, and answered alike", async () => {
    const store = await openTestStore();
    const id = randomUUID();
    const { commit } = version;
    const keys = [sessionKey("b", commit, id), conversationKey("b", id), callKey("b", commit, id)];
    await store.commit({ set: keys.map((key) => ({ key, value: { of: "b" } })) });
    const reads: unknown[] = [];
    const counting: Store = {
      ...store,
      get: (key) => (reads.push([key]), store.get(key)),
      getMany: (all) => (reads.push(all), store.getMany(all)),
    };
    const tool = version.tools.get("s.chat");
    if (tool === undefined) throw new Error("There is no tool.");
    const call: Call = { version, tool, input: {}, principal: { ...LOCAL_PRINCIPAL, tenant: "a" } };
    const ask = async (conversation_id: string) => {
      const error: unknown = await findConversation(counting, call, { conversation_id }).catch((thrown) => thrown);
      expect(error).toMatchObject({ name: "CONVERSATION_NOT_FOUND" });
      const done = { reads: reads.splice(0), message: (error as Error).message };
      return JSON.parse(JSON.stringify(done).replaceAll(conversation_id, "<id>")) as typeof done;
    };
    const foreign = await ask(id);
    expect(foreign).toEqual(await ask(randomUUID()));
    expect(foreign.reads).toHaveLength(1);
    // Nothing of the other tenant is read at all.
    expect(JSON.stringify(foreign.reads)).not.toContain('"b"');
  });

  test("is told apart from that of another tool, also where its record shares a value with others", async () => {
    const store = await openTestStore();
    const tools = [
      { name: "s.chat", server: "s", session: "stateful" as const },
      { name: "s.once", server: "s" },
    ];
    const own = createTestVersion({ tools });
    const tool = own.tools.get("s.chat");
    if (tool === undefined) throw new Error("There is no tool.");
    const records = [0, 1].map(() => toCallRecord("local", { commit: own.commit, tool: "s.once" }));
    const written = records.map(toWritten);
    await store.commit(toCommit(written, { segments: toSegments(written) }));
    const call: Call = { version: own, tool, input: {}, principal: LOCAL_PRINCIPAL };
    await expect(findConversation(store, call, { conversation_id: records[0]?.id })).rejects.toMatchObject({
      name: "CONFLICT",
      message: expect.stringContaining("belongs to `s.once`"),
    });
  });
});
