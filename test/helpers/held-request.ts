import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Sends a real request to a server that leaves its answer to the test. `leave` ends it as a client does that goes away. */
export async function holdRequest(path = "/", headers: Readonly<Record<string, string>> = {}) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const end = new AbortController();
  const answer = fetch(`http://127.0.0.1:${port}${path}`, { headers, signal: end.signal });
  const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
  return { response, answer, leave: () => end.abort() };
}
