import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { words } from "#words/work.ts";
import { rightsIn } from "../../service/tools.ts";
import { type TaskDetail, taskDetail } from "../../service/work.ts";
import { Badge } from "../../parts/badge.tsx";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { useVersion } from "../../parts/version-field.tsx";
import { QuestionForm } from "./question-form.tsx";

/** A task: what is to be reached, where it stands, and its latest run. */
export default function TaskPage() {
  const { task = "" } = useParams();
  const version = useVersion();
  const { data, error, isError, refetch } = useQuery(taskDetail(version, task));
  const rights = useQuery(rightsIn(version));
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
          <Asked {...data} />
          {data.status === "pending" && data.question !== undefined && (
            <QuestionForm
              task={task}
              version={version}
              question={data.question}
              mayAnswer={rights.data?.tools.includes("task_answer") === true}
            />
          )}
          {data.needs_worker !== undefined && (
            <section className="part">
              <h2>{words.needsWorker}</h2>
              <Text block>{data.needs_worker}</Text>
            </section>
          )}
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
      <CommandBox
        commands={[
          `cairn work status ${toArgument(task)} --agent ${toArgument(version)}`,
          ...(data?.question === undefined
            ? []
            : [`cairn work answer ${toArgument(task)} <letter> --agent ${toArgument(version)}`]),
        ]}
      />
    </>
  );
}

/** The objective, with what its creator has answered about it. */
function Asked({ objective, answers }: Pick<TaskDetail, "objective" | "answers">) {
  return (
    <section className="part">
      <h2>{words.asked}</h2>
      <Text block>{objective}</Text>
      {answers?.map(({ text, reading, answered_at: at }) => (
        <p key={at} className="quiet">
          <span>
            {words.answered} <Text>{reading ?? text}</Text>
          </span>
          <Time at={at} />
        </p>
      ))}
    </section>
  );
}
