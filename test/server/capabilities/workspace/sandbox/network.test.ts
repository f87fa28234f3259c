import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemNetwork } from "../../../../../server/capabilities/workspace/sandbox/network.ts";

describe("the system's network", () => {
  test("finds all addresses of a host", async () => {
    expect(await systemNetwork.resolve("127.0.0.1")).toEqual([{ address: "127.0.0.1", family: 4 }]);
    await expect(systemNetwork.resolve("no-such-host.invalid")).rejects.toThrow(/no-such-host/);
  });

  test("connects to whichever of the given addresses answers, and asks for no other", async () => {
    const server = createServer((socket) => socket.end("hello"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const addresses = [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    for (const given of [addresses, addresses.slice(1)]) {
      const socket = systemNetwork.connect(given, (server.address() as AddressInfo).port);
      const [text] = (await once(socket, "data")) as [Buffer];
      expect([String(text), socket.remoteAddress]).toEqual(["hello", "127.0.0.1"]);
      socket.destroy();
    }
  });
});
