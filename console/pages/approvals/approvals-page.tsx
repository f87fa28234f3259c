import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { words } from "#words/approvals.ts";
import type { Rights } from "../../service/answers.ts";
import { rightsIn } from "../../service/tools.ts";
import { approvals } from "../../service/work.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { useVersion, VersionField } from "../../parts/version-field.tsx";
import { DecisionForm } from "./decision-form.tsx";
import { WaitingTask } from "./waiting-task.tsx";

/** Changes and calls that wait for a person's word, for what reason and by whom, and the form for the word. */
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
          "cairn work waiting",
          'cairn work approve <task> <run> --reason "..."',
          'cairn work approve <task> <run> --reject --reason "..."',
        ]}
      />
    </>
  );
}

function Waiting({ version, tools }: { readonly version: string; readonly tools: Rights["tools"] }) {
  const { data, error, isError, isPending, refetch } = useQuery(approvals(version));
  const [said, setSaid] = useState("");
  const status = useRef<HTMLParagraphElement>(null);
  if (isPending) return <Loading />;
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  const { waiting, decider } = data;
  const say = (sentence: string) => {
    setSaid(sentence);
    // The card goes, and the focus would go with it.
    status.current?.focus();
  };
  const mayDecide = decider !== null && tools.includes(decider);
  return (
    <>
      <p ref={status} tabIndex={-1} role="status" className={said === "" ? undefined : "done"}>
        <Text>{said}</Text>
      </p>
      {waiting.length === 0 && <p>{words.none}</p>}
      {waiting.length > 0 && !mayDecide && <p>{words.notAllowed}</p>}
      <ul className="cards">
        {waiting.map((one) => (
          <WaitingTask key={one.task_id} waiting={one} version={version} tools={tools}>
            {mayDecide && <DecisionForm waiting={one} decider={decider} version={version} onDecided={say} />}
          </WaitingTask>
        ))}
      </ul>
    </>
  );
}
