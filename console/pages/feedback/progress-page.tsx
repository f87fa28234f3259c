import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useParams } from "wouter";
import { words } from "#words/feedback.ts";
import type { ArchitectFeedback } from "../../service/answers.ts";
import { feedbackStatus } from "../../service/feedback.ts";
import { rightsIn } from "../../service/tools.ts";
import { taskDetail } from "../../service/work.ts";
import { Badge } from "../../parts/badge.tsx";
import { CommandBox } from "../../parts/command-box.tsx";
import { EvidenceList } from "../../parts/evidence-list.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Journal } from "../../parts/journal.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { Answer } from "./answer.tsx";

/** Milliseconds between two looks at the evidence while it grows; each is a call that the log keeps. */
const LOOK = 3_000;
const STAGES = ["received", "approval", "proposing", "checks", "landed", "ended"] as const;

/** The progress of feedback, while it is worked on and afterwards: its stage, its answer, the change and the evidence. */
export default function ProgressPage() {
  const { version = "", id = "" } = useParams();
  const { data, error, isError, refetch } = useQuery(feedbackStatus(version, id));
  return (
    <>
      <Heading>{words.progressTitle}</Heading>
      {isError && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !isError && <Loading />}
      {data !== undefined && <Progress feedback={data} />}
      <CommandBox
        commands={[
          `cairn work status ${toArgument(id)} --agent ${toArgument(version)}`,
          ...(data?.offered ?? []).map(
            ({ id: letter }) => `cairn feedback ${toArgument(`yes ${id} ${letter}`)} --agent ${toArgument(version)}`,
          ),
          ...(data?.offered === undefined ? [`cairn feedback "..." --agent ${toArgument(version)}`] : []),
        ]}
      />
    </>
  );
}

function Progress({ feedback }: { readonly feedback: ArchitectFeedback }) {
  const { status, stage, doing, version, dry_run: isDry, created_at: at, proposal, commit } = feedback;
  const tools = useQuery(rightsIn(commit)).data?.tools ?? [];
  return (
    <>
      <p>
        <Badge state={feedback.answer?.result ?? status} />{" "}
        {isDry && <span className="badge">{words.dryRunShort}</span>}
      </p>
      <dl className="facts">
        <dt>{words.about}</dt>
        <dd>
          <Text>{version}</Text>
        </dd>
        <dt>{words.sentAt}</dt>
        <dd>
          <Time at={at} />
        </dd>
        {proposal !== undefined && (
          <>
            <dt>{words.proposal}</dt>
            <dd>
              <Text>{words.proposed(proposal.version, proposal.base)}</Text> <Text>{proposal.url ?? ""}</Text>
            </dd>
          </>
        )}
      </dl>
      {stage !== undefined && (
        <ol className="stages" aria-label={words.stages}>
          {STAGES.map((one) => (
            <li key={one} aria-current={one === stage ? "step" : undefined}>
              {words.stage[one]}
            </li>
          ))}
        </ol>
      )}
      <p role="status">
        <Text>{doing ?? ""}</Text>
      </p>
      {status === "waiting" && (
        <p>
          <Link href={`/console/approvals?version=${commit}`}>{words.waits}</Link>
        </p>
      )}
      <Answer feedback={feedback} />
      {tools.includes("task_status") && <Work feedback={feedback} tools={tools} />}
    </>
  );
}

/** The task of the feedback: what was asked, what changed, and what happened. */
function Work({ feedback, tools }: { readonly feedback: ArchitectFeedback; readonly tools: readonly string[] }) {
  const { task_id: task, run_id: run, commit, status } = feedback;
  const isEnded = status === "ended";
  const { data, refetch } = useQuery({ ...taskDetail(commit, task), refetchInterval: isEnded ? false : LOOK });
  // Its end leaves the last of the evidence.
  useEffect(() => {
    if (isEnded) void refetch();
  }, [isEnded, refetch]);
  const pieces = Object.entries(data?.run?.artifacts ?? {}).map(([name, { bytes }]) => ({ name, bytes }));
  return (
    <>
      {data !== undefined && (
        <section className="part">
          <h2>{words.asked}</h2>
          <Text block>{data.objective}</Text>
        </section>
      )}
      {run !== undefined && pieces.length > 0 && tools.includes("artifact_read") && (
        <section className="part">
          <h2>{words.evidence}</h2>
          <EvidenceList version={commit} task={task} run={run} pieces={pieces} />
        </section>
      )}
      {run !== undefined && tools.includes("run_events") && (
        <section className="part">
          <h2>{words.events}</h2>
          <Journal key={run} version={commit} run={run} />
        </section>
      )}
    </>
  );
}
