import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { words } from "#words/approvals.ts";
import type { Approvals, WaitingCallShown } from "../../service/answers.ts";
import { evidence, runReport } from "../../service/work.ts";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { RunBody } from "../../parts/run-body.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** The workflow of calls that wait; others are changes. */
const CALL = "@approval";

interface Props {
  readonly waiting: Approvals["waiting"][number];
  /** The version whose work server is asked. */
  readonly version: string;
  readonly tools: readonly string[];
  /** The form of who may decide. */
  readonly children: ReactNode;
}

/** A change or a call that waits: who asked, for what reason it waits, and what it would do. */
export function WaitingTask({ waiting, version, tools, children }: Props) {
  const {
    title,
    created_by: by,
    since,
    run_id: run,
    task_id: task,
    workflow,
    reason,
    warnings,
    may_read: mayRead,
  } = waiting;
  return (
    <li className="card">
      <h2>
        <Text>{title}</Text>
      </h2>
      <p className="quiet">
        <span>
          {words.by} <Text>{by}</Text>
        </span>
        <Time at={since} />
        <Link href={`/console/work/runs/${run}?${new URLSearchParams({ version })}`}>
          {words.run}{" "}
          <span className="unseen">
            (<Text>{title}</Text>)
          </span>
        </Link>
      </p>
      <h3>{words.why}</h3>
      <Text block>{reason}</Text>
      {warnings.map((warning) => (
        <p key={warning} className="warning">
          <Text>{warning}</Text>
        </p>
      ))}
      {workflow === CALL
        ? tools.includes("artifact_read") && <Call mayRead={mayRead} task={task} run={run} version={version} />
        : tools.includes("run_report") && <WaitingRun run={run} version={version} />}
      {children}
    </li>
  );
}

interface CallProps {
  readonly task: string;
  readonly run: string;
  readonly version: string;
}

/** A call, for readers who may see it. For others nothing is asked: a refusal would stand in the log as their doing. */
function Call({ mayRead, ...call }: CallProps & { readonly mayRead: boolean }) {
  return mayRead ? <WaitingCall {...call} /> : <p className="quiet">{words.notYours}</p>;
}

/** A call: what runs is what stands here. */
function WaitingCall({ task, run, version }: CallProps) {
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

/** A change: what was asked, and all of its run. */
function WaitingRun({ run, version }: { readonly run: string; readonly version: string }) {
  const { data, error, isError } = useQuery(runReport(version, run));
  if (isError) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <h3>{words.asked}</h3>
      <Text block>{data.asked.objective}</Text>
      <details open>
        <summary>{words.details}</summary>
        <RunBody report={data} version={version} />
      </details>
    </>
  );
}
