import type { ServerResponse } from "node:http";
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

/** Metrics of HTTP requests. */
export interface HttpMetrics {
  /** Counts the request once its answer is sent. */
  watch(response: ServerResponse): void;
  /** Counts the stream that an answer has become for as long as it is open. */
  watchStream(response: ServerResponse): void;
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
  const streams = new Set<ServerResponse>();

  // Not made per request: `this` is the response.
  function finish(this: ServerResponse): void {
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
