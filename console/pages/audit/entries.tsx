import { useInfiniteQuery } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useId } from "react";
import { useSearchParams } from "wouter";
import { words } from "#words/audit.ts";
import { auditEntries, type EntryPage } from "../../service/audit/log.ts";
import type { Head } from "../../service/audit/proofs.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Check } from "./check.tsx";
import { RecordView } from "./record-view.tsx";

/** Records that are drawn: an entry may name a thousand. */
const MAX_RECORDS = 300;
/** Pages that a search loads by itself until it has found something. */
const SEARCHED_PAGES = 40;
const TEXT = "text";

/** The newest entries with what was checked of them, and their records as far as they have the text of the address. */
export function Entries({ tenant, head }: { readonly tenant: string; readonly head: Head }) {
  const [search] = useSearchParams();
  const text = search.get(TEXT) ?? "";
  const { data, error, isError, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditEntries(tenant, head),
  );
  const pages = data?.pages ?? [];
  const all = pages.flatMap(({ records }) => records);
  const found = all.filter((record) => record.text.toLowerCase().includes(text.toLowerCase()));
  const mayGoOn = hasNextPage && text !== "" && found.length === 0 && pages.length % SEARCHED_PAGES !== 0;
  useEffect(() => {
    if (mayGoOn && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [mayGoOn, isFetchingNextPage, isError, fetchNextPage]);
  if (isPending) return <Loading />;
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <>
      <ul className="checks">
        <PageChecks pages={pages} size={head.size} />
      </ul>
      <Search key={text} text={text} />
      {found.length === 0 && <p role="status">{words.none(pages.at(-1)?.from ?? 0, mayGoOn)}</p>}
      {found.length > MAX_RECORDS && <p>{words.shown(MAX_RECORDS, found.length)}</p>}
      <ul className="cards">
        {found.slice(0, MAX_RECORDS).map((record) => (
          <RecordView key={record.id} record={record} />
        ))}
      </ul>
      {hasNextPage && (
        <BusyButton type="button" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </BusyButton>
      )}
    </>
  );
}

/** Checks of all pages that are loaded: each that does not fit, or one line for all. */
function PageChecks({ pages, size }: { readonly pages: readonly EntryPage[]; readonly size: number }) {
  const broken = pages.filter((page) => !page.isIncluded || page.broken !== undefined);
  const records = pages.flatMap((page) => page.records);
  const wrong = records.filter(({ fits }) => !fits).map(({ id }) => id);
  const removed = records.filter(({ isRemoved }) => isRemoved).length;
  return (
    <>
      {broken.map((page) => (
        <Check key={page.from} fits={false}>
          {!page.isIncluded && words.notIncluded(page.to - 1, size)}{" "}
          {page.broken !== undefined && words.chainBroken(page.broken)}
        </Check>
      ))}
      {broken.length === 0 && <Check fits>{words.chain(pages.at(-1)?.from ?? 0, (pages[0]?.to ?? 0) - 1, size)}</Check>}
      <Check fits={wrong.length === 0}>
        <Text>{wrong.length === 0 ? words.records(records.length - removed, removed) : words.recordsWrong(wrong)}</Text>
      </Check>
    </>
  );
}

function Search({ text }: { readonly text: string }) {
  const id = useId();
  const [, setSearch] = useSearchParams();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get(TEXT);
    setSearch(typeof chosen === "string" && chosen !== "" ? { [TEXT]: chosen } : {});
  };
  return (
    <form className="choice" role="search" onSubmit={submit}>
      <label htmlFor={id}>{words.text}</label>
      <input id={id} name={TEXT} defaultValue={text} autoComplete="off" spellCheck={false} />
      <button type="submit">{words.search}</button>
    </form>
  );
}
