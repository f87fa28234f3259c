import type { FetchResponse } from "../../../host-api.ts";
import { deepFreeze } from "./guest-json.ts";

/** A response as it comes from the main process. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response that `ctx.fetch` resolves with. */
export function toResponse(answer: Answered): FetchResponse {
  const { status, headers, body } = answer;
  return deepFreeze<FetchResponse>({
    status,
    ok: status >= 200 && status < 300,
    headers,
    text: () => body,
    json: () => JSON.parse(body),
  });
}
