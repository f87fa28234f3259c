import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { LOCAL_CALLER } from "../../../../server/auth/caller.ts";
import { createPassOn } from "../../../../server/http/mcp/pass-on.ts";
import { createNodes } from "../../../../server/instance/nodes.ts";
import type { Member } from "../../../../server/store/members.ts";

const toMember = (id: string, address: string): Member => ({
  id,
  address,
  opening: id,
  label: id,
  release: "1.0.0",
  startedAt: 0,
});

/** A server of HTTP on loopback, closed with its connections when the test ends; its base URL. */
async function listen(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer({}, answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

describe("a request that was passed on to a node that hangs", () => {
  test("ends as one in a session that is gone, once that node is struck off", async () => {
    const arrived = Promise.withResolvers<undefined>();
    const hanging = await listen(() => arrived.resolve(undefined));
    const [self, other] = [toMember("self", "http://127.0.0.1:9"), toMember("other", hanging)];
    let members: readonly Member[] = [self, other];
    const nodes = createNodes({
      members: { self, list: () => Promise.resolve(members) },
      key: Buffer.alloc(32),
      fetch,
      storeTime: () => 0,
      elapsed: () => performance.now(),
    });
    const passOn = createPassOn(nodes);
    onTestFinished(passOn.close);
    const failed = Promise.withResolvers<unknown>();
    const balanced = await listen((request: IncomingMessage, response) => {
      const passed = { request, response, caller: LOCAL_CALLER, client: undefined };
      passOn.pass("other", passed).catch((error: unknown) => {
        failed.resolve(error);
        response.writeHead(404).end();
      });
    });
    const answer = fetch(balanced, { method: "POST", body: "{}" });
    await arrived.promise;
    members = [self];
    expect(await failed.promise).toMatchObject({ name: "SESSION_NOT_FOUND" });
    expect((await answer).status).toBe(404);
  });
});
