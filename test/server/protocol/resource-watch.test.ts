import { describe, expect, onTestFinished, test, vi } from "vitest";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { createResourceWatch } from "../../../server/protocol/resource-watch.ts";
import { callsOfVersion, sessionKey } from "../../../server/store/keys.ts";
import type { Store } from "../../../server/store/store.ts";
import type { Server } from "../../../server/versions/version.ts";
import { eventually } from "../../helpers/eventually.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const version = createTestVersion({
  servers: [
    {
      name: "runner",
      resources: [
        { uri: "logs://recent", name: "logs", source: { kind: "provider", provider: "logs.recent" } },
        { uri: "docs://fixed", name: "fixed", source: { kind: "text", text: "Fixed." } },
      ],
      resourceTemplates: [
        {
          uriTemplate: "session://{conversation_id}",
          name: "session",
          source: { kind: "provider", provider: "session.read" },
          suggestions: new Map(),
        },
      ],
    },
  ],
});
const { tenant } = LOCAL_PRINCIPAL;

function serverOf(): Server {
  const server = version.servers.get("runner");
  if (!server) throw new Error("There is no server.");
  return server;
}

async function setUp() {
  const store = await openTestStore();
  const find = createResourceWatch(version, serverOf(), store);
  const heard: string[] = [];
  const start = (uri: string) => find(uri, LOCAL_PRINCIPAL)?.(() => void heard.push(uri));
  const set = (key: readonly (string | number)[]) => store.commit({ set: [{ key, value: 1 }] });
  return { find, heard, start, set };
}

describe("a watch of a resource", () => {
  test("is there where something is, be it fixed or not yet begun", async () => {
    const { find } = await setUp();
    const isThere = (uri: string) => find(uri, LOCAL_PRINCIPAL) !== undefined;
    expect(["logs://recent", "docs://fixed", "session://x", "docs://nothing"].map(isThere)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("tells of many changes in a moment as one", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const listeners: (() => void)[] = [];
    const stopped = vi.fn();
    const watch: Store["watch"] = (_key, listener) => {
      listeners.push(listener as () => void);
      return stopped;
    };
    const heard = vi.fn();
    const stop = createResourceWatch(version, serverOf(), { watch } as Store)("logs://recent", LOCAL_PRINCIPAL)?.(
      heard,
    );
    for (let n = 0; n < 20; n += 1) listeners[0]?.();
    expect(heard).not.toHaveBeenCalled();
    vi.advanceTimersByTime(50);
    expect(heard).toHaveBeenCalledTimes(1);
    listeners[0]?.();
    vi.advanceTimersByTime(50);
    expect(heard).toHaveBeenCalledTimes(2);
    listeners[0]?.();
    stop?.();
    vi.advanceTimersByTime(50);
    expect([heard, stopped].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
  });

  test("tells of changes of its own resource only", async () => {
    const { heard, start, set } = await setUp();
    start("logs://recent");
    start("session://one");
    start("docs://fixed");
    await set([...callsOfVersion(tenant, version.commit), 1]);
    await set(sessionKey(tenant, version.commit, "two"));
    await set(sessionKey("other", version.commit, "one"));
    await eventually(() => expect(heard).toEqual(["logs://recent"]));
    await set(sessionKey(tenant, version.commit, "one"));
    await eventually(() => expect(heard).toEqual(["logs://recent", "session://one"]));
  });

  test("tells nothing once it is stopped, not even what it was about to", async () => {
    const { heard, start, set } = await setUp();
    const stop = start("session://one");
    start("logs://recent");
    await set(sessionKey(tenant, version.commit, "one"));
    stop?.();
    await set([...callsOfVersion(tenant, version.commit), 1]);
    await eventually(() => expect(heard).toEqual(["logs://recent"]));
  });
});
