import { infiniteQueryOptions, type InfiniteData, queryOptions } from "@tanstack/react-query";
import type { Calls, Conversation } from "./answers.ts";
import { ask } from "./request.ts";
import { toTime } from "./to-time.ts";

/** Filters of a search of calls, by the names that the service and the address of the page have for them. */
export const CALL_FILTERS = ["version", "tool", "actor", "outcome", "conversation", "text", "since", "until"] as const;
export type CallFilter = Readonly<Partial<Record<(typeof CALL_FILTERS)[number], string>>>;
export type Call = Calls["calls"][number];
/** Pages of a search as the cache has them. */
export type ListedCalls = InfiniteData<Calls, string>;

/** Calls of one request. */
const PAGE = 100;
/** Milliseconds between two looks for new calls. */
const LOOK = 2_000;

/** Calls that the reader may see, the newest first, page after page. */
export function callSearch(filter: CallFilter) {
  return infiniteQueryOptions({
    queryKey: ["calls", filter],
    queryFn: ({ signal, pageParam }) => {
      return loadCalls(filter, pageParam === "" ? {} : { cursor: pageParam }, signal);
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    staleTime: Infinity,
  });
}

/** The newest calls of a search, asked again and again. */
export function newestCalls(filter: CallFilter) {
  return queryOptions({
    queryKey: ["calls", "newest", filter],
    queryFn: ({ signal }) => loadCalls(filter, {}, signal),
    refetchInterval: LOOK,
  });
}

/**
 * Puts the newest calls before those of a search that are loaded. Where none of them is loaded there may be others in between, and
 * the list begins anew.
 */
export function withNewest(before: ListedCalls | undefined, newest: Calls): ListedCalls | undefined {
  const [first, ...others] = before?.pages ?? [];
  if (before === undefined || first === undefined) return before;
  const known = new Set(first.calls.map(({ id }) => id));
  const fresh = newest.calls.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return before;
  if (fresh.length === newest.calls.length && newest.next !== undefined) return { pages: [newest], pageParams: [""] };
  // A call that took long comes late; ids are in the order of their times.
  const calls = [...fresh, ...first.calls].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return { ...before, pages: [{ ...first, calls }, ...others] };
}

/** The query of a search as the service takes it. */
export function toQuery(filter: CallFilter): Readonly<Record<string, string>> {
  const times = (["since", "until"] as const).flatMap((name) => {
    const { [name]: time } = filter;
    return time === undefined ? [] : [[name, toTime(time)] as const];
  });
  return { ...filter, ...Object.fromEntries(times) };
}

function loadCalls(filter: CallFilter, page: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Calls> {
  return ask<Calls>(`/calls?${new URLSearchParams({ ...toQuery(filter), limit: `${PAGE}`, ...page })}`, { signal });
}

export function conversation(id: string) {
  return queryOptions({
    queryKey: ["conversation", id],
    queryFn: ({ signal }) => ask<Conversation>(`/conversations/${encodeURIComponent(id)}`, { signal }),
  });
}
