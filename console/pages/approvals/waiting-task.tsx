import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { words } from "#words/approvals.ts";
import type { Task, WaitingCallShown } from "../../service/answers.ts";
import { evidence, runReport } from "../../service/work.ts";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { RunBody } from "../../parts/run-body.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";
import { DecisionForm } from "./decision-form.tsx";

/** The workflow of calls that wait; others are changes. */
const CALL = "@approval";

interface Props {
  readonly task: Task;
  /** The version whose work server is asked. */
  readonly version: string;
  readonly tools: readonly string[];
  readonly onDecided: (said: string) => void;
}

/** A change or a call that waits, with what it would do, and the form of who may decide. */
export function WaitingTask({ task, version, tools, onDecided }: Props) {
  const { title, created_by: by, timestamps, run_id: run } = task;
  if (run === null) return null;
  return (
    <li className="card">
      <h2>
        <Text>{title}</Text>
      </h2>
      <p className="quiet">
        <span>
          {words.by} <Text>{by}</Text>
        </span>
        <Time at={timestamps.created_at} />
        <Link href={`/console/work/runs/${run}?${new URLSearchParams({ version })}`}>
          {words.run} <span className="unseen">({title})</span>
        </Link>
      </p>
      {task.workflow === CALL
        ? tools.includes("artifact_read") && <WaitingCall task={task.task_id} run={run} version={version} />
        : tools.includes("run_report") && <WaitingRun run={run} version={version} />}
      {tools.includes("approval_write") && (
        <DecisionForm task={task.task_id} run={run} title={title} version={version} onDecided={onDecided} />
      )}
    </li>
  );
}

/** A call: what runs is what stands here. */
function WaitingCall({
  task,
  run,
  version,
}: {
  readonly task: string;
  readonly run: string;
  readonly version: string;
}) {
  const { data, error, isError } = useQuery(evidence(version, task, run, "call.json"));
  if (isError) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  const { caller, tool, version: of, input, approval } = JSON.parse(data) as WaitingCallShown;
  return (
    <dl className="facts">
      <dt>{words.tool}</dt>
      <dd>
        <Text>{`${tool} (${of})`}</Text>
      </dd>
      <dt>{words.caller}</dt>
      <dd>
        <Text>{caller}</Text>
      </dd>
      <dt>{words.approver}</dt>
      <dd>
        <Text>{words.whoDecides(approval.by)}</Text>
      </dd>
      <dt>{words.until}</dt>
      <dd>
        <Time at={approval.expires_at} />
      </dd>
      <dt>{words.input}</dt>
      <dd>
        <code>
          <Text block>{JSON.stringify(input, undefined, 2)}</Text>
        </code>
      </dd>
    </dl>
  );
}

/** A change: the checks and steps that made it wait first, then all of its run. */
function WaitingRun({ run, version }: { readonly run: string; readonly version: string }) {
  const { data, error, isError } = useQuery(runReport(version, run));
  if (isError) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  const { steps, checks } = data.tried;
  const reasons = [
    ...steps.flatMap(({ status, message }) => (status === "blocked" && message !== null ? [message] : [])),
    ...checks.flatMap(({ by, passed, name, message = name }) => (by === "gate" && !passed ? [message] : [])),
  ];
  return (
    <>
      <h3>{words.why}</h3>
      <ul>
        {[...new Set(reasons)].map((reason) => (
          <li key={reason}>
            <Text block>{reason}</Text>
          </li>
        ))}
      </ul>
      <h3>{words.asked}</h3>
      <Text block>{data.asked.objective}</Text>
      <details open>
        <summary>{words.details}</summary>
        <RunBody report={data} version={version} />
      </details>
    </>
  );
}
