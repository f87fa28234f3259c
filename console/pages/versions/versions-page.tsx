import { useQueries, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { words } from "#words/versions.ts";
import { versionDetail, versionList } from "../../service/versions.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { layOutGraph } from "./lay-out-graph.ts";
import { VersionRow } from "./version-row.tsx";

/** Versions of one page of the list. */
const LIMIT = 25;

/** All versions as a timeline: the graph of who was made from whom, labels, tests, and why one is broken. */
export default function VersionsPage() {
  const [search, setSearch] = useSearchParams();
  const all = search.get("all") !== "false";
  const offset = Math.max(0, Number.parseInt(search.get("from") ?? "0", 10) || 0);
  const list = useQuery(versionList({ limit: LIMIT, offset, all }));
  const versions = list.data?.versions ?? [];
  const details = useQueries({ queries: versions.map(({ commit_hash }) => versionDetail(commit_hash)) });
  const rows = layOutGraph(
    versions.map(({ commit_hash: commit }, index) => {
      const parent = details[index]?.data?.parent?.commit;
      return parent === undefined ? { commit } : { commit, parent };
    }),
  );
  const width = Math.max(1, ...rows.map((row) => row.width));
  const show = (changes: Readonly<Record<string, string>>) =>
    setSearch({ ...Object.fromEntries(search), ...changes }, { replace: true });
  const total = list.data?.pagination?.total_estimate ?? versions.length;
  return (
    <>
      <Heading>{words.title}</Heading>
      <label className="choice">
        <input type="checkbox" checked={all} onChange={() => show({ all: `${!all}`, from: "0" })} />
        {words.allVersions}
      </label>
      {list.isPending && <Loading />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && (
        <>
          {list.data.labelProblem !== undefined && (
            <p className="notice" data-kind="bad">
              {words.labelProblem} <Text>{list.data.labelProblem}</Text>
            </p>
          )}
          <p className="quiet" role="status">
            {total === 0 ? words.none : words.found(versions.length, total)}
          </p>
          <ol className="timeline">
            {versions.map((version, index) => {
              const detail = details[index];
              const row = rows[index];
              return (
                detail !== undefined &&
                row !== undefined && (
                  <VersionRow key={version.commit_hash} version={version} detail={detail} row={row} width={width} />
                )
              );
            })}
          </ol>
        </>
      )}
      {total > LIMIT && (
        <nav className="pages" aria-label={words.pages}>
          <button
            type="button"
            disabled={offset === 0}
            onClick={() => show({ from: `${Math.max(0, offset - LIMIT)}` })}
          >
            {words.newer}
          </button>
          <button type="button" disabled={offset + LIMIT >= total} onClick={() => show({ from: `${offset + LIMIT}` })}>
            {words.older}
          </button>
        </nav>
      )}
      <CommandBox commands={["cairn versions --all"]} />
    </>
  );
}
