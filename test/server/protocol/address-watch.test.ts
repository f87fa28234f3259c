import { describe, expect, test, vi } from "vitest";
import { createWatchAddress, type ListChanges } from "../../../server/protocol/address-watch.ts";
import type { Key } from "../../../server/store/store.ts";
import type { Registry, RegistryEvent } from "../../../server/versions/registry/registry-types.ts";
import type { Server } from "../../../server/versions/version.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const ECHO = { name: "runner.echo", server: "runner" };
const PROMPT = { name: "greet", arguments: [], messages: [] };

function versionOf(server: Partial<Server> = {}, tools: readonly { name: string; server: string }[] = [ECHO]) {
  return createTestVersion({ tools, servers: [{ name: "runner", ...server }] });
}

/** An address that means `mean`'s last version, and what a watch of it heard. */
function setUp(first = versionOf()) {
  let meant: ReturnType<typeof versionOf> | undefined = first;
  const listeners = new Set<(event: RegistryEvent) => void>();
  const looks: string[] = [];
  const registry: Pick<Registry, "resolve" | "subscribe"> = {
    async resolve(segment) {
      looks.push(segment);
      if (meant === undefined) throw new Error("There is no such version.");
      return { version: meant } as Awaited<ReturnType<Registry["resolve"]>>;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const heard: ListChanges[] = [];
  const server = first.servers.get("runner");
  if (!server) throw new Error("There is no server.");
  /** By prefix, who listens for changes of the store. */
  const kept = new Map<string, () => void>();
  const store = {
    watch(prefix: Key, notify: () => void) {
      kept.set(prefix.join(" "), notify);
      return () => void kept.delete(prefix.join(" "));
    },
  };
  const watch = createWatchAddress(registry, store)("stable", first, server, "t");
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    heard,
    kept,
    looks,
    listeners,
    start: () => watch((changes) => void heard.push(changes)),
    settle,
    async mean(version: ReturnType<typeof versionOf> | undefined, kind: RegistryEvent["kind"] = "labels") {
      meant = version;
      for (const listener of listeners) listener({ kind } as RegistryEvent);
      await settle();
    },
  };
}

const NOTHING = { tools: false, prompts: false, resources: false };

describe("a watch of an address", () => {
  test.each<[string, ReturnType<typeof versionOf>, Partial<ListChanges>]>([
    ["a tool more", versionOf({}, [ECHO, { name: "runner.more", server: "runner" }]), { tools: true }],
    ["a tool less", versionOf({}, []), { tools: true }],
    [
      "another schema",
      versionOf({}, [{ ...ECHO, input: { type: "object", properties: {} } } as never]),
      { tools: true },
    ],
    ["another promise", versionOf({}, [{ ...ECHO, idempotent: false } as never]), { tools: true }],
    ["a prompt", versionOf({ prompts: [PROMPT] }), { prompts: true }],
    [
      "a resource and a template",
      versionOf({
        resources: [{ uri: "docs://a", name: "a", source: { kind: "link" } }],
        resourceTemplates: [{ uriTemplate: "docs://{b}", name: "b", source: { kind: "link" }, suggestions: new Map() }],
      }),
      { resources: true },
    ],
  ])("tells of %s, once", async (_, version, changes) => {
    const { start, mean, heard } = setUp();
    start();
    await mean(version);
    await mean(version, "added");
    expect(heard).toEqual([{ ...NOTHING, ...changes }]);
  });

  test("tells nothing when what is listed stays the same, or the address means nothing for a while", async () => {
    const { start, mean, heard } = setUp();
    start();
    await mean(versionOf());
    await mean(undefined, "quarantined");
    await mean(createTestVersion({ servers: [{ name: "other" }] }));
    await mean(versionOf({ instructions: "Do." }), "dev");
    expect(heard).toEqual([]);
    await mean(versionOf({ prompts: [PROMPT] }));
    await mean(versionOf(), "added");
    expect(heard).toEqual([
      { ...NOTHING, prompts: true },
      { ...NOTHING, prompts: true },
    ]);
  });

  test("looks for what has changed since the server was found that it begins from", async () => {
    const { start, mean, settle, heard } = setUp();
    await mean(versionOf({ prompts: [PROMPT] }));
    start();
    await settle();
    expect(heard).toEqual([{ ...NOTHING, prompts: true }]);
  });

  test("looks only when something happened that can move an address, and not after it was stopped", async () => {
    const { start, mean, heard, looks, listeners } = setUp();
    const stop = start();
    await mean(versionOf(), "sync-failed");
    await mean(versionOf(), "alarm");
    expect(looks).toEqual(["stable"]);
    const moved = mean(versionOf({}, []));
    stop();
    await moved;
    expect([heard, listeners.size]).toEqual([[], 0]);
  });

  test("tells when what live tools are made of changes, much of it at once, for the tenant alone", async () => {
    const liveTools = { list: "runner.echo", call: "runner.echo", changes: "thing" };
    const { start, mean, settle, heard, kept } = setUp(versionOf({ state: "kept", liveTools }));
    const stop = start();
    await settle();
    expect([...kept.keys()]).toEqual(["state t runner kept thing"]);
    for (let count = 0; count < 3; count += 1) kept.get("state t runner kept thing")?.();
    await vi.waitFor(() => expect(heard).toEqual([{ ...NOTHING, tools: true }]));
    await mean(versionOf({ liveTools: { ...liveTools, changes: "other" } }));
    expect([...kept.keys()]).toEqual([`state t runner ${"c".repeat(40)} other`]);
    await mean(versionOf());
    expect(kept.size).toBe(0);
    await mean(versionOf({ liveTools }));
    stop();
    expect(kept.size).toBe(0);
  });
});
