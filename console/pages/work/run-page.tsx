import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { words } from "#words/work.ts";
import { rightsIn } from "../../service/tools.ts";
import { runReport, type RunReport } from "../../service/work.ts";
import { Badge } from "../../parts/badge.tsx";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Journal } from "../../parts/journal.tsx";
import { Loading } from "../../parts/loading.tsx";
import { RunBody } from "../../parts/run-body.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { useVersion } from "../../parts/version-field.tsx";

/** A run for a reviewer: asked, planned, changed, tried, decided, live since, and its events as they happen. */
export default function RunPage() {
  const { run = "" } = useParams();
  const version = useVersion();
  const { data, error, isError, refetch } = useQuery(runReport(version, run));
  const tools = useQuery(rightsIn(version)).data?.tools ?? [];
  return (
    <>
      <Heading>{words.run}</Heading>
      {isError && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !isError && <Loading />}
      {data !== undefined && (
        <>
          <Head report={data} version={version} />
          <RunBody report={data} version={version} />
        </>
      )}
      {data !== undefined && tools.includes("run_events") && (
        <section className="part">
          <h2>{words.events}</h2>
          <Journal key={run} version={version} run={run} />
        </section>
      )}
      <CommandBox
        commands={[
          `cairn work report ${toArgument(run)} --agent ${toArgument(version)}`,
          `cairn work watch ${toArgument(run)} --agent ${toArgument(version)}`,
        ]}
      />
    </>
  );
}

function Head({ report, version }: { readonly report: RunReport; readonly version: string }) {
  const { asked, outcome, tried, workflow, task_id: task } = report;
  return (
    <>
      <h2>
        <Link href={`/console/work/tasks/${task}?${new URLSearchParams({ version })}`}>
          <Text>{asked.title}</Text>
        </Link>{" "}
        <Badge state={outcome.status} />
      </h2>
      <dl className="facts">
        <dt>{words.by}</dt>
        <dd>
          <Text>{asked.by}</Text> <Time at={asked.at} />
        </dd>
        <dt>{words.workflow}</dt>
        <dd>
          <Text>{workflow}</Text>
        </dd>
        <dt>{words.version}</dt>
        <dd>
          <Text>{tried.version}</Text> <code title={tried.commit}>{tried.commit.slice(0, 10)}</code>
        </dd>
        {outcome.ended_at !== null && (
          <>
            <dt>{words.ended}</dt>
            <dd>
              <Time at={outcome.ended_at} />
            </dd>
          </>
        )}
      </dl>
      {outcome.summary !== null && (
        <section className="part">
          <h2>{words.outcome}</h2>
          <Text block>{outcome.summary}</Text>
        </section>
      )}
      <section className="part">
        <h2>{words.asked}</h2>
        <Text block>{asked.objective}</Text>
      </section>
    </>
  );
}
