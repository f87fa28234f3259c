import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Calls, Conversation } from "./answers.ts";
import { ask } from "./request.ts";

/** Filters of a search of calls, by the names that the service and the address of the page have for them. */
export const CALL_FILTERS = ["version", "tool", "actor", "outcome", "conversation", "text", "since", "until"] as const;
export type CallFilter = Readonly<Partial<Record<(typeof CALL_FILTERS)[number], string>>>;
export type Call = Calls["calls"][number];

/** Calls that the reader may see, the newest first, page after page. */
export function callSearch(filter: CallFilter) {
  return infiniteQueryOptions({
    queryKey: ["calls", filter],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({ ...filter, ...(pageParam === "" ? {} : { cursor: pageParam }) });
      return ask<Calls>(`/calls?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

export function conversation(id: string) {
  return queryOptions({
    queryKey: ["conversation", id],
    queryFn: ({ signal }) => ask<Conversation>(`/conversations/${encodeURIComponent(id)}`, { signal }),
  });
}
