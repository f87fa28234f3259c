import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { createMcpReply, type McpReply } from "../../../../server/http/mcp/reply.ts";
import { holdRequest } from "../../../helpers/held-request.ts";
import { toSent } from "../../../helpers/sent.ts";

/** One real request whose reply the test gives. */
async function ask() {
  const held = await holdRequest();
  const reply: McpReply = createMcpReply(held.response, ["cairn-version", "1.0.0"]);
  return { ...held, reply };
}

const NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"a\\nb"}}';
const ANSWER = { status: 200, pieces: ['{"jsonrpc":"2.0","id":1,', Buffer.from('"result":{"é":1}'), "}"] };
const RESULT = { jsonrpc: "2.0", id: 1, result: { é: 1 } };

describe("a reply", () => {
  test("is one JSON body when nothing was said before", async () => {
    const { reply, answer } = await ask();
    reply.finish({ ...ANSWER, status: 404 });
    const response = await answer;
    const { headers } = response;
    expect([response.status, headers.get("content-type"), headers.get("cairn-version")]).toEqual([
      404,
      "application/json",
      "1.0.0",
    ]);
    const text = await response.text();
    expect([JSON.parse(text), headers.get("content-length")]).toEqual([RESULT, String(Buffer.byteLength(text))]);
  });

  test("is 202 and nothing else for what needs no answer", async () => {
    const { reply, answer } = await ask();
    reply.finish(undefined);
    const response = await answer;
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([202, "0", ""]);
  });

  test("is a stream once something was said, and ends with the answer, whatever its status", async () => {
    const { reply, answer } = await ask();
    reply.notify(NOTE);
    const sent = toSent(await answer);
    expect([
      sent.status,
      ...["content-type", "cache-control", "x-accel-buffering", "cairn-version"].map((name) => sent.headers.get(name)),
    ]).toEqual([200, "text/event-stream", "no-cache, no-transform", "no", "1.0.0"]);
    expect((await sent.next()).message).toEqual(JSON.parse(NOTE));
    reply.notify(NOTE);
    reply.finish({ ...ANSWER, status: 400 });
    reply.notify(NOTE);
    reply.finish(ANSWER);
    expect(await sent.rest()).toEqual([JSON.parse(NOTE), RESULT]);
  });

  test("is over when its client has gone", async () => {
    const { reply, response, answer, leave } = await ask();
    reply.notify(NOTE);
    await answer;
    leave();
    await once(response, "close");
    reply.notify(NOTE);
    reply.finish(ANSWER);
    expect(response.writableEnded).toBe(false);
  });

  test("is given up when its client leaves too much unread", async () => {
    const { reply, response, answer } = await ask();
    const closed = once(response, "close");
    const cut = expect(answer.then((given) => given.text())).rejects.toThrow();
    const large = JSON.stringify({ text: "x".repeat(1024 * 1024) });
    for (let n = 0; n < 100 && !response.destroyed; n += 1) reply.notify(large);
    await closed;
    expect(response.destroyed).toBe(true);
    await cut;
  });
});
