import { once } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Authenticate, LOCAL_CALLER } from "../../../../server/auth/caller.ts";
import { CairnError } from "../../../../server/errors.ts";
import { createStreamGuard, STREAM_CHECK_MS } from "../../../../server/http/mcp/stream-guard.ts";
import type { RegistryEvent } from "../../../../server/versions/registry/registry-types.ts";
import { NOTHING_REVOKED } from "../../../../server/versions/revoked.ts";
import { holdRequest } from "../../../helpers/held-request.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

/** A stream at a real address, which is guarded as long as `authenticate` says. */
async function openStream(authenticate: Authenticate) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const headers = { authorization: "Bearer x" };
  const { response, answer, leave } = await holdRequest("/agent/1.0.0/runner?x=1", headers);
  const guarded = vi.fn(authenticate);
  const capabilities = new Set(["tool:runner.a"]);
  let isRevoked = false;
  const listeners = new Set<(event: RegistryEvent) => void>();
  const subscribe = (listener: (event: RegistryEvent) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const principal = { tenant: "a", actor: "ada", capabilities, isRevoked: () => isRevoked };
  const tools = [{ name: "runner.a", server: "runner", requiredCapabilities: ["tool:runner.a"] }];
  const credentials = { authorization: "Bearer x", path: "/agent/1.0.0/runner", address: "127.0.0.1" };
  createStreamGuard(guarded, { subscribe })(response, {
    version: createTestVersion({ tools }),
    principal,
    credentials,
  });
  response.writeHead(200).flushHeaders();
  await answer;
  /** The time of one check goes by, and the check comes to its end. */
  const check = async () => {
    vi.advanceTimersByTime(STREAM_CHECK_MS);
    await Promise.allSettled(guarded.mock.results.map(({ value }) => value));
    await new Promise(setImmediate);
  };
  /** The default branch revokes something, which may be what the stream's caller holds. */
  const revoke = (isHeld: boolean) => {
    isRevoked = isHeld;
    for (const listener of listeners) listener({ kind: "revoked", revoked: NOTHING_REVOKED });
  };
  return { response, guarded, check, revoke, leave };
}

const allowed = (...scopes: readonly string[]) => ({ ...LOCAL_CALLER, scopes: new Set(scopes) });

describe("an open stream", () => {
  test("stays as long as its token may use the address", async () => {
    const { response, guarded, check } = await openStream(() => allowed("runner"));
    for (let count = 1; count <= 3; count += 1) {
      await check();
      expect([guarded.mock.calls.length, response.destroyed]).toEqual([count, false]);
    }
    expect(guarded).toHaveBeenLastCalledWith({
      authorization: "Bearer x",
      path: "/agent/1.0.0/runner",
      address: "127.0.0.1",
    });
  });

  test("ends when its token is for other addresses now", async () => {
    const scopes = [allowed("*"), allowed("tuner", "versions:read")];
    const { response, check } = await openStream(() => Promise.resolve(scopes.shift() ?? allowed("*")));
    await check();
    expect(response.destroyed).toBe(false);
    await check();
    expect(response.destroyed).toBe(true);
  });

  test.each([
    [new CairnError("UNAUTHENTICATED", "The token was revoked."), true],
    [new Error("broken"), true],
    [new CairnError("UNAVAILABLE", "Nobody can be asked."), false],
  ])("when the answer is %s, ends: %s", async (error, ends) => {
    const { response, check } = await openStream(() => {
      throw error;
    });
    await check();
    expect(response.destroyed).toBe(ends);
  });

  test("[V9] ends at once when its caller loses a right, and not when others do", async () => {
    const { response, revoke } = await openStream(() => allowed("runner"));
    revoke(false);
    expect(response.destroyed).toBe(false);
    revoke(true);
    expect(response.destroyed).toBe(true);
  });

  test("is asked about no more once it is over", async () => {
    const { response, guarded, check, leave } = await openStream(() => allowed("runner"));
    const closed = once(response, "close");
    leave();
    await closed;
    await check();
    expect(guarded).not.toHaveBeenCalled();
  });
});
