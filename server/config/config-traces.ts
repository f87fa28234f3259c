import { ProxyTracerProvider, trace } from "@opentelemetry/api";
import { type ConfigReader, readNumber, readSecret } from "./config-reader.ts";
import { isSecureUrl } from "./secure-url.ts";
import type { SecretReference } from "./secret-reference.ts";
import { defined } from "../json/defined.ts";

/** Receiver of spans, and the share of calls that it gets. */
export interface TraceConfig {
  /** The whole address, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** Text of headers in the form `name=value,name=value`, with values in percent-encoding. */
  readonly headers?: SecretReference;
  readonly timeoutMs: number;
  readonly serviceName: string;
  readonly sampler: Sampler;
}

/** Share of calls that are traced. A caller's own decision comes first where `followsParent`. */
export interface Sampler {
  readonly followsParent: boolean;
  /** From 0 to 1, of trace ids. */
  readonly ratio: number;
}

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
const DEFAULT_TIMEOUT_MS = 10_000;
const LONGEST_TIMEOUT_MS = 60_000;

export const TRACE_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT:
    "Base URL of an OTLP/HTTP receiver of traces, for example `http://127.0.0.1:4318`; `/v1/traces` is added ([traces](operations.md#traces)). Default: no traces.",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:
    "The whole address of the receiver of traces, to which nothing is added; it comes before `OTEL_EXPORTER_OTLP_ENDPOINT`.",
  OTEL_EXPORTER_OTLP_HEADERS:
    "Where the headers for the receiver are, as `name=value` with commas between: `env:NAME` or `file:/path`. With headers, the endpoint must be https, except on this machine.",
  OTEL_EXPORTER_OTLP_PROTOCOL: "`http/json`, which is the default and the only one without an SDK of your own.",
  OTEL_EXPORTER_OTLP_TIMEOUT: "Milliseconds for one export, at most `60000`. Default `10000`.",
  OTEL_SERVICE_NAME: "Name of the service in traces. Default `cairn`.",
  OTEL_TRACES_SAMPLER:
    "Which calls are traced: `always_on`, `always_off`, `traceidratio`, or one of these after `parentbased_`, by which callers decide first. Default `parentbased_always_on`.",
  OTEL_TRACES_SAMPLER_ARG: "Share of calls for `traceidratio`, from `0` to `1`. Default `1`.",
} as const;

type Endpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" | "OTEL_EXPORTER_OTLP_ENDPOINT";
type TraceReader = ConfigReader<keyof typeof TRACE_VARIABLES>;

/**
 * Reads where traces go; `undefined` for nowhere. An SDK that was loaded before Cairn reads the variables itself, by its own rules,
 * so none of them is judged here.
 */
export function readTraceConfig(read: TraceReader): TraceConfig | undefined {
  const name = (["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"] as const).find(read.get);
  if (name === undefined || hasTracer()) return undefined;
  read.oneOf("OTEL_EXPORTER_OTLP_PROTOCOL", ["http/json"], "http/json");
  const headers = readSecret(read, "OTEL_EXPORTER_OTLP_HEADERS");
  const timeoutMs = readNumber(read, "OTEL_EXPORTER_OTLP_TIMEOUT") ?? DEFAULT_TIMEOUT_MS;
  if (timeoutMs > LONGEST_TIMEOUT_MS)
    read.wrong("OTEL_EXPORTER_OTLP_TIMEOUT", `it must be at most ${LONGEST_TIMEOUT_MS}`);
  return {
    url: readEndpoint(read, name, headers !== undefined) ?? "",
    ...defined({ headers }),
    timeoutMs,
    serviceName: read.get("OTEL_SERVICE_NAME") ?? "cairn",
    sampler: readSampler(read),
  };
}

/** Says whether an SDK has registered itself with OpenTelemetry's API. */
function hasTracer(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer("cairn") !== undefined;
}

/** Reads the text of headers; `undefined` for another form. */
export function readTraceHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text
    .split(",")
    .map((pair) => /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([\x21-\x7e]+(?: [\x21-\x7e]+)*)\s*$/.exec(pair));
  try {
    return Object.fromEntries(
      pairs.map((match) => {
        if (match === null) throw new URIError("no pair");
        const [, name = "", value = ""] = match;
        return [name.toLowerCase(), decodeURIComponent(value)];
      }),
    );
  } catch {
    return undefined;
  }
}

function readEndpoint({ get, wrong }: TraceReader, name: Endpoint, isSecret: boolean): string | undefined {
  const endpoint = get(name) ?? "";
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    return wrong(name, "it must be an http or https URL without user, query or fragment");
  }
  // Anyone on the way could read the credential.
  if (isSecret && !isSecureUrl(endpoint)) {
    return wrong(name, "it must be https because headers are sent there (http only for this machine)");
  }
  return name === "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" ? endpoint : `${endpoint.replace(/\/+$/, "")}/v1/traces`;
}

function readSampler({ get, wrong, oneOf }: TraceReader): Sampler {
  const name = oneOf("OTEL_TRACES_SAMPLER", SAMPLERS, "parentbased_always_on");
  const text = get("OTEL_TRACES_SAMPLER_ARG");
  const share = text === undefined ? 1 : Number(text);
  if (!(share >= 0 && share <= 1)) wrong("OTEL_TRACES_SAMPLER_ARG", "it must be a number from 0 to 1");
  const ratio = name.endsWith("always_on") ? 1 : name.endsWith("always_off") ? 0 : share;
  return { followsParent: name.startsWith("parentbased_"), ratio };
}
