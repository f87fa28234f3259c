import { CairnError } from "../errors.ts";
import type { Environment } from "../config.ts";

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

/** Asks the service, and turns its problem details into the error they describe. */
export async function askService(url: string, path: string): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url + path, { signal: AbortSignal.timeout(30_000) });
  } catch (error) {
    throw new CairnError("UNAVAILABLE", `No service answers at ${url}; start one with \`cairn serve\`.`, {
      cause: error,
    });
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const detail = (body as { detail?: unknown } | undefined)?.detail;
  throw new CairnError("NOT_FOUND", typeof detail === "string" ? detail : `${url}${path} answered ${response.status}.`);
}
