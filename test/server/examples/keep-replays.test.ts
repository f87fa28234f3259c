import { describe, expect, test } from "vitest";
import { type KeptReplay, keepReplays, REPLAY_LIMIT } from "../../../server/examples/keep-replays.ts";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { readReplays } from "../../../server/resources/read-replays.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const HOUR = 3_600_000;

function replayed(id: string, at: number, more: Partial<KeptReplay["record"]> = {}): KeptReplay {
  const record = { schemaVersion: 1, tool: "s.t", outcome: "same", reasons: [], capabilities: [], at } as const;
  return { from: "f".repeat(40), id, record: { ...record, ...more }, ttl: HOUR };
}

const version = createTestVersion({
  tools: [
    { name: "s.t", server: "s" },
    { name: "s.secret", server: "s", requiredCapabilities: ["tool:secret"] },
  ],
});

async function read(store: Awaited<ReturnType<typeof openTestStore>>, tenant = "local", held: readonly string[] = []) {
  const principal = { ...LOCAL_PRINCIPAL, tenant, capabilities: new Set(held) };
  return readReplays(store, { version, principal });
}

describe("what replays have come to", () => {
  test("is read by time, of the reader's tenant and of this candidate only", async () => {
    const store = await openTestStore();
    const different = { outcome: "different", reasons: ["/a: expected 1, got 2"] } as const;
    await keepReplays(store, "local", version.commit, [replayed("b", 2), replayed("a", 1, different)]);
    await keepReplays(store, "local", "d".repeat(40), [replayed("c", 3)]);
    await keepReplays(store, "other", version.commit, [replayed("e", 4)]);
    const common = { kind: "replayed", from: "f".repeat(40), tool: "s.t" };
    expect(await read(store)).toEqual([
      { ...common, seq: 0, call_id: "a", ...different, at: "1970-01-01T00:00:00.001Z" },
      { ...common, seq: 1, call_id: "b", outcome: "same", reasons: [], at: "1970-01-01T00:00:00.002Z" },
    ]);
    expect(await read(store, "other")).toHaveLength(1);
  });

  test("replaces what the same call came to before", async () => {
    const store = await openTestStore();
    await keepReplays(store, "local", version.commit, [replayed("a", 1), replayed("b", 1)]);
    await keepReplays(store, "local", version.commit, [replayed("a", 2, { outcome: "different" })]);
    expect((await read(store)).map(({ call_id, outcome }) => [call_id, outcome])).toEqual([
      ["b", "same"],
      ["a", "different"],
    ]);
  });

  test("is bounded: of too many the newest are kept", async () => {
    const store = await openTestStore();
    const many = Array.from({ length: REPLAY_LIMIT + 1 }, (_, index) => replayed(`a${index}`, index));
    await keepReplays(store, "local", version.commit, many);
    expect((await read(store)).map(({ call_id }) => call_id)).toEqual(many.slice(1).map(({ id }) => id));
    await keepReplays(store, "local", version.commit, [replayed("last", REPLAY_LIMIT + 1)]);
    const kept = (await read(store)).map(({ call_id }) => call_id);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([REPLAY_LIMIT, "a2", "last"]);
  });

  test("shows no tool to who may not use it, whether the candidate has it or not", async () => {
    const store = await openTestStore();
    await keepReplays(store, "local", version.commit, [
      replayed("a", 1, { tool: "s.secret" }),
      replayed("b", 2, { tool: "s.gone", capabilities: ["tool:gone"] }),
      replayed("c", 3),
    ]);
    const toolsOf = async (held: readonly string[]) =>
      (await read(store, "local", held)).map(({ tool, seq }) => [seq, tool]);
    expect(await toolsOf([])).toEqual([[0, "s.t"]]);
    expect(await toolsOf(["tool:secret"])).toEqual([
      [0, "s.secret"],
      [1, "s.t"],
    ]);
    expect(await toolsOf(["tool:gone"])).toEqual([
      [0, "s.gone"],
      [1, "s.t"],
    ]);
  });
});
