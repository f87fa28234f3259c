import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../../server/protocol/exchange.ts";
import { toIdentity } from "../../../../server/protocol/identity.ts";
import { createLegacyLifecycle, createModernLifecycle } from "../../../../server/protocol/methods/lifecycle.ts";
import type { Server } from "../../../../server/versions/version.ts";
import { MODERN, STANDALONE } from "../../../helpers/exchange.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const SESSION: Exchange = { ...STANDALONE, session: { logLevel: "info" } as Exchange["session"] & object };
const moving = (exchange: Exchange): Exchange => ({ ...exchange, watch: () => () => undefined });

function methodsOf(server: Partial<Server> = {}) {
  const version = createTestVersion({ servers: [{ name: "runner", ...server }] });
  const made = version.servers.get("runner");
  if (!made) throw new Error("There is no server.");
  const identity = toIdentity(version, made);
  return { ...createModernLifecycle(made, identity), ...createLegacyLifecycle(made, identity) };
}

const resources = [{ uri: "docs://a", name: "a", source: { kind: "link" } }] as const;
const prompts = [{ name: "greet", arguments: [], messages: [] }];
const changes = { listChanged: true };

function capabilitiesOf(server: Partial<Server>, exchange: Exchange): unknown {
  const method = exchange.modern ? "server/discover" : "initialize";
  const result = methodsOf(server)[method]?.({ protocolVersion: "2025-11-25" }, exchange, 1);
  return (result as { capabilities: object }).capabilities;
}

describe("the capabilities of a server", () => {
  test.each<[string, Partial<Server>, Exchange, object]>([
    ["with tools only", {}, STANDALONE, { logging: {}, tools: {} }],
    ["with tools only, at a moving address", {}, moving(STANDALONE), { logging: {}, tools: {} }],
    ["for a session at a moving address", {}, moving(SESSION), { logging: {}, tools: changes }],
    ["for a modern client at a moving address", {}, moving(MODERN), { logging: {}, tools: changes }],
    ["with resources", { resources }, STANDALONE, { logging: {}, tools: {}, resources: {} }],
    [
      "with resources, for a session",
      { resources },
      SESSION,
      { logging: {}, tools: {}, resources: { subscribe: true } },
    ],
    ["with prompts", { prompts }, MODERN, { logging: {}, tools: {}, prompts: {}, completions: {} }],
    [
      "with everything, for a session at a moving address",
      { resources, prompts },
      moving(SESSION),
      { logging: {}, tools: changes, resources: { ...changes, subscribe: true }, prompts: changes, completions: {} },
    ],
  ])("%s", (_, server, exchange, expected) => {
    expect(capabilitiesOf(server, exchange)).toEqual(expected);
  });
});

describe("[C1] initialize", () => {
  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2024-11-05", "2024-11-05"],
    ["2024-10-07", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    ["tomorrow", "2025-11-25"],
  ])("answers %s with %s", (asked, answered) => {
    expect(methodsOf()["initialize"]?.({ protocolVersion: asked }, STANDALONE, 1)).toMatchObject({
      protocolVersion: answered,
    });
  });

  test("has instructions where the server has some", () => {
    const initialize = (server: Partial<Server>) =>
      methodsOf(server)["initialize"]?.({ protocolVersion: "2025-11-25" }, STANDALONE, 1);
    expect(initialize({ instructions: "Use them." })).toHaveProperty("instructions", "Use them.");
    expect(initialize({})).not.toHaveProperty("instructions");
  });

  test("needs a revision", () => {
    expect(() => methodsOf()["initialize"]?.({}, STANDALONE, 1)).toThrow("`protocolVersion` must be a string");
  });
});

describe("logging/setLevel", () => {
  test("is remembered by a session, and accepted where nothing could remember it", () => {
    const session = { ...SESSION.session } as Exchange["session"] & object;
    const set = (exchange: Exchange, level: unknown) => methodsOf()["logging/setLevel"]?.({ level }, exchange, 1);
    expect([set({ ...STANDALONE, session }, "error"), session.logLevel]).toEqual([{}, "error"]);
    expect(set(STANDALONE, "error")).toEqual({});
    expect(() => set({ ...STANDALONE, session }, "loud")).toThrow("The log level `loud`");
    expect(session.logLevel).toBe("error");
  });
});
