import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type Connection, type ConnectionOptions, handOver, openConnection } from "./connection.ts";
import type { HttpListener } from "./exchange.ts";

export interface FrontOptions {
  /** Its connections pass through the front; it has the port, the limits and all that the front does not take. */
  readonly server: Server;
  readonly listener: HttpListener;
  /** Milliseconds between looks at connections that wait. */
  readonly check: number;
  /** Milliseconds since 1970, for the header `Date`. */
  readonly now: () => number;
  /** Milliseconds by a clock that nobody sets, for waiting. */
  readonly elapsed: () => number;
}

export interface Front {
  /** Ends connections on which nothing is asked. */
  closeIdle(): void;
  closeAll(): void;
  /** Ends its timer; connections stay as they are. */
  close(): void;
}

/**
 * Opens the lean way in: plain POSTs to MCP, as nearly all requests are, are read from the socket and answered on it, without
 * the streams of node:http, which cost as much as half of a call. Everything else goes to node:http with every byte, and with it
 * the connection for good: what is odd, slow, pipelined or meant for something else than MCP.
 */
export function openFront({ server, listener, check, now, elapsed }: FrontOptions): Front {
  const [take] = server.listeners("connection") as ((this: Server, socket: Socket) => void)[];
  if (take === undefined) throw new Error("The server takes no connections, so the front cannot pass any on.");
  const connections = new Set<Connection>();
  const options: ConnectionOptions = {
    listener,
    elapsed,
    date: createDate(now),
    keepAlive: server.keepAliveTimeout,
    passOn: (socket) => take.call(server, socket),
    onLeave: (connection) => void connections.delete(connection),
  };
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => void connections.add(openConnection(socket, options)));
  const timer = setInterval(() => {
    const time = elapsed();
    for (const connection of connections) look(connection, time - connection.since, check);
  }, check).unref();

  return {
    closeIdle() {
      for (const { answering, held, socket } of connections) {
        if (answering === undefined && held === undefined) socket.destroy();
      }
    },
    closeAll() {
      for (const { socket } of connections) socket.destroy();
    },
    close: () => clearInterval(timer),
  };
}

/** Ends a connection that was idle for long; gives one that waits for a request to node:http, which knows how long it may. */
function look(connection: Connection, waited: number, check: number): void {
  const { answering, held, hasAnswered, socket, options } = connection;
  if (answering !== undefined) return;
  if (held === undefined && hasAnswered) {
    if (waited > options.keepAlive) socket.destroy();
  } else if (waited > check) {
    handOver(connection);
  }
}

/** Creates the reader of the header `Date`, which changes once a second. */
function createDate(now: () => number): () => string {
  let second = Number.NaN;
  let text = "";
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      text = new Date(current * 1000).toUTCString();
    }
    return text;
  };
}
