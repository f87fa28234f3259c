import { CairnError } from "../../errors.ts";
import type { Environment } from "../../config/config.ts";
import { toAuthorization } from "./service-token.ts";

/** The option that says where the running service is. */
export const URL_OPTION = {
  url: {
    type: "string",
    valueHint: "url",
    description: "Address of the running service (default: CAIRN_URL, or http://127.0.0.1 with PORT or 3000)",
  },
} as const;

export function toServiceUrl(option: string | undefined, environment: Environment): string {
  const url = option ?? environment["CAIRN_URL"] ?? `http://127.0.0.1:${environment["PORT"] ?? 3000}`;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new CairnError("BAD_REQUEST", `\`${url}\` is no http or https address of a service.`);
  }
  return url.replace(/\/+$/, "");
}

/** A running service, and the token for it. */
export interface ServiceAccess {
  readonly url: string;
  readonly token?: string | undefined;
}

/** Asks the service, with a body by POST unless `method` is given, and turns its problem details into the error they describe. */
export async function askService(
  { url, token }: ServiceAccess,
  path: string,
  body?: object,
  method: "GET" | "POST" | "PUT" | "DELETE" = body === undefined ? "GET" : "POST",
): Promise<unknown> {
  const sent = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const type = body === undefined ? {} : { "content-type": "application/json" };
  let response: Response;
  try {
    const headers = { ...toAuthorization(token), ...type };
    response = await fetch(url + path, { ...sent, headers, signal: AbortSignal.timeout(30_000) });
  } catch (error) {
    throw new CairnError("UNAVAILABLE", `No service answers at ${url}; start one with \`cairn serve\`.`, {
      cause: error,
    });
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const detail = (answer as { detail?: unknown } | undefined)?.detail;
  const refusal = toRefusal(response.status, { url, token }, detail);
  if (refusal !== undefined) throw refusal;
  const message = typeof detail === "string" ? detail : `${url}${path} answered ${response.status}.`;
  if (body === undefined || response.status === 404) throw new CairnError("NOT_FOUND", message);
  throw new CairnError(response.status >= 500 ? "UNAVAILABLE" : "CONFLICT", message);
}

/** Asks the service as `askService` does; `undefined` where it has no such address. */
export async function findAnswer(service: ServiceAccess, path: string): Promise<unknown> {
  return askService(service, path).catch((error: unknown) => {
    if (error instanceof CairnError && error.name === "NOT_FOUND") return undefined;
    throw error;
  });
}

/** Explains a 401 or 403 to the user of a command; undefined for other statuses. */
export function toRefusal(
  status: unknown,
  { url, token }: ServiceAccess,
  detail: unknown = undefined,
): CairnError | undefined {
  const said = typeof detail === "string" ? ` It says: ${detail}` : "";
  if (status === 403) return new CairnError("FORBIDDEN", `The service at ${url} does not allow this.${said}`);
  if (status !== 401) return undefined;
  const reason =
    token === undefined
      ? "wants a token; put it into CAIRN_TOKEN, or into a file for `--token-file`."
      : "does not take the token.";
  return new CairnError("UNAUTHENTICATED", `The service at ${url} ${reason}${said}`);
}
