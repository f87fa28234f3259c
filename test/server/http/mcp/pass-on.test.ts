import type { IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { LOCAL_CALLER } from "../../../../server/auth/caller.ts";
import { CairnError } from "../../../../server/errors.ts";
import { createPassOn, type PassOn } from "../../../../server/http/mcp/pass-on.ts";
import type { Member } from "../../../../server/store/members.ts";
import { listen, nodesOf, toMember } from "../../../helpers/listed-nodes.ts";

/** A listener that passes each request on to `other`, and what became of the first. */
async function listenBefore(passOn: PassOn) {
  const failed = Promise.withResolvers<unknown>();
  const url = await listen((request: IncomingMessage, response) => {
    const passed = { request, response, caller: LOCAL_CALLER, client: undefined };
    passOn.pass("other", passed).catch((error: unknown) => {
      failed.resolve(error);
      response.writeHead(error instanceof CairnError ? error.row.status : 500).end();
    });
  });
  return { url, failed: failed.promise };
}

describe("a request that was passed on to a node that hangs", () => {
  test("ends as one in a session that is gone, once that node is struck off", async () => {
    const arrived = Promise.withResolvers<undefined>();
    const hanging = await listen(() => arrived.resolve(undefined));
    const [self, other] = [toMember("self", "http://127.0.0.1:9"), toMember("other", hanging)];
    let members: readonly Member[] = [self, other];
    const passOn = createPassOn(nodesOf(self, () => members));
    onTestFinished(passOn.close);
    const { url, failed } = await listenBefore(passOn);
    const answer = fetch(url, { method: "POST", body: "{}" });
    await arrived.promise;
    members = [self];
    expect(await failed).toMatchObject({ name: "SESSION_NOT_FOUND" });
    expect((await answer).status).toBe(404);
  });
});

describe("a request that was passed on to an address where another answers", () => {
  test("of this service says so with 421, and the client gets 503: its credentials are good", async () => {
    const said: number[] = [];
    const third = await listen((request: IncomingMessage, response) => {
      const { take } = createPassOn(nodesOf(toMember("third", "http://127.0.0.1:9"), () => []));
      take(request).catch((error: unknown) => {
        said.push(error instanceof CairnError ? error.row.status : 500);
        response.writeHead(said.at(-1) ?? 0).end("{}");
      });
    });
    expect([await statusOf(third, "GET"), await statusOf(third)]).toEqual([503, 503]);
    // What hears 421 may ask once more on another connection.
    expect(new Set(said)).toEqual(new Set([421]));
  });

  test("as a service of others with 401 gives the client 503, too, and its other answers reach the client", async () => {
    const answering = (status: number) => listen((_, response) => void response.writeHead(status).end("{}"));
    expect(await statusOf(await answering(401))).toBe(503);
    expect(await statusOf(await answering(403))).toBe(403);
  });

  async function statusOf(address: string, method = "POST"): Promise<number> {
    const [self, other] = [toMember("self", "http://127.0.0.1:9"), toMember("other", address)];
    const passOn = createPassOn(nodesOf(self, () => [self, other]));
    onTestFinished(passOn.close);
    const { url } = await listenBefore(passOn);
    const { status } = await fetch(url, { method, ...(method === "POST" ? { body: "{}" } : {}) });
    return status;
  }
});
