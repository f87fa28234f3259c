import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { NODE_HEADER } from "../instance/node-token.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A way in for other workers of this machine, beside the port that all of them share and that leads to any of them. */
export interface NodeDoor {
  /** Base URL. */
  readonly address: string;
  /** Begins to answer; before that, whoever comes is asked to come again. */
  open(answer: Answer): void;
  close(): Promise<void>;
}

/** Opens the door at a free port of the loopback address, for requests that say another worker sent them: clients have the shared port. */
export async function openNodeDoor(): Promise<NodeDoor> {
  let answer: Answer = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => {
    if (request.headers[NODE_HEADER] === undefined) return void response.writeHead(404, { connection: "close" }).end();
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return Object.freeze<NodeDoor>({
    address: `http://127.0.0.1:${port}`,
    open: (next) => void (answer = next),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
}
