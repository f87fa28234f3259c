import { queryOptions } from "@tanstack/react-query";
import type { VersionDifference } from "./answers.ts";
import { ask } from "./request.ts";

export type Finding = VersionDifference["findings"][number];

/** Differences of two versions for those who use them, and the bump that these need. */
export function versionDifference(from: string, to: string) {
  return queryOptions({
    queryKey: ["difference", from, to],
    queryFn: ({ signal }) =>
      ask<VersionDifference>(`/versions/${encodeURIComponent(from)}...${encodeURIComponent(to)}`, { signal }),
  });
}
