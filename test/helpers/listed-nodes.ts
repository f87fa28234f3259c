import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { createNodes, type Nodes } from "../../server/instance/nodes.ts";
import type { Member } from "../../server/store/members.ts";

/** A member of a store, known by `id` alone. */
export function toMember(id: string, address?: string): Member {
  return { id, opening: id, label: id, release: "1", startedAt: 0, ...(address === undefined ? {} : { address }) };
}

/** Nodes as `self` sees them, out of a list in place of a database. */
export function nodesOf(self: Member, list: () => readonly Member[], key: Uint8Array = Buffer.alloc(32)): Nodes {
  const members = { self, list: async () => list() };
  return createNodes({ members, key, fetch, storeTime: () => 0, elapsed: () => performance.now() });
}

/** A server of HTTP on loopback, closed with its connections when the test ends; its base URL. */
export async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}
