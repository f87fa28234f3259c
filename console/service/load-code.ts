import type { QueryClient } from "@tanstack/react-query";
import { isUnreachable } from "./request.ts";
import { askSession } from "./session.ts";

/** Milliseconds between two looks whether the service answers again. */
const LOOK = 1_500;
/** Tries for code that a service which answers does not give. */
const TRIES = 2;

/**
 * Loads the code of a page. While the service does not answer, it waits and tries again, and `client` tells the reader so.
 * Rejects where a service that answers has no such code, as one that was updated.
 */
export async function loadCode<Code>(client: QueryClient, load: () => Promise<Code>): Promise<Code> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await load();
    } catch (error) {
      if (tries === TRIES) throw error;
      await client.fetchQuery({
        queryKey: ["code"],
        queryFn: ({ signal }) => askSession(signal),
        retry: (_, problem) => isUnreachable(problem),
        retryDelay: LOOK,
        gcTime: 0,
        staleTime: 0,
      });
    }
  }
}
