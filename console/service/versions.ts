import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { VersionDetail, VersionList } from "./answers.ts";
import { ask, send } from "./request.ts";

export interface ListQuery {
  readonly limit: number;
  readonly offset: number;
  /** Says whether quarantined versions, pre-releases and heads of pull requests are shown. */
  readonly all: boolean;
}

/** A page of versions, and what is wrong with the labels of the default branch: file, place and reason. */
export interface ListedVersions extends VersionList {
  readonly labelProblem?: string;
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** The versions of a page of the list, highest first. */
export function versionList({ limit, offset, all }: ListQuery) {
  const query = new URLSearchParams({ limit: `${limit}`, offset: `${offset}`, include_unstable: `${all}` });
  return queryOptions({
    queryKey: ["versions", limit, offset, all],
    queryFn: async ({ signal }): Promise<ListedVersions> => {
      const response = await send(`/versions?${query}`, { signal });
      const list = (await response.json()) as VersionList;
      const problem = response.headers.get("cairn-label-problem");
      return problem === null ? list : { ...list, labelProblem: decode(problem) };
    },
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

/** Decodes what a header cannot carry as it is. */
function decode(header: string): string {
  const encoded = ENCODED.exec(header)?.[1];
  if (encoded === undefined) return header;
  return new TextDecoder().decode(Uint8Array.from(atob(encoded), (letter) => letter.codePointAt(0) ?? 0));
}
