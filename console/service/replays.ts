import { queryOptions } from "@tanstack/react-query";
import type { Replays } from "./answers.ts";
import { ask } from "./request.ts";

/** Results of recorded calls of one version with another one, as far as they were replayed. */
export function replays(from: string, to: string) {
  return queryOptions({
    queryKey: ["replays", from, to],
    queryFn: ({ signal }) => ask<Replays>(`/replays?${new URLSearchParams({ from, to })}`, { signal }),
  });
}
