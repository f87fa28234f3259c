import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { pauseAfterLarge } from "../../../server/json/pause-after-large.ts";

test("work on a small text does not pause", () => {
  expect(pauseAfterLarge(0)).toBeUndefined();
  expect(pauseAfterLarge(64 * 1024 - 1)).toBeUndefined();
});

test("what arrives during a stage of work on a large text is heard before the next stage", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [socket] = (await once(server, "connection")) as [Socket];
  const heard: string[] = [];
  client.on("data", (chunk: Buffer) => heard.push(chunk.toString()));
  try {
    for (const word of ["a", "b", "c"]) {
      // A stage begins with what came over the network, so that it runs while the network is listened to.
      client.write("go");
      await once(socket, "data");
      socket.write(word);
      await pauseAfterLarge(64 * 1024);
      expect(heard.at(-1)).toBe(word);
    }
  } finally {
    client.destroy();
    socket.destroy();
    server.close();
  }
});
