import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Duplex, pipeline } from "node:stream";
import { CairnError } from "../../../errors.ts";
import { isPublicAddress } from "../../../config/public-address.ts";
import { allowsHost } from "../../../versions/hosts.ts";
import type { Revoked } from "../../../versions/policy.ts";
import { revokesHost } from "../../../versions/revoked.ts";
import type { CommandLimits } from "../limits.ts";
import { type Connection, createConnectionLog, TOLD_CONNECTIONS } from "./connection-log.ts";
import type { Network } from "./network.ts";

export interface Proxy {
  /** Path of the Unix socket that it listens on. */
  readonly socket: string;
  /** Ends every connection, and tells what was tried; `isLimited`: whether it came up against a limit. */
  close(): Promise<{ readonly connections: readonly Connection[]; readonly isLimited: boolean }>;
}

export interface ProxyOptions {
  readonly hosts: readonly string[];
  /** What is not allowed any more all the same, as of now; absent: nothing. */
  readonly revoked?: (() => Revoked) | undefined;
  readonly limits: Pick<CommandLimits, "connections" | "networkBytes">;
  readonly network: Network;
}

interface Target {
  readonly host: string;
  readonly port: number;
}

/** Time for a request to arrive, and for its connection to come about. */
const CONNECT_MS = 10_000;
const HEADER_BYTES = 8 * 1024;
/** Of one command, one after another: a program that asks without end would keep the service from all else. */
export const ALL_CONNECTIONS = 10_000;

/**
 * An HTTP proxy for one command. It opens tunnels (CONNECT, RFC 9110, section 9.3.6) to `hosts`, which are written as
 * under `egress`, and to nothing else; what goes through them it does not read. It resolves names itself, once for each
 * tunnel, and connects to the addresses that it has judged: a name that means another address a moment later leads nowhere.
 */
export async function openProxy(options: ProxyOptions): Promise<Proxy> {
  const { hosts, revoked, limits, network } = options;
  const log = createConnectionLog();
  const over = new AbortController();
  const streams = new Set<Duplex>();
  const attempts = new Set<Promise<void>>();
  let [bytes, met] = [0, 0];
  let isLimited = false;

  function keep<T extends Duplex>(stream: T): T {
    streams.add(stream);
    return stream.on("error", () => undefined).once("close", () => streams.delete(stream));
  }

  function endAll(): void {
    for (const stream of streams) stream.destroy();
  }

  function count(length: number): void {
    bytes += length;
    if (bytes <= limits.networkBytes) return;
    isLimited = true;
    endAll();
  }

  function refuse(target: Target, reason: string): string {
    if (!log.tell({ ...target, allowed: false, reason })) isLimited = true;
    return `${target.host === "" ? "This" : `${target.host}:${target.port}`} is refused: ${reason}.\n`;
  }

  async function open(client: Duplex, target: Target, head: Buffer): Promise<void> {
    const answer = (status: string, text: string) => {
      const fields = ["Content-Type: text/plain", `Content-Length: ${Buffer.byteLength(text)}`, "Connection: close"];
      client.resume().end([`HTTP/1.1 ${status}`, ...fields, "", text].join("\r\n"));
    };
    const deny = (reason: string) => answer("403 Forbidden", refuse(target, reason));
    if (target.host === "") return deny("what it asks for is no `host:port`");
    if (!hosts.some((entry) => allowsHost(entry, `${target.host}:${target.port}`))) {
      return deny("the policy does not name it for this command");
    }
    if (revoked !== undefined && revokesHost(revoked(), `${target.host}:${target.port}`)) {
      return deny("the policies of the default branch have revoked it");
    }
    if (bytes > limits.networkBytes) return deny(`more than ${limits.networkBytes} bytes were sent and received`);
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(CONNECT_MS)]);
    const addresses = await before(signal, network.resolve(target.host)).catch(() => []);
    if (over.signal.aborted) return deny("the command ended first");
    if (addresses.length === 0) return deny("its address could not be found");
    // One is enough to refuse: which of them answers is not for the one who gave them to say.
    if (!addresses.every(({ address }) => isPublicAddress(address))) return deny("it is not on the public internet");
    if (!log.tell({ ...target, allowed: true })) {
      return deny(`the command has tried ${TOLD_CONNECTIONS} different connections already`);
    }
    const upstream = keep(network.connect(addresses, target.port));
    try {
      await once(upstream, "connect", { signal });
    } catch {
      upstream.destroy();
      return answer("502 Bad Gateway", `${target.host}:${target.port} could not be reached.\n`);
    }
    if (client.destroyed) return void upstream.destroy();
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    upstream.write(head);
    count(head.length);
    for (const stream of [client, upstream]) stream.on("data", (chunk: Buffer) => count(chunk.length));
    pipeline(client, upstream, () => undefined);
    pipeline(upstream, client, () => undefined);
  }

  const server = createServer(
    { maxHeaderSize: HEADER_BYTES, headersTimeout: CONNECT_MS, requestTimeout: CONNECT_MS },
    ({ url = "" }, response) => {
      const text = refuse(readUrl(url), "only tunnels are opened, as for `https:`");
      response.writeHead(403, { "Content-Type": "text/plain", Connection: "close" }).end(text);
    },
  );
  server.maxConnections = limits.connections;
  const meet = () => {
    met += 1;
    if (met < ALL_CONNECTIONS) return;
    isLimited = true;
    stop();
  };
  const stop = () => server.listening && server.close();
  server.on("connection", (client) => {
    keep(client);
    meet();
  });
  server.on("drop", () => {
    meet();
    isLimited = true;
    refuse(NOWHERE, `there were ${limits.connections} connections at once already`);
  });
  server.on("connect", ({ url = "" }, client, head) => {
    const attempt = open(client, readTarget(url), head)
      // Either side may be gone at any moment; that ends this connection, and nothing else.
      .catch(() => client.destroy())
      .then(() => void attempts.delete(attempt));
    attempts.add(attempt);
  });

  // Whoever comes from the sandbox is nobody; others of this machine do not get past the folder.
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
  const closed = once(server, "close");

  return {
    socket,
    async close() {
      over.abort();
      stop();
      endAll();
      while (attempts.size > 0) await Promise.all(attempts);
      await closed;
      await remove();
      return { connections: log.all(), isLimited };
    },
  };
}

const NOWHERE: Target = Object.freeze({ host: "", port: 0 });

/** The `host:port` of a CONNECT. */
function readTarget(text: string): Target {
  const [, host = "", digits = ""] = /^([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  return host === "" || port < 1 || port > 65_535 ? NOWHERE : { host: host.toLowerCase(), port };
}

function readUrl(text: string): Target {
  const url = URL.parse(text);
  return url === null ? NOWHERE : readTarget(`${url.hostname}:${url.port || 80}`);
}

/** Rejects when `signal` comes first. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
