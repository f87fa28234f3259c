import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Authenticate, LOCAL_CALLER } from "../../../server/auth/caller.ts";
import { CairnError } from "../../../server/errors.ts";
import { createStreamGuard, STREAM_CHECK_MS } from "../../../server/http/stream-guard.ts";

/** A stream at a real address, which is guarded as long as `authenticate` says. */
async function openStream(authenticate: Authenticate) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const end = new AbortController();
  const headers = { authorization: "Bearer x" };
  const asked = fetch(`http://127.0.0.1:${port}/agent/1.0.0/runner?x=1`, { headers, signal: end.signal });
  const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
  const guarded = vi.fn(authenticate);
  createStreamGuard(guarded)(response);
  response.writeHead(200).flushHeaders();
  await asked;
  /** The time of one check goes by, and the check comes to its end. */
  const check = async () => {
    vi.advanceTimersByTime(STREAM_CHECK_MS);
    await Promise.allSettled(guarded.mock.results.map(({ value }) => value));
    await new Promise(setImmediate);
  };
  return { response, guarded, check, leave: () => end.abort() };
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

  test("is asked about no more once it is over", async () => {
    const { response, guarded, check, leave } = await openStream(() => allowed("runner"));
    const closed = once(response, "close");
    leave();
    await closed;
    await check();
    expect(guarded).not.toHaveBeenCalled();
  });
});
