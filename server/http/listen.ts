import type { H3 } from "h3";
import { listen } from "listhen";
import { toNodeHandler } from "srvx/node";
import { CairnError } from "../errors.ts";
import { BODY_LIMIT } from "./body.ts";

export interface Listening {
  /** Without a slash at the end. */
  readonly url: string;
  /** Stops taking requests and waits for those that are being answered. */
  close(): Promise<void>;
}

/** A client that sends its headers or body drop by drop must not hold a connection for ever (slow loris). */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
/** Connections that nothing happens on are closed, so that they cannot add up. */
const KEEP_ALIVE_TIMEOUT = 30_000;
const CONNECTION_LIMIT = 10_000;
/** How long answers that are under way may take once the service is asked to end. */
const CLOSE_TIMEOUT = 10_000;

/** Starts answering; UNAVAILABLE when the address cannot be had, never another port instead. */
export async function listenHttp(app: H3, options: { host: string; port: number }): Promise<Listening> {
  const { host, port } = options;
  const handler = toNodeHandler((request) => app.fetch(request), { maxRequestBodySize: BODY_LIMIT });
  const listener = await listen(handler as Parameters<typeof listen>[0], {
    hostname: host,
    // listhen would otherwise take a free port when this one is in use, and nobody would find the service.
    port: port === 0 ? { random: true } : { port, random: false, verbose: false, alternativePortRange: [port, port] },
    public: false,
    showURL: false,
    qr: false,
    // Its own signal handler would end the process in the middle of answers.
    autoClose: false,
    isProd: false,
  }).catch((error: unknown) => {
    throw new CairnError("UNAVAILABLE", `Cannot listen on ${host}:${port}: is something else listening there?`, {
      cause: error,
    });
  });
  const { server } = listener;
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  server.maxConnections = CONNECTION_LIMIT;
  const actual = listener.address.port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host === "0.0.0.0" ? "127.0.0.1" : host}:${actual}`,
    close: () =>
      new Promise((resolve) => {
        const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
        server.close(() => {
          clearTimeout(impatient);
          resolve();
        });
      }),
  };
}
