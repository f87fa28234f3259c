import { expect, onTestFinished, test, vi } from "vitest";
import { createWatchAddress } from "../../../server/protocol/address-watch.ts";
import { createResourceWatch } from "../../../server/protocol/resource-watch.ts";
import { callsOfVersion, stateKey } from "../../../server/store/keys.ts";
import { followHints } from "../../../server/store/postgres/hints.ts";
import type { Key } from "../../../server/store/store.ts";
import { createWatchers, type Watchers } from "../../../server/store/watchers.ts";
import { createNeighbours } from "../../../server/versions/registry/neighbours.ts";
import { DEFAULT_LIMITS } from "../../../server/versions/registry/registry-types.ts";
import { createSyncer } from "../../../server/versions/registry/syncer.ts";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const version = createTestVersion({
  servers: [
    {
      name: "runner",
      state: "shared",
      liveTools: { list: "list", call: "call", changes: "revision" },
      resources: [{ uri: "logs://recent", name: "logs", source: { kind: "provider", provider: "logs.recent" } }],
    },
  ],
});
const server = version.servers.get("runner") ?? expect.fail("no such server");
const { tenant } = LOCAL_PRINCIPAL;
const fail = (error: unknown) => expect.fail(String(error));

/** Milliseconds that were promised from one node's commit to the other nodes' clients, and to the other nodes' next version. */
const PROMISED = { client: 1_000, push: 2_000 };
/** Share of it that may pass without any work: the rest is for the database, git and a busy machine. */
const SHARE = 1 / 3;
/** Milliseconds since the last look of a node when another one commits. */
const PHASES = [0, 1, 125, 249, 250];

/**
 * Measures by a clock of its own how many milliseconds after a commit at another node something here happens, whenever the commit
 * comes: the sum of what the code itself waits for.
 */
async function measure(key: Key, watch: (watchers: Watchers, happened: () => void) => void): Promise<number> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const delays: number[] = [];
  for (const phase of PHASES) {
    const hints: { id: string; at: number; keys: string }[] = [];
    const watchers = createWatchers();
    const read = async () => ({ rows: hints, command: "SELECT", rowCount: hints.length }) as never;
    const follower = followHints({ read, watchers, onRead: () => undefined, now: Date.now });
    const happened = Promise.withResolvers<number>();
    watch(watchers, () => happened.resolve(Date.now()));
    await vi.advanceTimersByTimeAsync(1_000 + phase);
    const at = Date.now();
    hints.push({ id: String(phase), at, keys: JSON.stringify({ keys: [key] }) });
    await vi.advanceTimersByTimeAsync(60_000);
    follower.stop();
    delays.push((await Promise.race([happened.promise, Promise.resolve(Infinity)])) - at);
  }
  return Math.max(...delays);
}

test("a push that one node has told of is looked at by the others well within 2 seconds", async () => {
  const delay = await measure(["versions", "pushed"], (watchers, happened) => {
    const entry = { key: ["versions", "pushed"], value: { by: "another" }, rev: 1 };
    const store = { watch: watchers.watch, get: async () => entry, commit: () => expect.fail("tells nobody") };
    const syncer = createSyncer({
      work: async () => {
        happened();
        return { ok: true, added: [], failed: new Map(), changed: false };
      },
      tidy: async () => undefined,
      onFailed: expect.fail,
      onRecovered: expect.fail,
      onError: fail,
      now: Date.now,
      limits: DEFAULT_LIMITS,
    });
    createNeighbours(store, "self", fail).onTold(syncer.trigger);
  });
  expect(delay).toBeLessThanOrEqual(PROMISED.push * SHARE);
});

test("a resource that a call at another node has changed is reported well within a second", async () => {
  const key = [...callsOfVersion(tenant, version.commit), "x"];
  const delay = await measure(key, ({ watch }, happened) => {
    const store = { watch, scan: () => expect.fail("reads nothing") };
    const found = createResourceWatch(version, server, store)("logs://recent", LOCAL_PRINCIPAL);
    (found ?? expect.fail("no such resource"))(happened);
  });
  expect(delay).toBeLessThanOrEqual(PROMISED.client * SHARE);
});

test("live tools that a call at another node has changed are reported well within a second", async () => {
  const key = stateKey(tenant, "runner", "shared", ["revision"]);
  const registry = { resolve: async () => expect.fail("nobody asks"), subscribe: () => () => undefined };
  const delay = await measure(key, ({ watch }, happened) => {
    createWatchAddress(registry, { watch })("1.0.0", version, server, tenant)(happened);
  });
  expect(delay).toBeLessThanOrEqual(PROMISED.client * SHARE);
});
