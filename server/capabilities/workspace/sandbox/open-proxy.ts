import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "../../../errors.ts";
import type { Connection } from "./connection-log.ts";
import {
  CONNECT_MS,
  createTraffic,
  endAll,
  keep,
  openTunnel,
  refuse,
  type Target,
  type Traffic,
  type TrafficOptions,
} from "./tunnel.ts";

export interface Proxy {
  /** Path of the Unix socket that it listens on. */
  readonly socket: string;
  /** Ends every connection. Resolves with what was tried; `isLimited`: whether that came up against a limit. */
  close(): Promise<{ readonly connections: readonly Connection[]; readonly isLimited: boolean }>;
}

const HEADER_BYTES = 8 * 1024;
/** Of one command, one after another: a program that asks without end would keep the service from all else. */
export const ALL_CONNECTIONS = 10_000;
const NOWHERE: Target = Object.freeze({ host: "", port: 0 });

/**
 * An HTTP proxy for one command. It opens tunnels (CONNECT, RFC 9110, section 9.3.6) to `hosts`, which are written as
 * under `egress`, and to nothing else; what goes through them it does not read. It resolves names itself, once for each
 * tunnel.
 */
export async function openProxy(options: TrafficOptions): Promise<Proxy> {
  const traffic = createTraffic(options);
  const attempts = new Set<Promise<void>>();
  const server = createProxyServer(traffic, attempts);
  const { socket, remove } = await listen(server);
  const closed = once(server, "close");
  return {
    socket,
    async close() {
      traffic.over.abort();
      stop(server);
      endAll(traffic);
      while (attempts.size > 0) await Promise.all(attempts);
      await closed;
      await remove();
      return { connections: traffic.log.all(), isLimited: traffic.isLimited };
    },
  };
}

/** The server of a proxy; tunnels that are coming about are in `attempts`. */
function createProxyServer(traffic: Traffic, attempts: Set<Promise<void>>): Server {
  const { connections } = traffic.limits;
  const server = createServer(
    { maxHeaderSize: HEADER_BYTES, headersTimeout: CONNECT_MS, requestTimeout: CONNECT_MS },
    ({ url = "" }, response) => {
      const text = refuse(traffic, readUrl(url), "only tunnels are opened, as for `https:`");
      response.writeHead(403, { "Content-Type": "text/plain", Connection: "close" }).end(text);
    },
  );
  server.maxConnections = connections;
  let met = 0;
  const meet = () => {
    met += 1;
    if (met < ALL_CONNECTIONS) return;
    traffic.isLimited = true;
    stop(server);
  };
  server.on("connection", (client) => {
    keep(traffic, client);
    meet();
  });
  server.on("drop", () => {
    meet();
    traffic.isLimited = true;
    refuse(traffic, NOWHERE, `there were ${connections} connections at once already`);
  });
  server.on("connect", ({ url = "" }, client, head) => {
    const attempt = openTunnel(traffic, client, readTarget(url), head)
      // Either side may be gone at any moment; that ends this connection, and nothing else.
      .catch(() => client.destroy())
      .then(() => void attempts.delete(attempt));
    attempts.add(attempt);
  });
  return server;
}

function stop(server: Server): void {
  if (server.listening) server.close();
}

/** Listens on a socket of its own: the sandbox's user may connect, others of this machine do not get past the folder. */
async function listen(server: Server): Promise<{ readonly socket: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-proxy-"));
  const socket = join(folder, "socket");
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await once(server.listen(socket), "listening");
    await chmod(socket, 0o666);
  } catch (cause) {
    server.close();
    await remove();
    throw new CairnError("UNAVAILABLE", "The proxy for the hosts of the command cannot be opened.", { cause });
  }
  return { socket, remove };
}

/** Reads the `host:port` of a CONNECT. */
function readTarget(text: string): Target {
  const [, host = "", digits = ""] = /^([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  return host === "" || port < 1 || port > 65_535 ? NOWHERE : { host: host.toLowerCase(), port };
}

function readUrl(text: string): Target {
  const url = URL.parse(text);
  return url === null ? NOWHERE : readTarget(`${url.hostname}:${url.port || 80}`);
}
