import { queryOptions } from "@tanstack/react-query";
import type { Limits, Sync, Tokens } from "./answers.ts";
import { ask } from "./request.ts";

/** Scope of the figures of the service. */
export const METRICS_SCOPE = "metrics:read";
/** Milliseconds between two looks at what changes by itself. */
const LOOK = 10_000;

/** The reader's API tokens, or those of the tenant for readers of its audit log. */
export const tokens = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => ask<Tokens>("/tokens", { signal }),
});

/** The state of the repository. It needs the scope `METRICS_SCOPE`. */
export const sync = queryOptions({
  queryKey: ["sync"],
  queryFn: ({ signal }) => ask<Sync>("/sync", { signal }),
  refetchInterval: LOOK,
});

/** Limits of the reader's calls of a version, and what is used of them. */
export function limits(version: string) {
  return queryOptions({
    queryKey: ["limits", version],
    queryFn: ({ signal }) => ask<Limits>(`/agent/${encodeURIComponent(version)}/api/limits`, { signal }),
    refetchInterval: LOOK,
  });
}
