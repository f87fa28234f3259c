import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../../../server/cli/exit-codes.ts";
import { runIn } from "../run-in.ts";

/** What a terminal would obey. */
const HOSTILE = "\u001b]0;owned\u0007\u009b2J";
const TOLD = "\\u001b]0;owned\\u0007\\u009b2J";

/** A service with one tool, whose every call is answered with `end`. */
async function startService(end: object): Promise<string> {
  const server = createServer(async (request, response) => {
    const send = (body: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/agent/latest/api/tools/runner.say") return send({ server: "runner" });
    if (request.url?.includes("/api/")) return send({ detail: HOSTILE }, 404);
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method } = (await json(request)) as { id?: number; method: string };
    const serverInfo = { name: "s", version: "1" };
    const hello = { result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo } };
    if (id === undefined) return response.writeHead(202).end();
    return send({ jsonrpc: "2.0", id, ...(method === "initialize" ? hello : end) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const call = async (end: object, tool = "runner.say") =>
  runIn(".", ["call", "latest", tool, "{}", "--url", await startService(end)]);

describe("cairn call", () => {
  test("prints a result as JSON in which no control character is left", async () => {
    const { code, printed } = await call({ result: { content: [], structuredContent: { text: HOSTILE, n: 1 } } });
    expect([code, printed]).toEqual([EXIT.OK, `{\n  "text": "${TOLD}",\n  "n": 1\n}`]);
    expect(JSON.parse(printed)).toEqual({ text: HOSTILE, n: 1 });
  });

  test.each([
    ['{"n":1e999}', `cairn: The number \`1e999\` at \`/n\` is too large; the largest is ${Number.MAX_VALUE}.`],
    ["[1]", 'cairn: The input must be a JSON object, for example \'{"message":"hello"}\'; it is `[1]`.'],
    ["{", 'cairn: The input must be a JSON object, for example \'{"message":"hello"}\'; it is `{`.'],
  ])("refuses the input %s, and calls nothing", async (input, printed) => {
    const url = "http://127.0.0.1:9";
    expect(await runIn(".", ["call", "latest", "runner.say", input, "--url", url])).toEqual({
      code: EXIT.USAGE,
      printed,
    });
  });

  test("tells a failure in one line that a terminal does not obey", async () => {
    const error = { code: 1007, name: "UPSTREAM_ERROR", message: `${HOSTILE}\nsecond` };
    const { code, printed } = await call({ result: { isError: true, content: [], _meta: { "cairn/error": error } } });
    expect([code, printed]).toEqual([EXIT.FAILED, `cairn: ${TOLD}\\u000asecond (1007 UPSTREAM_ERROR)`]);
  });

  test("tells an error of the protocol likewise", async () => {
    const { code, printed } = await call({ error: { code: -32602, message: HOSTILE } });
    expect([code, printed]).toEqual([EXIT.FAILED, `cairn: MCP error -32602: ${TOLD}`]);
  });

  test("tells likewise what the service says before there is a call", async () => {
    const { code, printed } = await call({}, "runner.none");
    expect([code, printed]).toEqual([EXIT.FAILED, `cairn: ${TOLD}`]);
  });
});
