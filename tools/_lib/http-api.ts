import type { Context, FailName, FetchInit, FetchResponse } from "../../server/host-api.ts";

/** Address that the paths of requests are below. */
const BASE_URL = "https://api.example.com";
/** Errors of a call for statuses of the API; other statuses of 400 and above are UPSTREAM_ERROR. */
const FAILURES: Readonly<Record<number, FailName>> = {
  400: "BAD_REQUEST",
  401: "FORBIDDEN",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "BAD_REQUEST",
  409: "CONFLICT",
  410: "NOT_FOUND",
  412: "CONFLICT",
  413: "BAD_REQUEST",
  415: "BAD_REQUEST",
  422: "UNPROCESSABLE",
};
const MAX_MESSAGE = 500;
/** Stands in a path for a value that is empty; no other value is written like this. */
const NO_VALUE = "{}";
/** Ends of segments, also for servers that decode a path before they split it. */
const SEPARATOR = /\/|\\|%2f|%5c/i;
/** Segments that lead to another path (WHATWG URL, 4.4): `.`, `..`, and both with encoded dots. */
const DOTS = /^(?:\.|%2e){1,2}$/i;
/** Controls and spaces, most of which addresses lose. */
const BLANKS = /[\0- ]/g;

type Values = Readonly<Record<string, unknown>>;

export interface ApiRequest {
  /** Lists are repeated: `a=1&a=2`. Members that are undefined are left out, here and below. */
  readonly query?: object;
  readonly headers?: Values;
  /** At most one of the bodies. */
  readonly json?: unknown;
  readonly form?: object;
  readonly text?: string;
  /** Media type of the body, and of the answer that is asked for. */
  readonly type?: string;
  readonly accept?: string;
  /** Address in the place of `BASE_URL`. */
  readonly base?: string;
}

/**
 * Sends a request and returns the answer; throws an error of the API as one of the call, with the API's own message. Refuses a
 * path that leads elsewhere: a caller who names a zone `..` would otherwise reach operations that its role does not grant.
 */
export async function send(
  ctx: Context,
  method: NonNullable<FetchInit["method"]>,
  target: string,
  request: ApiRequest = {},
): Promise<FetchResponse> {
  if (isStray(target)) {
    const rule = "a value in a path can be neither empty nor `.` or `..`, alone or between slashes";
    throw ctx.fail("BAD_REQUEST", `\`${target.slice(0, MAX_MESSAGE)}\` cannot be asked for: ${rule}.`);
  }
  const { query, headers = {}, accept = "application/json", base = BASE_URL } = request;
  const pairs = toPairs({ ...query });
  const url = `${base}${target}${pairs === "" ? "" : `${target.includes("?") ? "&" : "?"}${pairs}`}`;
  const body = toBody(request);
  const sent = Object.entries({ accept, ...(body && { "content-type": body.type }), ...headers });
  const reply = await ctx.fetch(url, {
    method,
    headers: Object.fromEntries(sent.flatMap(([name, value]) => (isAbsent(value) ? [] : [[name, String(value)]]))),
    ...(body && { body: body.text }),
  });
  if (reply.status < 400) return reply;
  const { status } = reply;
  const retryAfter = reply.headers["retry-after"];
  throw ctx.fail(FAILURES[status] ?? "UPSTREAM_ERROR", `The API answered ${status}: ${toMessage(reply)}`, {
    status,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Writes a path with its values encoded: path`/users/${name}`. An empty value becomes `{}`, which `send` refuses. */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  return texts.reduce((all, text, index) => all + (toSegment(values[index - 1]) || NO_VALUE) + text);
}

/** Reads an answer as JSON; one without a body is an empty object. */
export function readJson<T = Values>(reply: FetchResponse): T {
  return reply.text().trim() === "" ? ({} as T) : reply.json<T>();
}

/** Writes a list as one value of a query: `1,2`. An object becomes `name,value,name,value`. */
export function joined(value: unknown, separator = ","): string | undefined {
  if (isAbsent(value)) return undefined;
  if (Array.isArray(value)) return value.join(separator);
  return typeof value === "object" ? Object.entries(value).flat().join(separator) : String(value);
}

/** Writes an object and the objects in it as pairs: `name[member]=value`, and of lists `name[0]=value`. */
export function brackets(value: unknown, name = ""): Values {
  if (isAbsent(value)) return {};
  if (typeof value !== "object" || value === null) return { [name]: value };
  const members = Object.entries(value);
  return Object.assign(
    {},
    ...members.map(([key, one]) => brackets(one, name === "" ? key : `${name}[${key}]`)),
  ) as Values;
}

/** Writes a value as one JSON text. */
export function asJson(value: unknown): string | undefined {
  return isAbsent(value) ? undefined : JSON.stringify(value);
}

/** Finds the value of a parameter in the address of the next page, which the header `Link` has. */
export function nextInLink(reply: FetchResponse, parameter: string): string | undefined {
  const [, address] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/i.exec(reply.headers["link"] ?? "") ?? [];
  return nextInAddress(address, parameter);
}

/** Finds the value of a parameter in the address of the next page. */
export function nextInAddress(address: unknown, parameter: string): string | undefined {
  const pairs =
    String(address ?? "")
      .split("?")[1]
      ?.split("#")[0]
      ?.split("&") ?? [];
  const value = pairs.map((pair) => pair.split("=")).find(([name = ""]) => decodeURIComponent(name) === parameter)?.[1];
  return value === undefined || value === "" ? undefined : decodeURIComponent(value.replaceAll("+", " "));
}

/** Finds a part of an answer by its path; undefined where it is absent, null or empty. */
export function partOf<T = string>(value: unknown, ...steps: readonly string[]): T | undefined {
  const part = steps.reduce<unknown>((at, step) => (isAbsent(at) ? undefined : (at as Values)[step]), value);
  return isAbsent(part) || part === "" ? undefined : (part as T);
}

/** Finds where the next page begins if pages are counted: after one that is full. */
export function nextByCount(items: unknown, first: number, size: number | undefined, step: number): number | undefined {
  const count = Array.isArray(items) ? items.length : 0;
  return count > 0 && (size === undefined || count >= size) ? first + step : undefined;
}

/** Makes a number of a text that is one. */
export function toNumber(text: unknown): number | undefined {
  return isAbsent(text) || !Number.isFinite(Number(text)) ? undefined : Number(text);
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Says whether the path of a request is not the one that its texts say. */
function isStray(target: string): boolean {
  const [way = ""] = target.replaceAll(BLANKS, "").split(/[?#]/);
  return way.includes(NO_VALUE) || way.split(SEPARATOR).some((segment) => DOTS.test(segment));
}

function toSegment(value: unknown): string {
  const values = Array.isArray(value) ? value : [value];
  return values.map((one) => (isAbsent(one) ? "" : encodeURIComponent(String(one)))).join(",");
}

function toPairs(values: Values): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one): [string, unknown] => [name, one]))
    .filter(([, value]) => !isAbsent(value))
    .map(([name, value]) => {
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      return `${encodeURIComponent(name)}=${encodeURIComponent(text).replaceAll("%2C", ",")}`;
    })
    .join("&");
}

function toBody({ json, form, text, type }: ApiRequest): { readonly text: string; readonly type: string } | undefined {
  if (json !== undefined) return { text: JSON.stringify(json), type: type ?? "application/json" };
  if (form !== undefined) return { text: toPairs({ ...form }), type: type ?? "application/x-www-form-urlencoded" };
  return text === undefined ? undefined : { text, type: type ?? "text/plain" };
}

/** The API's own words: the usual members of an error in JSON, else the beginning of the text. */
function toMessage(reply: FetchResponse): string {
  const text = reply.text().trim();
  try {
    const found = findMessage(JSON.parse(text));
    if (found !== undefined) return found.slice(0, MAX_MESSAGE);
  } catch {
    // Not JSON: the text itself has to do.
  }
  return text === "" ? "no message" : text.slice(0, MAX_MESSAGE);
}

function findMessage(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (Array.isArray(value)) return findMessage(value[0]);
  if (typeof value !== "object" || value === null) return undefined;
  const names = ["message", "error_description", "detail", "error", "errors", "title", "description", "reason", "code"];
  for (const name of names) {
    const found = findMessage((value as Values)[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
