import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useId } from "react";
import { Link, useSearchParams } from "wouter";
import { words } from "#words/calls.ts";
import {
  CALL_FILTERS,
  type CallFilter,
  callSearch,
  type ListedCalls,
  newestCalls,
  toQuery,
  withNewest,
} from "../../service/calls.ts";
import { toConversationAddress } from "../../parts/addresses.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { CallView } from "./call-view.tsx";

/** Pixels of a call until it is measured. */
const HEIGHT = 110;
const LIVE = "live";

/** The calls that the reader may see, searched by what the address says. */
export default function CallsPage() {
  const [search, setSearch] = useSearchParams();
  const filter = toFilter((name) => search.get(name));
  const isLive = search.get(LIVE) === "true";
  return (
    <>
      <Heading>{words.title}</Heading>
      <p>{words.what}</p>
      <Filters
        key={search.toString()}
        filter={filter}
        onSearch={(chosen) => setSearch({ ...chosen, ...toLive(isLive) })}
      />
      <label className="choice">
        <input
          type="checkbox"
          checked={isLive}
          onChange={() => setSearch({ ...filter, ...toLive(!isLive) }, { replace: true })}
        />
        {words.live}
      </label>
      {isLive && <Live filter={filter} />}
      <Found filter={filter} />
      <CommandBox
        commands={[
          `curl -H "Authorization: Bearer $CAIRN_TOKEN" "$CAIRN_URL"${toArgument(`/calls?${new URLSearchParams(toQuery(filter))}`)}`,
        ]}
      />
    </>
  );
}

function Filters({
  filter,
  onSearch,
}: {
  readonly filter: CallFilter;
  readonly onSearch: (chosen: CallFilter) => void;
}) {
  const id = useId();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    onSearch(toFilter((name) => data.get(name)));
  };
  return (
    <form className="filters" onSubmit={submit}>
      {CALL_FILTERS.map((name) => (
        <label key={name} htmlFor={`${id}-${name}`}>
          {words.filters[name]}
          <input
            id={`${id}-${name}`}
            name={name}
            defaultValue={filter[name] ?? ""}
            placeholder={words.hints[name]}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
      ))}
      <button type="submit" className="primary">
        {words.search}
      </button>
    </form>
  );
}

/** Puts new calls with their logs before the others as they come. */
function Live({ filter }: { readonly filter: CallFilter }) {
  const client = useQueryClient();
  const { data, error, isError } = useQuery(newestCalls(filter));
  useEffect(() => {
    if (data === undefined) return;
    client.setQueryData<ListedCalls>(callSearch(filter).queryKey, (before) => withNewest(before, data));
    // oxlint-disable-next-line react/exhaustive-deps -- The filter is made anew each time, and its answer is not.
  }, [client, data]);
  return isError ? <Failure error={error} /> : null;
}

function Found({ filter }: { readonly filter: CallFilter }) {
  const { data, error, isError, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    callSearch(filter),
  );
  const calls = (data?.pages ?? []).flatMap((page) => page.calls);
  if (isPending) return <Loading />;
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <>
      {calls.length === 0 && <p role="status">{words.none}</p>}
      <VirtualList
        items={calls}
        toKey={({ id }) => id}
        height={HEIGHT}
        label={words.title}
        className="cards"
        onNearEnd={() => {
          if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
        }}
      >
        {(call) => (
          <CallView call={call}>
            <Link href={toConversationAddress(call.conversation_id)}>
              {words.transcript} <span className="unseen">({call.conversation_id})</span>
            </Link>
          </CallView>
        )}
      </VirtualList>
      {hasNextPage && (
        <BusyButton type="button" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </BusyButton>
      )}
    </>
  );
}

function toLive(isLive: boolean): Readonly<Record<string, string>> {
  return isLive ? { [LIVE]: "true" } : {};
}

function toFilter(get: (name: string) => unknown): CallFilter {
  const entries = CALL_FILTERS.map((name) => [name, get(name)] as const);
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
    ),
  );
}
