import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { AtEnd } from "../helpers/temporary.ts";

/** What becomes of the next COMMIT that a client sends. */
export type Fate =
  /** It never reaches the server, and both sides lose the connection. */
  | "cut-before"
  /** The server has answered it, and the client never hears. */
  | "cut-after"
  /** The client loses the connection, and the server keeps the transaction open. */
  | "half-open"
  /** It becomes an ABORT, which the server answers with `ROLLBACK` and without an error. */
  | "aborted";

/** A way to a PostgreSQL server that fails as networks do. */
export interface DatabaseProxy {
  readonly port: number;
  /** Times that a COMMIT met its fate. */
  readonly struck: () => number;
  /** Chooses the fate of the next COMMIT. */
  strike(fate: Fate): void;
  /** Loses the connection of the next message that has this text, once the server has answered it. */
  loseAnswer(text: string): void;
  /** Swallows everything, also of new connections, until called with false. */
  swallow(isOn: boolean): void;
  /** Holds each message up for so many milliseconds, until called with 0. */
  delay(ms: number): void;
  /** Leads new connections to another server of this machine, and cuts those that there are. */
  retarget(port: number): void;
  /** Cuts all connections. */
  cut(): void;
}

const COMMIT = Buffer.from("commit\0");
const ABORT = Buffer.from("abort \0");
const COMMITTED = Buffer.from("COMMIT\0");
/** Kind and length of a message, before its text. */
const HEADER_BYTES = 5;

export async function openDatabaseProxy(first: number, atEnd: AtEnd = onTestFinished): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let target = first;
  let delayMs = 0;
  let fate: Fate | undefined;
  let isSwallowing = false;
  let struck = 0;
  let lost: string | undefined;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("error", () => undefined);
    return socket.on("close", () => sockets.delete(socket)).setNoDelay(true);
  }

  /** Creates the way of messages into a socket, which keeps their order. */
  function createWay(socket: Socket): (chunk: Buffer) => void {
    let last = Promise.resolve();
    let held = 0;
    return (chunk) => {
      if (delayMs === 0 && held === 0) return void socket.write(chunk);
      held += 1;
      last = last.then(async () => {
        if (delayMs > 0) await sleep(delayMs);
        held -= 1;
        socket.write(chunk);
      });
    };
  }

  const proxy = createServer((client) => {
    keep(client);
    const server = keep(connect(target, "127.0.0.1"));
    const [toServer, toClient] = [createWay(server), createWay(client)];
    let [isMuted, isLost] = [false, false];
    client.on("data", (chunk: Buffer) => {
      if (isSwallowing) return;
      if (lost !== undefined && chunk.includes(lost)) [lost, isMuted, isLost] = [undefined, true, true];
      const at = chunk.indexOf(COMMIT);
      if (fate === undefined || at === -1) return toServer(chunk);
      const now = fate;
      fate = undefined;
      struck++;
      if (now === "aborted") ABORT.copy(chunk, at);
      if (now === "aborted") return void server.write(chunk);
      if (now === "cut-after") {
        isMuted = true;
        server.write(chunk);
        return;
      }
      server.write(chunk.subarray(0, at - HEADER_BYTES), () => {
        client.destroy();
        if (now === "cut-before") server.destroy();
      });
      isMuted = true;
    });
    server.on("data", (chunk: Buffer) => {
      if (isSwallowing) return;
      if (!isMuted) return toClient(chunk);
      if (isLost || chunk.includes(COMMITTED)) {
        client.destroy();
        server.destroy();
      }
    });
    client.on("close", () => {
      if (!isMuted) server.destroy();
    });
    server.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  atEnd(async () => {
    cut();
    proxy.close();
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    struck: () => struck,
    strike: (next) => void (fate = next),
    loseAnswer: (text) => void (lost = text),
    swallow: (isOn) => void (isSwallowing = isOn),
    delay: (ms) => void (delayMs = ms),
    retarget(port) {
      target = port;
      cut();
    },
    cut,
  };
}
