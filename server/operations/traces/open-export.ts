import type { AttributeValue } from "@opentelemetry/api";
import type { TraceConfig } from "../../config/config-traces.ts";
import { readTraceHeaders } from "../../config/config-traces.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Log } from "../../log/log.ts";
import type { EndedSpan } from "./create-tracer.ts";

/** Sends spans away in the background. */
export interface TraceExport {
  add(span: EndedSpan): void;
  /** Sends what is left, for at most `LAST_MS`. */
  close(): Promise<void>;
}

export interface TraceExportOptions {
  readonly config: TraceConfig;
  /** Release of Cairn, which spans and their resource name. */
  readonly release: string;
  readonly log: Log;
  readonly fetch?: typeof fetch;
}

/** Spans that wait. More are lost, because memory must not grow with a receiver that is gone. */
const MAX_QUEUE = 4096;
const MAX_BATCH = 512;
/** Milliseconds between exports, and the longest pause after failures. */
const INTERVAL_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** Milliseconds for the last export of a service that ends. */
const LAST_MS = 2_000;
/** Answers after which a batch is sent again. Source: OTLP/HTTP, "Retryable response codes". */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Opens the export of spans by OTLP/HTTP in JSON. Calls never wait for it: spans are queued, the oldest batch is tried again with
 * growing pauses, and a full queue loses new spans. The log has one warning when exports begin to fail, and one line when they work again.
 * @throws UNAVAILABLE, BAD_REQUEST where the headers cannot be loaded or read.
 */
export async function openTraceExport(options: TraceExportOptions): Promise<TraceExport> {
  const { config, log } = options;
  const send = createSend(options, await loadHeaders(config));
  const queue: EndedSpan[] = [];
  let [lost, failures, isClosed] = [0, 0, false];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function plan(): void {
    if (isClosed || timer !== undefined || sending !== undefined || queue.length === 0) return;
    const pause =
      queue.length >= MAX_BATCH && failures === 0 ? 0 : Math.min(INTERVAL_MS * 2 ** failures, LONGEST_PAUSE_MS);
    timer = setTimeout(() => {
      timer = undefined;
      sending = exportBatch(config.timeoutMs).finally(() => {
        sending = undefined;
        plan();
      });
    }, pause).unref();
  }

  async function exportBatch(timeoutMs: number): Promise<void> {
    const batch = queue.slice(0, MAX_BATCH);
    const problem = await send(batch, timeoutMs);
    if (problem === undefined) {
      queue.splice(0, batch.length);
      if (failures > 0) log.info({ lost }, "traces are exported again");
      [failures, lost] = [0, 0];
      return;
    }
    if (!problem.isRetryable) lost += queue.splice(0, batch.length).length;
    if (failures === 0) {
      const { reason } = problem;
      log.warn({ url: config.url, reason }, "traces cannot be exported; calls are not affected, and this is said once");
    }
    failures += 1;
  }

  return Object.freeze<TraceExport>({
    add(span) {
      if (queue.length < MAX_QUEUE) queue.push(span);
      else lost += 1;
      plan();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      const end = performance.now() + LAST_MS;
      while (queue.length > 0 && failures === 0 && performance.now() < end) await exportBatch(end - performance.now());
    },
  });
}

async function loadHeaders({ headers }: TraceConfig): Promise<Readonly<Record<string, string>>> {
  if (headers === undefined) return {};
  const name = "OTEL_EXPORTER_OTLP_HEADERS";
  const read = readTraceHeaders(await loadReferencedSecret(name, headers));
  if (read !== undefined) return read;
  throw new CairnError("BAD_REQUEST", `${name} names a text that is not of the form \`name=value,name=value\`.`);
}

interface Problem {
  readonly reason: string;
  readonly isRetryable: boolean;
}

function createSend(
  { config, release, fetch: ask = fetch }: TraceExportOptions,
  headers: Readonly<Record<string, string>>,
) {
  const resource = {
    attributes: [toAttribute("service.name", config.serviceName), toAttribute("service.version", release)],
  };
  const scope = { name: "cairn", version: release };
  return async (spans: readonly EndedSpan[], timeoutMs: number): Promise<Problem | undefined> => {
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(toSpan) }] }] });
    try {
      const response = await ask(config.url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        redirect: "error",
        signal: AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs))),
      });
      const text = await response.text();
      if (response.ok) return toPartial(text);
      return { reason: `the receiver answers ${response.status}`, isRetryable: RETRYABLE.has(response.status) };
    } catch (error) {
      return { reason: toReason(error), isRetryable: true };
    }
  };
}

/** Reads how many spans a receiver refused of a batch that it took. */
function toPartial(text: string): Problem | undefined {
  const body = readObject(text);
  const partial = body?.["partialSuccess"];
  const refused = isObject(partial) ? Number(partial["rejectedSpans"] ?? 0) : 0;
  return refused > 0 ? { reason: `the receiver refuses ${refused} spans`, isRetryable: false } : undefined;
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Names the reason of a failed request. Messages of the client may quote headers, so only codes are taken. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}

/** Source: opentelemetry-proto `trace.proto`, in its JSON form: ids in hexadecimal, 64-bit integers as texts. */
function toSpan({ context, parentId, name, kind, began, ended, attributes, status }: EndedSpan) {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    ...(context.traceState === undefined ? {} : { traceState: context.traceState.serialize() }),
    flags: context.traceFlags,
    name,
    // The API counts from 0, the protocol from 1.
    kind: kind + 1,
    startTimeUnixNano: toNanoseconds(began),
    endTimeUnixNano: toNanoseconds(ended),
    attributes: Object.entries(attributes).flatMap(([key, value]) =>
      value === undefined ? [] : [toAttribute(key, value)],
    ),
    status: { code: status.code, ...(status.message === undefined ? {} : { message: status.message }) },
  };
}

function toNanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

function toAttribute(key: string, value: AttributeValue): { readonly key: string; readonly value: object } {
  return { key, value: toValue(value) };
}

function toValue(value: AttributeValue | null | undefined): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: (value ?? []).map(toValue) } };
}
