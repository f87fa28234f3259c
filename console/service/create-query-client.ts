import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isUnreachable, ServiceError } from "./request.ts";
import { SESSION, type Session } from "./session.ts";

/** Milliseconds in which an answer counts as new, so that parts of a page that ask alike ask once. */
const FRESH = 10_000;
/** Milliseconds between two tries while the service does not answer. */
const AGAIN = 1_500;
const MAX_RETRIES = 2;

/**
 * Creates the cache of answers. What the service refused is not asked again: it said so. When it no longer knows the reader, the
 * console asks who that is, and has them sign in at the page where they are. What was shown to one reader is not shown to the next; who
 * only goes by another name, where nobody needs a token, keeps what is shown and typed until it is asked for anew. While it
 * does not answer at all, what is shown stays, and is asked for until it does. The service may be on this machine, so a browser
 * without a network asks as well.
 */
export function createQueryClient(): QueryClient {
  let reader: Session | undefined;
  const isOther = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== SESSION;
  const onError = (error: Error) => {
    if (!(error instanceof ServiceError) || error.problem.name !== "UNAUTHENTICATED") return;
    void client.invalidateQueries({ queryKey: [SESSION] });
  };
  const onSuccess = (data: unknown, query: { readonly queryKey: readonly unknown[] }) => {
    if (isOther(query)) return;
    const [before, now] = [reader, data as Session];
    reader = now;
    if (before === undefined || JSON.stringify(before) === JSON.stringify(now)) return;
    const isNamed = !before.needs_token && !now.needs_token;
    void (isNamed ? client.invalidateQueries({ predicate: isOther }) : client.resetQueries({ predicate: isOther }));
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
