import type { Context } from "../../../server/host-api.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Milliseconds for one request, so that two in a row fit into the time limit of the tool. */
const PATIENCE = 6_000;
const REASON_LIMIT = 200;

/**
 * Asks one of Open-Meteo's services; whatever it does but answer with a JSON object ends the call with UPSTREAM_ERROR.
 * `service` is how messages call it.
 */
export async function fetchJson(ctx: Context, service: string, url: string): Promise<JsonObject> {
  const response = await ctx.fetch(url, { headers: { accept: "application/json" }, timeout: PATIENCE });
  const body = readJsonObject(response.text());
  if (!response.ok) {
    const reason = typeof body?.["reason"] === "string" ? `: ${toOneLine(body["reason"])}` : ".";
    const what = response.status === 429 ? "takes no more requests for now" : "refused the request";
    throw ctx.fail("UPSTREAM_ERROR", `${service} ${what} (HTTP ${response.status})${reason}`);
  }
  if (!body) {
    const type = response.headers["content-type"] ?? "no content type";
    throw ctx.fail("UPSTREAM_ERROR", `${service} answered with something that is not JSON (${toOneLine(type)}).`);
  }
  return body;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Another service's words, kept from breaking out of the sentence they are put into. */
function toOneLine(text: string): string {
  return text
    .slice(0, REASON_LIMIT)
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
}
