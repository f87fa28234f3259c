import { queryOptions } from "@tanstack/react-query";
import type { Usage } from "./answers.ts";
import { ask } from "./request.ts";

/** Lines of one answer. */
const MOST = 1_000;

/** Callers of the reader's tenant that used a version lately. It needs the scope `AUDIT_SCOPE`. */
export function versionUsage(commit: string) {
  const query = new URLSearchParams({ version: commit });
  return queryOptions({
    queryKey: ["usage", commit],
    queryFn: ({ signal }) => ask<Usage>(`/usage?${query}`, { signal }),
  });
}

/** Callers of the reader's tenant that used any version lately. It needs the scope `AUDIT_SCOPE`. */
export const allUsage = queryOptions({
  queryKey: ["usage"],
  queryFn: ({ signal }) => ask<Usage>(`/usage?limit=${MOST}`, { signal }),
});

export const AUDIT_SCOPE = "audit:read";
