import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";
import type { AtEnd } from "../helpers/temporary.ts";

const HEX = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`));
const NANOSECONDS = z.string().regex(/^[1-9]\d{17,19}$/);
const VALUE = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.unknown()) }) }),
]);
const ATTRIBUTES = z.array(z.strictObject({ key: z.string().min(1), value: VALUE }));
const SPAN = z.strictObject({
  traceId: HEX(32),
  spanId: HEX(16),
  parentSpanId: HEX(16).optional(),
  traceState: z.string().optional(),
  flags: z.int().min(0),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: NANOSECONDS,
  endTimeUnixNano: NANOSECONDS,
  attributes: ATTRIBUTES,
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
});
/** Source: opentelemetry-proto `ExportTraceServiceRequest`, in its JSON form; members that Cairn never sends are refused. */
const REQUEST = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: ATTRIBUTES }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(SPAN).min(1),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = z.infer<typeof SPAN>;

export interface OtlpStandIn {
  /** `http://127.0.0.1:<port>`, to which clients add `/v1/traces`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Names of services that the spans came from. */
  readonly services: ReadonlySet<string>;
  /** Requests so far, those that were refused included. */
  readonly requests: number;
  /** Reasons why requests were not as the protocol has them. */
  readonly faults: readonly string[];
  /** What to do instead of taking spans. */
  mode: "take" | "unavailable" | "refuse" | "partial" | "silent" | "drop";
  close(): Promise<void>;
}

/** A receiver of traces by OTLP/HTTP in JSON, which takes nothing that the protocol does not have. */
export async function startOtlp(atEnd: AtEnd, headers: Readonly<Record<string, string>> = {}): Promise<OtlpStandIn> {
  const spans: ReceivedSpan[] = [];
  const services = new Set<string>();
  const faults: string[] = [];
  const state = { requests: 0, mode: "take" as OtlpStandIn["mode"] };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    state.requests += 1;
    if (state.mode === "silent") return;
    if (state.mode === "drop") return void request.socket.destroy();
    if (state.mode === "unavailable") return void response.writeHead(503, { "retry-after": "1" }).end();
    if (state.mode === "refuse") return void response.writeHead(400).end();
    const fault = findFault(request, body);
    if (fault !== undefined) {
      faults.push(fault);
      return void response.writeHead(400).end(JSON.stringify({ code: 3, message: fault }));
    }
    for (const { resource, scopeSpans } of REQUEST.parse(JSON.parse(body)).resourceSpans) {
      const name = resource.attributes.find(({ key }) => key === "service.name")?.value;
      services.add(name !== undefined && "stringValue" in name ? name.stringValue : "");
      spans.push(...scopeSpans.flatMap((scoped) => scoped.spans));
    }
    const partialSuccess = state.mode === "partial" ? { rejectedSpans: "1", errorMessage: "too many" } : undefined;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ partialSuccess }));
  }

  function findFault(request: IncomingMessage, body: string): string | undefined {
    if (request.method !== "POST" || request.url !== "/v1/traces") return `${request.method} ${request.url}`;
    if (request.headers["content-type"] !== "application/json")
      return `content-type ${request.headers["content-type"]}`;
    const missing = Object.entries(headers).find(([name, value]) => request.headers[name] !== value);
    if (missing !== undefined) return `header ${missing[0]}`;
    return REQUEST.safeParse(JSON.parse(body)).error?.message;
  }

  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  atEnd(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    services,
    faults,
    get requests() {
      return state.requests;
    },
    get mode() {
      return state.mode;
    },
    set mode(next) {
      state.mode = next;
    },
    close,
  };
}
