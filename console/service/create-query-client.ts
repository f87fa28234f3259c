import { QueryClient } from "@tanstack/react-query";
import { isUnreachable, ServiceError } from "./request.ts";

/** Milliseconds in which an answer counts as new, so that parts of a page that ask alike ask once. */
const FRESH = 10_000;
/** Milliseconds between two tries while the service does not answer. */
const AGAIN = 1_500;
const MAX_RETRIES = 2;

/**
 * Creates the cache of answers. What the service refused is not asked again: it said so. While it does not answer at all, what is
 * shown stays, and is asked for until it does. The service may be on this machine, so a browser without a network asks as well.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH,
        networkMode: "always",
        retry: (failures, error) =>
          isUnreachable(error) || (!(error instanceof ServiceError) && failures < MAX_RETRIES),
        retryDelay: AGAIN,
      },
      mutations: { networkMode: "always" },
    },
  });
}
