import { useQuery } from "@tanstack/react-query";
import { pullRequests, readPullRequest } from "../service/versions.ts";

interface Found {
  readonly commit?: string;
  /** True once it is known that there is none. */
  readonly isMissing?: boolean;
  readonly error?: Error;
}

/** The name of a version as addresses of the service take it: for a pull request the commit of its head. */
export function useCommit(name: string): Found {
  const number = readPullRequest(name);
  const { data, error, isError } = useQuery({ ...pullRequests, enabled: number !== undefined });
  if (number === undefined) return { commit: name };
  const head = data?.versions.find(({ pull_request: pull }) => pull === number);
  return {
    ...(head === undefined ? {} : { commit: head.commit_hash }),
    isMissing: data !== undefined && head === undefined,
    ...(isError ? { error } : {}),
  };
}
