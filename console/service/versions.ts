import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { VersionDetail, VersionList } from "./answers.ts";
import { ask } from "./request.ts";

export interface ListQuery {
  readonly limit: number;
  readonly offset: number;
  /** Says whether quarantined versions, pre-releases and heads of pull requests are shown. */
  readonly all: boolean;
}

/** The versions of a page of the list, highest first. */
export function versionList({ limit, offset, all }: ListQuery) {
  const query = new URLSearchParams({ limit: `${limit}`, offset: `${offset}`, include_unstable: `${all}` });
  return queryOptions({
    queryKey: ["versions", limit, offset, all],
    queryFn: ({ signal }) => ask<VersionList>(`/versions?${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** One version, by any name that an address may have. */
export function versionDetail(name: string) {
  return queryOptions({
    queryKey: ["version", name],
    queryFn: ({ signal }) => ask<VersionDetail>(`/versions/${encodeURIComponent(name)}`, { signal }),
  });
}
