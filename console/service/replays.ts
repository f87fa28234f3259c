import { queryOptions } from "@tanstack/react-query";
import type { Replays } from "./answers.ts";
import { ask } from "./request.ts";

/** How recorded calls of one version came out with another one, as far as somebody has replayed them. */
export function replays(from: string, to: string) {
  return queryOptions({
    queryKey: ["replays", from, to],
    queryFn: ({ signal }) => ask<Replays>(`/replays?${new URLSearchParams({ from, to })}`, { signal }),
  });
}
