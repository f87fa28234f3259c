import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useSearchParams } from "wouter";
import { words } from "#words/versions.ts";
import { hasScope, useSession } from "../../service/session.ts";
import { allUsage, AUDIT_SCOPE } from "../../service/usage.ts";
import { type GraphVersion, labelProblem, newestVersions, versionGraph } from "../../service/versions.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { groupCallers } from "./group-callers.ts";
import { layOutGraph } from "./lay-out-graph.ts";
import { toNodes } from "./to-nodes.ts";
import { VersionRow } from "./version-row.tsx";

/** Pixels of a row until it is measured. */
const HEIGHT = 110;

/** All versions as a timeline: the graph of who was made from whom, labels, tests, callers, and why one is broken. */
export default function VersionsPage() {
  const [search, setSearch] = useSearchParams();
  const all = search.get("all") !== "false";
  const graph = useInfiniteQuery(versionGraph);
  const label = useQuery(labelProblem).data ?? null;
  useNews();
  return (
    <>
      <Heading>{words.title}</Heading>
      <label className="choice">
        <input
          type="checkbox"
          checked={all}
          onChange={() => setSearch({ ...Object.fromEntries(search), all: `${!all}` }, { replace: true })}
        />
        {words.allVersions}
      </label>
      {graph.isPending && <Loading />}
      {graph.isError && <Failure error={graph.error} retry={() => void graph.refetch()} />}
      {label !== null && (
        <p className="notice" data-kind="bad">
          {words.labelProblem} <Text>{label}</Text>
        </p>
      )}
      {graph.isSuccess && (
        <Timeline
          versions={graph.data.pages.flatMap(({ versions }) => versions)}
          total={graph.data.pages[0]?.total ?? 0}
          all={all}
          onNearEnd={() => {
            if (graph.hasNextPage && !graph.isFetchingNextPage) void graph.fetchNextPage();
          }}
        />
      )}
      {graph.hasNextPage && (
        <BusyButton type="button" isBusy={graph.isFetchingNextPage} onClick={() => void graph.fetchNextPage()}>
          {words.older}
        </BusyButton>
      )}
      <CommandBox commands={["cairn versions --all", "cairn usage"]} />
    </>
  );
}

/** Loads the list anew once something was pushed or a label was moved. */
function useNews() {
  const client = useQueryClient();
  const { data } = useQuery(newestVersions);
  useEffect(() => {
    const [first] = client.getQueryData(versionGraph.queryKey)?.pages ?? [];
    if (data === undefined || first === undefined || JSON.stringify(first) === JSON.stringify(data)) return;
    void client.invalidateQueries({ queryKey: versionGraph.queryKey });
    void client.invalidateQueries({ queryKey: ["version"] });
  }, [client, data]);
}

interface TimelineProps {
  readonly versions: readonly GraphVersion[];
  readonly total: number;
  readonly all: boolean;
  readonly onNearEnd: () => void;
}

function Timeline({ versions, total, all, onNearEnd }: TimelineProps) {
  const session = useSession().data;
  const mayAudit = session !== undefined && hasScope(session, AUDIT_SCOPE);
  const usage = useQuery({ ...allUsage, enabled: mayAudit });
  const callers = useMemo(() => (usage.data === undefined ? undefined : groupCallers(usage.data.uses)), [usage.data]);
  const shown = all ? versions : versions.filter(isStable);
  const rows = layOutGraph(toNodes(shown));
  const width = rows.reduce((most, row) => Math.max(most, row.width), 1);
  return (
    <>
      <p className="quiet" role="status">
        {total === 0 ? words.none : words.found(shown.length, total)}
      </p>
      <VirtualList
        items={shown}
        toKey={({ commit_hash: commit, tag = "" }) => `${commit} ${tag}`}
        height={HEIGHT}
        label={words.title}
        className="timeline"
        onNearEnd={onNearEnd}
      >
        {(version, index, isMoving) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <VersionRow
                version={version}
                row={row}
                width={width}
                isMoving={isMoving}
                {...(callers === undefined ? {} : { callers: callers.get(version.commit_hash) ?? [] })}
              />
            )
          );
        }}
      </VirtualList>
    </>
  );
}

function isStable({ state, tags, pull_request: pull }: GraphVersion): boolean {
  return state !== "quarantined" && pull === undefined && !tags.includes("pre-release");
}
