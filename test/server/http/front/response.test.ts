import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createFrontResponse } from "../../../../server/http/front/response.ts";

test("an empty piece does not end a body in chunks", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const client = connect(port, "127.0.0.1");
  const [socket] = (await once(server, "connection")) as [Socket];
  const response = createFrontResponse({
    request: { headers: {}, socket: {} },
    socket,
    date: () => "now",
    keepAlive: 5,
    onEnd: () => void socket.end(),
  });
  response.writeHead(200, ["content-type", "text/event-stream"]);
  for (const piece of ["one", "", Buffer.alloc(0), "two"]) response.write(piece);
  response.end();
  const answer = await text(client);
  expect(answer.slice(answer.indexOf("\r\n\r\n") + 4)).toBe("3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n");
});
