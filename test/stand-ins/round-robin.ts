import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { onTestFinished } from "vitest";
import type { AtEnd } from "../helpers/temporary.ts";

/** A load balancer that gives each request to the next node in turn, and knows nothing of what is in it. */
export interface RoundRobin {
  readonly url: string;
  close(): Promise<void>;
}

export interface RoundRobinOptions {
  /** Absent: any that is free. */
  readonly port?: number;
  /** Credentials of requests that have none. */
  readonly authorization?: string;
}

const OF_CONNECTION = ["connection", "keep-alive"];

/** Nodes are the bases of their addresses. Where nobody listens any more, the request goes to the next one. */
export async function openRoundRobin(
  nodes: readonly string[],
  atEnd: AtEnd = onTestFinished,
  { port = 0, authorization }: RoundRobinOptions = {},
): Promise<RoundRobin> {
  let turn = 0;
  // A connection that the balancer closes while its client sends would be a failure that no node has caused.
  const server = createServer({ keepAliveTimeout: 0 }, (asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on("data", (chunk: Buffer) => chunks.push(chunk));
    asked.on("end", () => pass(nodes.length));

    function pass(left: number): void {
      const node = nodes[(turn += 1) % nodes.length] ?? "";
      const { method, url = "/" } = asked;
      const headers = { ...(authorization !== undefined && { authorization }), ...asked.headers };
      const passed = send(new URL(url, node), { method, headers, agent: false }, (got) => {
        // How long a connection is kept is a matter of each of both.
        for (const name of OF_CONNECTION) delete got.headers[name];
        answer.writeHead(got.statusCode ?? 502, got.headers);
        answer.flushHeaders();
        pipeline(got, answer, () => undefined);
      });
      passed.on("error", (error: NodeJS.ErrnoException) => {
        // What a node has read may have been done, and is its client's to ask again.
        if (error.code === "ECONNREFUSED" && left > 1) pass(left - 1);
        else answer.destroy();
      });
      answer.once("close", () => passed.destroy());
      passed.end(Buffer.concat(chunks));
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  atEnd(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
