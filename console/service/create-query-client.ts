import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { dropDraftOfOthers } from "./draft.ts";
import { isUnreachable, ServiceError } from "./request.ts";
import { SESSION, type Session } from "./session.ts";
import { saveShownReader } from "./shown-reader.ts";

/** Milliseconds in which an answer counts as new, so that parts of a page that ask alike ask once. */
const FRESH = 10_000;
/** Milliseconds between two tries while the service does not answer. */
const AGAIN = 1_500;
const MAX_RETRIES = 2;
/** Refusals of a reader whom the page shows, and the service does not know or no longer has. */
const OTHER: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "READER_CHANGED"]);

/**
 * Creates the cache of answers. What the service refused is not asked again: it said so. When it no longer knows the reader, or
 * knows another one, the console asks who that is, and whoever is nobody there signs in at the page where they are. What was shown to
 * one reader is not shown to the next; a reader who only goes by another name, where nobody needs a token, keeps what is shown and
 * typed until it is asked for anew. While it
 * does not answer at all, what is shown stays, and is asked for until it does. The service may be on this machine, so a browser
 * without a network asks as well.
 */
export function createQueryClient(): QueryClient {
  let reader: Session | undefined;
  const isOther = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== SESSION;
  const onError = (error: Error) => {
    if (!(error instanceof ServiceError) || !OTHER.has(error.problem.name)) return;
    void client.invalidateQueries({ queryKey: [SESSION] });
  };
  const show = (now: Session) => {
    saveShownReader(now.reader ?? "");
    if (now.ended === undefined) dropDraftOfOthers(now);
    const before = reader;
    reader = now;
    if (before === undefined || JSON.stringify(before) === JSON.stringify(now)) return;
    if (!now.signed_in) client.removeQueries({ predicate: isOther });
    else if (!before.needs_token && !now.needs_token) void client.invalidateQueries({ predicate: isOther });
    else void client.resetQueries({ predicate: isOther });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
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
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success" || isOther(event.query)) return;
    show(event.action.data as Session);
  });
  return client;
}
