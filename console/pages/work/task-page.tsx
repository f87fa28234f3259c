import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { words } from "#words/work.ts";
import { taskDetail } from "../../service/work.ts";
import { Badge } from "../../parts/badge.tsx";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { useVersion } from "../../parts/version-field.tsx";

/** A task: what is to be reached, where it stands, and its latest run. */
export default function TaskPage() {
  const { task = "" } = useParams();
  const version = useVersion();
  const { data, error, isError, refetch } = useQuery(taskDetail(version, task));
  return (
    <>
      <Heading>{words.task}</Heading>
      {isError && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !isError && <Loading />}
      {data !== undefined && (
        <>
          <h2>
            <Text>{data.title}</Text> <Badge state={data.status} />
          </h2>
          <dl className="facts">
            <dt>{words.workflow}</dt>
            <dd>
              <Text>{data.workflow}</Text>
            </dd>
            <dt>{words.priority}</dt>
            <dd>
              <Text>{data.priority}</Text>
            </dd>
            <dt>{words.attempts}</dt>
            <dd>{data.attempts}</dd>
          </dl>
          <section className="part">
            <h2>{words.asked}</h2>
            <Text block>{data.objective}</Text>
          </section>
          {data.result_summary !== null && (
            <section className="part">
              <h2>{words.summary}</h2>
              <Text block>{data.result_summary}</Text>
            </section>
          )}
          {data.run === null ? (
            <p>{words.noRun}</p>
          ) : (
            <p>
              <Link href={`/console/work/runs/${data.run.run_id}?${new URLSearchParams({ version })}`}>
                {words.latestRun}
              </Link>
            </p>
          )}
        </>
      )}
      <CommandBox commands={[`cairn work status ${toArgument(task)} --agent ${toArgument(version)}`]} />
    </>
  );
}
