import { Counter, type Registry } from "prom-client";

const ROUTES: readonly (readonly [string, RegExp])[] = [
  ["operations", /^\/(?:healthz|readyz|metrics)(?:\?|$)/],
  ["versions", /^\/versions(?:[/?]|$)/],
  ["rest", /^\/agent\/[^/?]+\/api\//],
  ["openapi", /^\/agent\/[^/?]+\/openapi\.json(?:\?|$)/],
  ["mcp", /^\/agent\/[^/?]+\/[^/?]+(?:\?|$)/],
  ["webhooks", /^\/webhooks(?:[/?]|$)/],
  ["agent", /^\/agent(?:[/?]|$)/],
];

/** The part of an answer that is counted, whichever way it takes. */
interface CountedResponse {
  readonly req: { readonly url?: string | undefined };
  readonly statusCode: number;
  on(event: "finish", listener: (this: CountedResponse) => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** Metrics of HTTP requests. */
export interface HttpMetrics {
  /** Counts the request once its answer is sent. */
  watch(response: CountedResponse): void;
  /** Counts the stream that an answer has become for as long as it is open. */
  watchStream(response: CountedResponse): void;
  openStreams(): number;
}

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const requests = new Counter({
    name: "cairn_http_requests_total",
    help: "HTTP requests that were answered, by kind of address and status.",
    labelNames: ["route", "status"] as const,
    registers: [registry],
  });
  const children = new Map<string, { inc(): void }>();
  const streams = new Set<CountedResponse>();

  // Not made per request: `this` is the response.
  function finish(this: CountedResponse): void {
    const route = toRoute(this.req.url ?? "");
    const key = `${route} ${this.statusCode}`;
    let child = children.get(key);
    if (child === undefined) children.set(key, (child = requests.labels(route, String(this.statusCode))));
    child.inc();
  }

  return {
    watch(response) {
      response.on("finish", finish);
    },
    watchStream(response) {
      streams.add(response);
      response.once("close", () => streams.delete(response));
    },
    openStreams: () => streams.size,
  };
}

function toRoute(url: string): string {
  for (const [route, pattern] of ROUTES) if (pattern.test(url)) return route;
  return "other";
}
