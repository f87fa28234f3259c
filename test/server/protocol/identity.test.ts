import { describe, expect, test } from "vitest";
import { toCacheHints, toIdentity, toModernResult } from "../../../server/protocol/identity.ts";
import { serialise } from "../../../server/protocol/json-rpc.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const version = createTestVersion({
  semver: "1.2.3",
  servers: [{ name: "runner" }, { name: "other", title: "Other" }],
});
const identityOf = (name: string) => {
  const server = version.servers.get(name);
  if (!server) throw new Error("There is no server.");
  return toIdentity(version, server);
};

describe("an identity", () => {
  test("names agent, server and version", () => {
    expect(identityOf("runner").serverInfo).toEqual({
      name: "test-agent/runner",
      title: "test-agent",
      version: "1.2.3",
    });
    expect(identityOf("other").serverInfo).toMatchObject({ name: "test-agent/other", title: "Other" });
  });

  test("is in every modern result, beside what is there already", () => {
    const identity = identityOf("runner");
    const own = { "io.modelcontextprotocol/serverInfo": identity.serverInfo };
    expect(toModernResult({ a: 1 }, identity)).toEqual({ resultType: "complete", a: 1, _meta: own });
    expect(toModernResult({ resultType: "input_required", _meta: { b: 2 } }, identity)).toEqual({
      resultType: "input_required",
      _meta: { b: 2, ...own },
    });
    const text = serialise("{}");
    expect(toModernResult(text, identity)).toBe(text);
    expect(JSON.parse(`{${identity.metaMember}}`)).toEqual(own);
  });
});

describe("cache hints", () => {
  test.each([
    [true, true, { ttlMs: 604_800_000, cacheScope: "public" }],
    [true, false, { ttlMs: 604_800_000, cacheScope: "private" }],
    [false, true, { ttlMs: 0, cacheScope: "public" }],
    [false, false, { ttlMs: 0, cacheScope: "private" }],
  ])("of what is immutable (%s) and for everybody (%s)", (immutable, isPublic, hints) => {
    expect(toCacheHints(immutable, isPublic)).toEqual(hints);
  });
});
