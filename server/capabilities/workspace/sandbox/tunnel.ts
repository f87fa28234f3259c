import { once } from "node:events";
import { type Duplex, pipeline } from "node:stream";
import { isPublicAddress } from "../../../config/public-address.ts";
import { allowsHost } from "../../../versions/hosts.ts";
import type { Revoked } from "../../../versions/policy.ts";
import { revokesHost } from "../../../versions/revoked.ts";
import type { CommandLimits } from "../limits.ts";
import { type ConnectionLog, createConnectionLog, TOLD_CONNECTIONS } from "./connection-log.ts";
import type { Network } from "./network.ts";

/** Milliseconds for a request to arrive, and for its connection to come about. */
export const CONNECT_MS = 10_000;

export interface TrafficOptions {
  /** The hosts that may be reached, written as under `egress`. */
  readonly hosts: readonly string[];
  /** Reads what policies have revoked, as of now; absent: nothing. */
  readonly revoked?: (() => Revoked) | undefined;
  readonly limits: Pick<CommandLimits, "connections" | "networkBytes">;
  readonly network: Network;
}

/** The connections of one command, and what it has used of its limits. */
export interface Traffic extends TrafficOptions {
  readonly log: ConnectionLog;
  /** Aborts when the command has ended. */
  readonly over: AbortController;
  readonly streams: Set<Duplex>;
  /** Bytes sent and received, of all connections. */
  bytes: number;
  /** True once the command came up against a limit. */
  isLimited: boolean;
}

/** The `host:port` that a request names; no host and port 0 when it names none. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

export function createTraffic(options: TrafficOptions): Traffic {
  const log = createConnectionLog();
  return { ...options, log, over: new AbortController(), streams: new Set(), bytes: 0, isLimited: false };
}

/** Has a stream end with the traffic, and keeps its errors from ending the service. */
export function keep<Stream extends Duplex>({ streams }: Traffic, stream: Stream): Stream {
  streams.add(stream);
  return stream.on("error", () => undefined).once("close", () => streams.delete(stream));
}

export function endAll({ streams }: Traffic): void {
  for (const stream of streams) stream.destroy();
}

/** Notes a refusal, and gives the sentence that the command reads. */
export function refuse(traffic: Traffic, target: Target, reason: string): string {
  if (!traffic.log.tell({ ...target, allowed: false, reason })) traffic.isLimited = true;
  return `${target.host === "" ? "This" : `${target.host}:${target.port}`} is refused: ${reason}.\n`;
}

/**
 * Opens a tunnel from `client` to its target, or answers why not. It connects to the addresses that it has judged: a name
 * that means another address a moment later leads nowhere. `head` is what the client has sent already.
 */
export async function openTunnel(traffic: Traffic, client: Duplex, target: Target, head: Buffer): Promise<void> {
  const signal = AbortSignal.any([traffic.over.signal, AbortSignal.timeout(CONNECT_MS)]);
  const judged = await judge(traffic, target, signal);
  if ("reason" in judged) return answer(client, "403 Forbidden", refuse(traffic, target, judged.reason));
  const upstream = keep(traffic, traffic.network.connect(judged.addresses, target.port));
  try {
    await once(upstream, "connect", { signal });
  } catch {
    upstream.destroy();
    return answer(client, "502 Bad Gateway", `${target.host}:${target.port} could not be reached.\n`);
  }
  if (client.destroyed) return void upstream.destroy();
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  upstream.write(head);
  count(traffic, head.length);
  for (const stream of [client, upstream]) stream.on("data", (chunk: Buffer) => count(traffic, chunk.length));
  pipeline(client, upstream, () => undefined);
  pipeline(upstream, client, () => undefined);
}

type Addresses = Awaited<ReturnType<Network["resolve"]>>;

/** The addresses of a target that may be reached, or the reason why it may not. */
async function judge(
  traffic: Traffic,
  target: Target,
  signal: AbortSignal,
): Promise<{ readonly addresses: Addresses } | { readonly reason: string }> {
  const { hosts, revoked, limits, network, log, over } = traffic;
  const name = `${target.host}:${target.port}`;
  if (target.host === "") return { reason: "what it asks for is no `host:port`" };
  if (!hosts.some((entry) => allowsHost(entry, name))) {
    return { reason: "the policy does not name it for this command" };
  }
  if (revoked !== undefined && revokesHost(revoked(), name)) {
    return { reason: "the policies of the default branch have revoked it" };
  }
  if (traffic.bytes > limits.networkBytes) {
    return { reason: `more than ${limits.networkBytes} bytes were sent and received` };
  }
  const addresses = await before(signal, network.resolve(target.host)).catch(() => []);
  if (over.signal.aborted) return { reason: "the command ended first" };
  if (addresses.length === 0) return { reason: "its address could not be found" };
  // One is enough to refuse: which of them answers is not for the one who gave them to say.
  if (!addresses.every(({ address }) => isPublicAddress(address))) {
    return { reason: "it is not on the public internet" };
  }
  if (!log.tell({ ...target, allowed: true })) {
    return { reason: `the command has tried ${TOLD_CONNECTIONS} different connections already` };
  }
  return { addresses };
}

function answer(client: Duplex, status: string, text: string): void {
  const fields = ["Content-Type: text/plain", `Content-Length: ${Buffer.byteLength(text)}`, "Connection: close"];
  client.resume().end([`HTTP/1.1 ${status}`, ...fields, "", text].join("\r\n"));
}

function count(traffic: Traffic, length: number): void {
  traffic.bytes += length;
  if (traffic.bytes <= traffic.limits.networkBytes) return;
  traffic.isLimited = true;
  endAll(traffic);
}

/** Rejects when `signal` comes first. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
