import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { VersionDetail, VersionGraph } from "./answers.ts";
import { ask, send } from "./request.ts";

export type GraphVersion = VersionGraph["versions"][number];

/** Versions of one request. */
const PAGE = 100;
/** Most heads of pull requests that are proposed and found by their numbers. */
const PULL_REQUESTS = 1_000;
/** Milliseconds between two looks for what was pushed. */
const LOOK = 5_000;
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;
const PULL_REQUEST = /^pull-request-(\d+)$/;

/** All versions and heads of pull requests, highest first, page after page. */
export const versionGraph = infiniteQueryOptions({
  queryKey: ["versions", "graph"],
  queryFn: ({ signal, pageParam }) => loadGraph({ limit: `${PAGE}`, ...toCursor(pageParam) }, signal),
  initialPageParam: "",
  getNextPageParam: ({ next }) => next,
});

/** The first page, asked again and again: it differs once something was pushed or a label was moved. */
export const newestVersions = queryOptions({
  queryKey: ["versions", "newest"],
  queryFn: ({ signal }) => loadGraph({ limit: `${PAGE}` }, signal),
  refetchInterval: LOOK,
});

/** Heads of pull requests, the newest first. */
export const pullRequests = queryOptions({
  queryKey: ["versions", "pull-requests"],
  queryFn: ({ signal }) => loadGraph({ limit: `${PULL_REQUESTS}`, pull_requests: "true" }, signal),
});

/** Problem of the labels of the default branch: file, place and reason; null where there is none. */
export const labelProblem = queryOptions({
  queryKey: ["versions", "labels"],
  queryFn: async ({ signal }) => {
    const { headers } = await send("/versions?limit=0", { signal });
    const problem = headers.get("cairn-label-problem");
    return problem === null ? null : decode(problem);
  },
  refetchInterval: LOOK,
});

/** One version, by any name that an address may have. */
export function versionDetail(name: string) {
  return queryOptions({
    queryKey: ["version", name],
    queryFn: ({ signal }) => ask<VersionDetail>(`/versions/${encodeURIComponent(name)}`, { signal }),
  });
}

/** Name of a version for people, which addresses of pages take too. */
export function toVersionName({ tag, semver, version, pull_request: pull }: GraphVersion): string {
  return pull === undefined ? (tag?.slice(1) ?? semver ?? version) : `pull-request-${pull}`;
}

/** State of a version for people: one whose service has ended is not served, though it stays in its place. */
export function toState({
  state,
  deprecated,
}: Pick<GraphVersion, "state" | "deprecated">): GraphVersion["state"] | "retired" {
  return state === "served" && deprecated?.retired === true ? "retired" : state;
}

/** Reads the number of a pull request in the name of one; undefined in others. */
export function readPullRequest(name: string): number | undefined {
  const digits = PULL_REQUEST.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function loadGraph(query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<VersionGraph> {
  return ask<VersionGraph>(`/version-graph?${new URLSearchParams(query)}`, { signal });
}

function toCursor(cursor: string): Readonly<Record<string, string>> {
  return cursor === "" ? {} : { cursor };
}

/** Decodes what a header cannot carry as it is. */
function decode(header: string): string {
  const encoded = ENCODED.exec(header)?.[1];
  if (encoded === undefined) return header;
  return new TextDecoder().decode(Uint8Array.from(atob(encoded), (letter) => letter.codePointAt(0) ?? 0));
}
