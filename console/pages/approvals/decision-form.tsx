import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { words } from "#words/approvals.ts";
import type { Approvals } from "../../service/answers.ts";
import { toActor } from "../../service/actor.ts";
import { useSession } from "../../service/session.ts";
import { type Decision, decide } from "../../service/work.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Text } from "../../parts/text.tsx";

interface Props {
  readonly waiting: Approvals["waiting"][number];
  /** The tool that takes the decision. */
  readonly decider: string;
  readonly version: string;
  /** Called with a sentence once the service has taken the decision. */
  readonly onDecided: (said: string) => void;
}

/** A person's word on what waits: it needs a reason, and is confirmed. */
export function DecisionForm({ waiting, decider, version, onDecided }: Props) {
  const { task_id: task, run_id: run, title } = waiting;
  const id = useId();
  const client = useQueryClient();
  const session = useSession().data;
  const [reason, setReason] = useState("");
  const { mutate, isPending, isError, error } = useMutation({
    mutationFn(decision: Decision["decision"]) {
      const approver = session === undefined ? "" : toActor(session);
      return decide(version, { decider, task, run, approver, reason, decision });
    },
    onSuccess(_, decision) {
      onDecided(words.decided(title, words.decisions[decision]));
      void client.invalidateQueries();
    },
  });
  const cannot = reason.trim() === "" || isPending;
  return (
    <form className="fields" onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={id}>
        {words.reason}{" "}
        <span className="unseen">
          (<Text>{title}</Text>)
        </span>
      </label>
      <input id={id} value={reason} required autoComplete="off" onChange={({ target }) => setReason(target.value)} />
      <div className="actions">
        <ConfirmButton
          primary
          label={words.approve}
          consequence={words.willApprove(title)}
          disabled={cannot}
          onConfirm={() => mutate("approved")}
        />
        <ConfirmButton
          label={words.reject}
          consequence={words.willReject(title)}
          disabled={cannot}
          onConfirm={() => mutate("rejected")}
        />
      </div>
      {isError && <Failure error={error} />}
    </form>
  );
}
