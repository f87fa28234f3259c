import type { FetchResponse } from "../../../host-api.ts";
import { deepFreeze } from "./guest-json.ts";

/** What `ctx.fetch` resolves with. */
export function toResponse(answer: { status: number; headers: Record<string, string>; body: string }): FetchResponse {
  const { status, headers, body } = answer;
  return deepFreeze<FetchResponse>({
    status,
    ok: status >= 200 && status < 300,
    headers,
    text: () => body,
    json: () => JSON.parse(body),
  });
}
