import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { Dispatcher, Response } from "undici";
import { CairnError } from "../../errors.ts";
import type { Revoked } from "../../versions/policy.ts";
import type { Carrier } from "./carry-secrets.ts";
import { type Target, toTarget } from "./egress.ts";
import { isPublicAddress } from "../../config/public-address.ts";
import { readBounded } from "../../text/read-bounded.ts";

/** Bytes of one response's body. */
export const FETCH_BODY_LIMIT = 4 * 1024 * 1024;
const REDIRECT_LIMIT = 5;
/** Headers for one origin alone. */
const CREDENTIALS = ["authorization", "cookie"];
/** Headers that describe a body, and so go with it. */
const OF_BODIES = ["content-encoding", "content-language", "content-location", "content-type"];

export interface FetcherOptions {
  readonly egressMap: ReadonlyMap<string, string>;
  /** Present revocations for every version; absent: none. */
  readonly revoked?: () => Revoked;
  /** Resolves names; the addresses it gives are judged before anything connects to them. */
  readonly lookup?: LookupFunction;
}

export interface FetchRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Fetched {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The one way out to the network: only to hosts of a list, and never to private addresses but those the operator maps. */
export interface Fetcher {
  /**
   * Sends one request, with the secrets of `carrier`, for as long as `signal` lets it, and follows no redirect. The caller masks
   * what comes back. Rejects with EGRESS_DENIED, or as the platform does.
   */
  send(
    request: FetchRequest,
    egress: readonly string[],
    signal: AbortSignal,
    carrier?: Pick<Carrier, "add">,
  ): Promise<Response>;
  /**
   * Sends a request, with the secrets of `carrier` to its own origin alone; neither the answer nor an error shows them. Rejects
   * with EGRESS_DENIED, UPSTREAM_TIMEOUT or UPSTREAM_ERROR.
   */
  fetch(
    request: FetchRequest,
    egress: readonly string[],
    patienceMs: number,
    signal: AbortSignal,
    carrier?: Carrier,
  ): Promise<Fetched>;
  close(): Promise<void>;
}

export function openFetcher(options: FetcherOptions): Fetcher {
  const { lookup = systemLookup as LookupFunction } = options;
  let pools: ReturnType<typeof openPools> | undefined;
  return Object.freeze<Fetcher>({
    async fetch(request, egress, patienceMs, signal, carrier = NONE) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
      pools ??= openPools(lookup);
      const { fetch, mapped, guarded } = await pools;
      const { url, ...first } = request;
      // The last one asked; a redirect may have led elsewhere.
      let host = "";
      const send: Send = (target, sent) => {
        host = target.url.host;
        return fetch(target.actual, {
          ...sent,
          redirect: "manual",
          signal: limited,
          dispatcher: (target.mapped ? mapped : guarded) as Dispatcher,
        });
      };
      try {
        const response = await follow(url, first, egress, options, send, carrier);
        // A header that is named after a secret is left out: no other name would be right.
        const named = [...response.headers].filter(([name]) => carrier.mask(name) === name);
        const headers = named.map(([name, value]) => [name, carrier.mask(value)] as const);
        return {
          status: response.status,
          headers: Object.fromEntries(headers),
          body: carrier.mask(await readBody(response)),
        };
      } catch (error) {
        throw withoutSecrets(toCairnError(error, host, patienceMs), carrier);
      }
    },
    async send({ url, ...request }, egress, signal, carrier = NONE) {
      const target = toTarget(url, egress, options);
      if (!target.mapped) refusePrivateLiteral(target.actual);
      pools ??= openPools(lookup);
      const { fetch, mapped, guarded } = await pools;
      const dispatcher = target.mapped ? mapped : guarded;
      const { actual, headers } = carrier.add(target, request.headers);
      return fetch(actual, { ...request, headers, redirect: "manual", signal, dispatcher });
    },
    close: async () => {
      const { guarded, mapped } = (await pools) ?? {};
      await Promise.all([guarded?.destroy(), mapped?.destroy()]);
    },
  });
}

/**
 * Opens two pools, so that a connection the operator allowed to a private address is never reused for a tool's own choice.
 * Their library is loaded with the first request: most services never send one.
 */
async function openPools(lookup: LookupFunction) {
  const { Agent, fetch } = await import("undici");
  // HTTP/1.1 only: while undici still asks a host for HTTP/2, one request that fails before it connects ends all later
  // ones to that host, of every tenant.
  const guarded = new Agent({ allowH2: false, connect: { lookup: publicOnly(lookup) } });
  const mapped = new Agent({ allowH2: false });
  return { fetch, guarded, mapped };
}

/** The carrier of requests without secrets. */
const NONE: Carrier = Object.freeze({
  add: ({ actual }: Target, headers: Sent["headers"]) => ({ actual, headers }),
  mask: (text: string) => text,
});

/** An error whose text quotes a redirect may have a secret in it, and its cause may have the whole request. */
function withoutSecrets(error: CairnError, carrier: Carrier): CairnError {
  return carrier === NONE ? error : new CairnError(error.name, carrier.mask(error.message));
}

type Sent = Omit<FetchRequest, "url">;
type Send = (target: Target, request: Sent) => Promise<Response>;

/**
 * Sends and follows redirects by hand: each hop must pass the same checks as the first request. Once one has led to another
 * host, port or scheme, no later hop has the secrets, not even one that leads back: the other host would choose what is done
 * with them.
 */
async function follow(
  first: string,
  request: Sent,
  egress: readonly string[],
  options: FetcherOptions,
  send: Send,
  carrier: Carrier,
): Promise<Response> {
  let target = toTarget(first, egress, options);
  let current = request;
  let carried = carrier;
  for (let hops = 0; ; hops++) {
    if (!target.mapped) refusePrivateLiteral(target.actual);
    const { actual, headers } = carried.add(target, current.headers);
    const response = await send({ ...target, actual }, { ...current, headers });
    const location = response.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    if (hops === REDIRECT_LIMIT) {
      throw new CairnError("UPSTREAM_ERROR", `\`${target.url.host}\` redirected more than ${REDIRECT_LIMIT} times.`);
    }
    const next = toTarget(URL.parse(location, target.url.href) ?? location, egress, options);
    const isSameOrigin = next.url.origin === target.url.origin;
    if (!isSameOrigin) carried = NONE;
    if (!isSameOrigin && carrier.mask(location) !== location) throw createLeak(target, next);
    current = redirected(current, response.status, isSameOrigin);
    target = next;
  }
}

function createLeak({ url }: Target, next: Target): CairnError {
  const message = `\`${url.host}\` redirected to \`${next.url.host}\` with a secret in the address, so that was not followed.`;
  return new CairnError("UPSTREAM_ERROR", message);
}

/** The Fetch standard's rules (HTTP-redirect fetch): when the method changes, and which headers must not travel on. */
function redirected({ method, headers, body }: Sent, status: number, sameOrigin: boolean): Sent {
  const toGet = (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  const dropped = new Set([...(sameOrigin ? [] : CREDENTIALS), ...(toGet ? OF_BODIES : [])]);
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name.toLowerCase())));
  if (toGet) return { method: "GET", headers: kept };
  return body === undefined ? { method, headers: kept } : { method, headers: kept, body };
}

async function readBody(response: Response): Promise<string> {
  const text = await readBounded(response, FETCH_BODY_LIMIT);
  if (text !== undefined) return text;
  throw new CairnError("UPSTREAM_ERROR", `The answer is larger than the ${FETCH_BODY_LIMIT} bytes a tool may fetch.`);
}

function toCairnError(error: unknown, host: string, patience: number): CairnError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof CairnError) return cause;
    if (cause.name === "TimeoutError") {
      return new CairnError("UPSTREAM_TIMEOUT", `\`${host}\` did not answer within ${Math.round(patience)} ms.`);
    }
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return new CairnError(
    "UPSTREAM_ERROR",
    `\`${host}\` could not be reached${typeof code === "string" ? ` (${code})` : ""}.`,
    { cause: error },
  );
}

/** Judges the very addresses that will be connected to, so a name cannot resolve differently a moment later. */
function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [];
      const bad = addresses.find(({ address }) => !isPublicAddress(address));
      if (bad || addresses.length === 0) return callback(notPublic(hostname), []);
      if (options.all) return callback(null, addresses);
      const [{ address, family } = { address: "", family: 4 }] = addresses;
      return callback(null, address, family);
    });
  };
}

/** Connecting to an address written as such asks no name server, so it is judged here. */
function refusePrivateLiteral({ hostname }: URL): void {
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) && !isPublicAddress(literal)) throw notPublic(hostname);
}

function notPublic(hostname: string): CairnError {
  return new CairnError("EGRESS_DENIED", `\`ctx.fetch\`: \`${hostname}\` is not an address of the public internet.`);
}
