import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { words } from "#words/approvals.ts";
import type { Rights } from "../../service/answers.ts";
import { rightsIn } from "../../service/tools.ts";
import { taskList } from "../../service/work.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { useVersion, VersionField } from "../../parts/version-field.tsx";
import { WaitingTask } from "./waiting-task.tsx";

/** What waits for a person's word, for what reason and by whom, and the word itself. */
export default function ApprovalsPage() {
  const version = useVersion();
  const { data, error, isError, isPending, refetch } = useQuery(rightsIn(version));
  return (
    <>
      <Heading>{words.title}</Heading>
      <p>{words.what}</p>
      <VersionField />
      {isPending && <Loading />}
      {isError && <Failure error={error} retry={() => void refetch()} />}
      {data !== undefined && <Waiting key={version} version={version} tools={data.tools} />}
      <CommandBox
        commands={[
          "cairn work list --status blocked",
          'cairn work approve <task> <run> --reason "..."',
          'cairn work approve <task> <run> --reject --reason "..."',
        ]}
      />
    </>
  );
}

function Waiting({ version, tools }: { readonly version: string; readonly tools: Rights["tools"] }) {
  const maySee = tools.includes("task_list");
  const { data, error, isError, isPending, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...taskList(version, "blocked"),
    enabled: maySee,
  });
  const [said, setSaid] = useState("");
  const tasks = (data?.pages ?? []).flatMap((page) => page.tasks);
  if (!maySee) return <p role="status">{words.notShown}</p>;
  if (isPending) return <Loading />;
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <>
      <p role="status" className={said === "" ? undefined : "done"}>
        <Text>{said}</Text>
      </p>
      {tasks.length === 0 && <p>{words.none}</p>}
      {tasks.length > 0 && !tools.includes("approval_write") && <p>{words.notAllowed}</p>}
      <ul className="cards">
        {tasks.map((task) => (
          <WaitingTask key={task.task_id} task={task} version={version} tools={tools} onDecided={setSaid} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()}>
          {words.more}
        </button>
      )}
    </>
  );
}
