import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isUnreachable, ServiceError } from "./request.ts";
import { SESSION } from "./session.ts";

/** Milliseconds in which an answer counts as new, so that parts of a page that ask alike ask once. */
const FRESH = 10_000;
/** Milliseconds between two tries while the service does not answer. */
const AGAIN = 1_500;
const MAX_RETRIES = 2;

/**
 * Creates the cache of answers. What the service refused is not asked again: it said so. When it no longer knows the reader, the
 * console asks who that is, and has them sign in at the page where they are. What was shown to one reader is not shown to the next. While it
 * does not answer at all, what is shown stays, and is asked for until it does. The service may be on this machine, so a browser
 * without a network asks as well.
 */
export function createQueryClient(): QueryClient {
  let reader: string | undefined;
  const isOther = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== SESSION;
  const onError = (error: Error) => {
    if (!(error instanceof ServiceError) || error.problem.name !== "UNAUTHENTICATED") return;
    void client.invalidateQueries({ queryKey: [SESSION] });
  };
  const onSuccess = (data: unknown, query: { readonly queryKey: readonly unknown[] }) => {
    if (isOther(query)) return;
    const now = JSON.stringify(data);
    if (reader !== undefined && reader !== now) void client.resetQueries({ predicate: isOther });
    reader = now;
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess }),
    mutationCache: new MutationCache({ onError }),
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
  return client;
}
