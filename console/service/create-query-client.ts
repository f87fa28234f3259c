import { QueryClient } from "@tanstack/react-query";
import { ServiceError } from "./request.ts";

/** Milliseconds in which an answer counts as new, so that parts of a page that ask alike ask once. */
const FRESH = 10_000;
const MAX_RETRIES = 2;

/** Creates the cache of answers. What the service refused is not asked again: it said so. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH,
        retry: (failures, error) => !(error instanceof ServiceError) && failures < MAX_RETRIES,
      },
    },
  });
}
