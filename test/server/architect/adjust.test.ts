import { describe, expect, test } from "vitest";
import { adjust } from "../../../server/architect/adjust.ts";
import type { Adjustment } from "../../../server/architect/planners/plan.ts";
import { conversationKey, sessionKey, stateKey } from "../../../server/store/keys.ts";
import { createLedgers } from "../../../server/capabilities/tuner/ledgers.ts";
import { loader } from "../../helpers/loader.ts";
import { createGreeter } from "../../fixtures/greeter.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { compileSchema } from "../../../server/versions/manifests/schema/compile-schema.ts";
import type { StoredValue } from "../../../server/versions/stored-value.ts";
import { openTestStore } from "../../helpers/store.ts";

const NOW = Date.UTC(2026, 0, 1);
const CONVERSATION = "01a20306-1dca-7000-9757-e99bba9294a1";

async function open(values: readonly StoredValue[] = []) {
  const store = await openTestStore();
  const loaded = await loader.load(createMemoryTree(await createGreeter()), "c".repeat(40));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const servers = new Map([...loaded.version.servers].map(([name, server]) => [name, { ...server, values }]));
  const version = { ...loaded.version, servers };
  const ledgers = createLedgers({ store, now: () => NOW });
  let count = 0;
  const send = (
    adjustments: readonly Adjustment[],
    options: { id?: string; capabilities?: readonly string[]; dryRun?: boolean; tenant?: string } = {},
  ) => {
    const {
      id = `id-${(count += 1)}`,
      capabilities = ["*", "architect:state"],
      dryRun = false,
      tenant = "acme",
    } = options;
    const principal = { tenant, actor: "mia", capabilities: new Set(capabilities) };
    return adjust(
      { id, version, principal, adjustments, dryRun },
      { store, ledgers, now: () => NOW, settled: async () => undefined },
    );
  };
  const active = async () => (await (await ledgers.open("acme", version, "style"))?.read())?.active.values;
  const state = async () => (await store.get(stateKey("acme", "runner", version.commit, ["greeted", 1])))?.value;
  return { store, version, send, active, state };
}

const PROMOTE: Adjustment = { kind: "promote", experiment: "style", arm: "long" };
const SET: Adjustment = { kind: "state", server: "runner", key: ["greeted", 1], value: { who: "Ada" } };

describe("adjustments", () => {
  test("make values active, say so, and can be taken back by their id", async () => {
    const { send, active } = await open();
    expect(await send([PROMOTE], { id: "first" })).toEqual([
      '`style` now runs with `long`: {"style":"long"} instead of {"style":"short"}.',
    ]);
    expect(await active()).toEqual({ style: "long" });
    await send([{ kind: "undo", id: "first" }], { id: "second" });
    expect(await active()).toEqual({ style: "short" });
    await send([{ kind: "undo", id: "second" }]);
    expect(await active()).toEqual({ style: "long" });
    await send([{ kind: "reset", experiment: "style" }]);
    expect(await active()).toEqual({ style: "short" });
    await send([{ kind: "revert", experiment: "style" }]);
    expect(await active()).toEqual({ style: "long" });
  });

  test("are made once, however often the same feedback is worked on", async () => {
    const { send, active } = await open();
    const said = await send([PROMOTE], { id: "first" });
    await send([{ kind: "reset", experiment: "style" }]);
    expect(await send([PROMOTE], { id: "first" })).toEqual(said);
    expect(await active()).toEqual({ style: "short" });
  });

  test("are made together or not at all", async () => {
    const { send, active, state } = await open();
    await expect(send([PROMOTE, SET, { ...SET, server: "nowhere" }])).rejects.toMatchObject({ name: "NOT_FOUND" });
    expect(await active()).toEqual({ style: "short" });
    expect(await state()).toBeUndefined();
  });

  test("only say what they would do when they are tried out", async () => {
    const { send, active } = await open();
    expect(await send([PROMOTE], { dryRun: true })).toHaveLength(1);
    expect(await active()).toEqual({ style: "short" });
  });

  test("correct the state of a server, and take that back in the reverse order", async () => {
    const { send, state } = await open();
    const second = { ...SET, value: { who: "Bob" } } as const;
    expect(await send([SET, second], { id: "both" })).toEqual([
      'The state of `runner` has {"who":"Ada"} at `["greeted",1]` instead of null.',
      'The state of `runner` has {"who":"Bob"} at `["greeted",1]` instead of {"who":"Ada"}.',
    ]);
    expect(await state()).toEqual({ who: "Bob" });
    await send([{ kind: "undo", id: "both" }]);
    expect(await state()).toBeUndefined();
    await expect(send([{ ...SET, value: null }])).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("write no state that the version would refuse to read", async () => {
    const schema = { type: "object", required: ["name"] };
    const { send, state } = await open([{ key: ["greeted", "*"], schema, check: compileSchema(schema) }]);
    await expect(send([SET])).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: expect.stringMatching(/^The value under `\["greeted",1\]` does not fit .*: `name` is missing\.$/),
    });
    expect(await state()).toBeUndefined();
    await send([{ ...SET, value: { name: "Ada" } }]);
    expect(await state()).toEqual({ name: "Ada" });
  });

  test("correct what a conversation remembers, of the sender's tenant alone", async () => {
    const { send, store, version } = await open();
    const session = {
      schemaVersion: 1,
      conversationId: CONVERSATION,
      server: "runner",
      tool: "runner.greet",
      createdAt: NOW,
      updatedAt: NOW,
      calls: 2,
      value: { turns: ["hi"] },
    };
    const owner = { schemaVersion: 1, commit: version.commit, version: "1.0.0", server: "runner" };
    const key = sessionKey("acme", version.commit, CONVERSATION);
    await store.commit({
      set: [
        { key, value: session },
        { key: conversationKey("acme", CONVERSATION), value: owner },
      ],
    });
    const end: Adjustment = { kind: "session", conversationId: CONVERSATION, value: null };
    await expect(send([end], { tenant: "globex" })).rejects.toMatchObject({ name: "NOT_FOUND" });
    expect(await send([end], { id: "end" })).toEqual([
      `The conversation \`${CONVERSATION}\` remembers nothing any more.`,
    ]);
    expect((await store.get(key))?.value).toEqual({ ...session, value: null });
    await send([{ kind: "undo", id: "end" }]);
    expect((await store.get(key))?.value).toEqual(session);
  });

  test.each([
    [PROMOTE, ["architect:chat", "architect:state"], "architect:tune"],
    [SET, ["architect:chat", "architect:tune"], "architect:state"],
    [{ kind: "state", server: "runner", key: ["a"], value: 1 }, ["*"], "architect:state"],
  ] as const)("need more than the right to ask for changes", async (adjustment, capabilities, missing) => {
    const { send } = await open();
    await expect(send([adjustment], { capabilities })).rejects.toMatchObject({
      name: "FORBIDDEN",
      message: expect.stringContaining(`\`${missing}\``),
    });
  });

  test("need the same rights to be taken back", async () => {
    const { send } = await open();
    await send([SET], { id: "first" });
    await expect(send([{ kind: "undo", id: "first" }], { capabilities: ["architect:tune"] })).rejects.toMatchObject({
      name: "FORBIDDEN",
    });
    await expect(send([{ kind: "undo", id: "first" }], { tenant: "globex" })).rejects.toMatchObject({
      name: "NOT_FOUND",
    });
  });
});
