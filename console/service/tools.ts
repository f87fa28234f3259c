import { queryOptions } from "@tanstack/react-query";
import type { Rights } from "./answers.ts";
import { ask, type RequestOptions } from "./request.ts";

/** Calls a tool of a version with the reader's own rights. */
export function callTool<Output>(
  version: string,
  tool: string,
  input: object,
  options: Pick<RequestOptions, "signal"> = {},
): Promise<Output> {
  const path = `/agent/${encodeURIComponent(version)}/api/tools/${tool}`;
  return ask<Output>(path, { ...options, method: "POST", body: input });
}

/** Rights of the reader in a version. Pages hide what is missing; the service decides. */
export function rightsIn(version: string) {
  return queryOptions({
    queryKey: ["rights", version],
    queryFn: ({ signal }) => ask<Rights>(`/agent/${encodeURIComponent(version)}/api/rights`, { signal }),
  });
}
