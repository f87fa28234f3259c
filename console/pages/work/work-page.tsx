import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { words } from "#words/work.ts";
import { rightsIn } from "../../service/tools.ts";
import { taskList, type TaskStatus } from "../../service/work.ts";
import { Badge } from "../../parts/badge.tsx";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";
import { useVersion, VersionField } from "../../parts/version-field.tsx";

/** The tasks of the reader's tenant, newest first. */
export default function WorkPage() {
  const version = useVersion();
  const [search, setSearch] = useSearchParams();
  const status = words.statuses.find((one) => one === search.get("status"));
  const rights = useQuery(rightsIn(version));
  return (
    <>
      <Heading>{words.title}</Heading>
      <p>{words.what}</p>
      <VersionField />
      <label className="choice">
        {words.status}
        <select
          value={status ?? ""}
          onChange={({ target }) => setSearch((before) => ({ ...Object.fromEntries(before), status: target.value }))}
        >
          <option value="">{words.all}</option>
          {words.statuses.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {rights.isPending && <Loading />}
      {rights.isError && <Failure error={rights.error} retry={() => void rights.refetch()} />}
      {rights.isSuccess &&
        (rights.data.tools.includes("task_list") ? (
          <Tasks version={version} status={status} />
        ) : (
          <p role="status">{words.notShown}</p>
        ))}
      <CommandBox commands={[`cairn work list${status === undefined ? "" : ` --status ${status}`}`]} />
    </>
  );
}

function Tasks({ version, status }: { readonly version: string; readonly status: TaskStatus | undefined }) {
  const { data, error, isError, isPending, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(
    taskList(version, status),
  );
  const tasks = (data?.pages ?? []).flatMap((page) => page.tasks);
  const of = new URLSearchParams({ version });
  if (isPending) return <Loading />;
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (tasks.length === 0) return <p role="status">{words.none}</p>;
  return (
    <>
      <ul className="cards">
        {tasks.map(
          ({
            task_id: id,
            title,
            status: state,
            workflow,
            priority,
            created_by: by,
            timestamps,
            run_id: run,
            question,
          }) => (
            <li key={id} className="card">
              <h2>
                <Link href={`/console/work/tasks/${id}?${of}`}>
                  <Text>{title}</Text>
                </Link>{" "}
                <Badge state={state} />
                {state === "pending" && question !== undefined && <Badge state={words.asking} />}
              </h2>
              <p className="quiet">
                <Text>{by}</Text>
                <Time at={timestamps.created_at} />
                <Text>{workflow}</Text>
                <Text>{priority}</Text>
                {run !== null && <Link href={`/console/work/runs/${run}?${of}`}>{words.latestRun}</Link>}
              </p>
            </li>
          ),
        )}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()}>
          {words.more}
        </button>
      )}
    </>
  );
}
