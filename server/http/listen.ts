import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { H3 } from "h3";
import { toNodeHandler } from "srvx/node";
import { CairnError, toErrorBody } from "../errors.ts";
import { BODY_LIMIT } from "./body.ts";
import { type FrontOptions, openFront } from "./front/open-front.ts";
import { toProblemBody } from "./problem.ts";
import { toOriginForm } from "./target.ts";

export interface Listening {
  /** Without a slash at the end. */
  readonly url: string;
  /** Answers a request that came another way. */
  readonly answer: RequestListener;
  /** Stops taking requests and waits for those that are being answered. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** True for a port that several processes of this account listen on, among whom the kernel divides connections. */
  readonly reusePort?: boolean;
  readonly timeouts?: Timeouts;
  /** Takes plain requests before node:http; absent: there is no lean way in. */
  readonly lean?: Pick<FrontOptions, "listener" | "now" | "elapsed">;
}

/** Milliseconds. */
interface Timeouts {
  /** Until a request's headers, and all of it, have arrived. */
  readonly headers: number;
  readonly request: number;
  /** Interval of that check, in milliseconds. */
  readonly check: number;
}

/** A client that sends its headers or body drop by drop must not hold a connection for ever (slow loris). */
const TIMEOUTS: Timeouts = { headers: 10_000, request: 30_000, check: 1000 };
/** Connections that nothing happens on are closed, so that they cannot add up. */
const KEEP_ALIVE_TIMEOUT = 30_000;
const CONNECTION_LIMIT = 10_000;
/** Longest time for open answers after the service is asked to end, in milliseconds, and the interval of the check. */
const CLOSE_TIMEOUT = 10_000;
const CLOSE_CHECK = 20;

/** Starts answering; UNAVAILABLE when the address cannot be had, never another port instead. */
export async function listenHttp(
  app: H3,
  mcp: (request: IncomingMessage, response: ServerResponse) => boolean,
  { host, port, reusePort = false, timeouts = TIMEOUTS, lean }: ListenOptions,
): Promise<Listening> {
  const rest = toNodeHandler((request) => app.fetch(request), { maxRequestBodySize: BODY_LIMIT }) as RequestListener;
  const handler: RequestListener = (request, response) => {
    if (isAmbiguous(request)) return refuse(response);
    const target = toOriginForm(request.url ?? "", request.headers.host);
    if (target === undefined) return refuse(response, OTHER_HOST);
    request.url = target;
    if (mcp(request, response)) return;
    request.url = keepDots(target);
    rest(request, response);
  };
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    },
    handler,
  );
  server.maxConnections = CONNECTION_LIMIT;
  const front = lean === undefined ? undefined : openFront({ server, ...lean, check: timeouts.check });
  await listen(server, host, port, reusePort);
  const address = server.address();
  const actual = typeof address === "object" ? (address?.port ?? port) : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host === "0.0.0.0" ? "127.0.0.1" : host}:${actual}`,
    answer: handler,
    close: () =>
      new Promise((resolve) => {
        const impatient = setTimeout(() => {
          front?.closeAll();
          server.closeAllConnections();
        }, CLOSE_TIMEOUT);
        // Node closes what is idle now; a connection whose answer ends later would be kept alive.
        const idle = setInterval(() => {
          front?.closeIdle();
          server.closeIdleConnections();
        }, CLOSE_CHECK);
        server.close(() => {
          clearTimeout(impatient);
          clearInterval(idle);
          front?.close();
          resolve();
        });
      }),
  };
}

/** Listens on an address for a moment, without answering. @throws UNAVAILABLE as `listenHttp` */
export async function tryListening({ host, port }: Pick<ListenOptions, "host" | "port">): Promise<void> {
  const server = createServer();
  await listen(server, host, port);
  await new Promise((resolve) => server.close(resolve));
}

async function listen(server: Server, host: string, port: number, reusePort = false): Promise<void> {
  const listening = once(server, "listening");
  server.listen({ port, host, reusePort });
  await listening.catch((error: unknown) => {
    throw toListenError(error, host, port);
  });
}

/** Creates the error of a failed listen, with its reason and a remedy. */
function toListenError(cause: unknown, host: string, port: number): CairnError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const where = `${host}:${port}`;
  const message =
    code === "EADDRINUSE"
      ? `Cannot listen on ${where}: something else listens there. End it, or choose another port with \`--port\` or PORT.`
      : code === "ENOTSUP"
        ? `Cannot listen on ${where}: on this system, processes cannot share a port. Unset CAIRN_WORKERS.`
        : code === "EACCES"
          ? `Cannot listen on ${where}: this user may not. Choose a port above 1023 with \`--port\` or PORT.`
          : `Cannot listen on ${where}: \`${host}\` is no address of this machine. Set \`--host\` or HOST.`;
  return new CairnError("UNAVAILABLE", message, { cause });
}

/**
 * Checks for more than one Host, or more than one place for a token: a proxy could have let pass the one, and this
 * service the other. Tokens in addresses end up in logs and histories, so addresses are no place for them (OAuth 2.1
 * §5.1).
 */
function isAmbiguous({ rawHeaders, url = "" }: IncomingMessage): boolean {
  let hosts = 0;
  let tokens = url.includes("access_token=") ? 2 : 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name?.length === 13 && name.toLowerCase() === "authorization") tokens++;
  }
  return hosts > 1 || tokens > 1;
}

/**
 * The address with dot segments and backslashes of its path escaped, so that they name nothing. Parsers of URLs resolve them
 * otherwise, and a proxy that lets through by the beginning of a path would see another address than the one that answers.
 */
function keepDots(url: string): string {
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  if (!/\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path)) return url;
  const kept = path
    .replaceAll("\\", "%5C")
    .replace(/(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi, (dots) => dots.replace(/\.|%2e/gi, "%252E"));
  return end < 0 ? kept : kept + url.slice(end);
}

const OTHER_HOST = new CairnError(
  "INVALID_REQUEST",
  "The URL of the request names another host than its header `Host`.",
);

/** As Node answers a request that has no Host, or with what is wrong. */
function refuse(response: ServerResponse, error?: CairnError): void {
  const problem = error && JSON.stringify(toProblemBody(toErrorBody(error, "")));
  const type = problem === undefined ? {} : { "content-type": "application/problem+json" };
  const length = Buffer.byteLength(problem ?? "");
  response.writeHead(400, { connection: "close", ...type, "content-length": length }).end(problem);
}
