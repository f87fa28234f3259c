import { useMutation, useQueryClient } from "@tanstack/react-query";
import { words } from "#words/tuning.ts";
import { changeActive, type Experiment, type Proposal, propose } from "../../service/tuning.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Diff } from "../../parts/diff.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Text } from "../../parts/text.tsx";

interface Props {
  readonly version: string;
  readonly experiment: Experiment;
  readonly tools: readonly string[];
}

/** Proposes, promotes and reverts, as far as the reader may. */
export function Actions({ version, experiment, tools }: Props) {
  const { experiment: name, staging } = experiment;
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (tool: "tuner.promote" | "tuner.revert") => changeActive(version, tool, toInput(tool, experiment)),
    onSuccess: () => client.invalidateQueries({ queryKey: ["tuning", version] }),
  });
  const proposal = useMutation({ mutationFn: () => propose(version, name) });
  const { suggested } = staging;
  return (
    <>
      <div className="actions">
        {tools.includes("tuner.propose") && (
          <BusyButton type="button" isBusy={proposal.isPending} onClick={() => proposal.mutate()}>
            {words.propose}
          </BusyButton>
        )}
        {tools.includes("tuner.promote") && suggested !== undefined && (
          <ConfirmButton
            primary
            label={words.promote}
            consequence={words.willPromote(name, JSON.stringify(suggested.values))}
            disabled={change.isPending}
            onConfirm={() => change.mutate("tuner.promote")}
          />
        )}
        {tools.includes("tuner.revert") && (
          <ConfirmButton
            label={words.revert}
            consequence={words.willRevert(name)}
            disabled={change.isPending}
            onConfirm={() => change.mutate("tuner.revert")}
          />
        )}
      </div>
      <p role="status">
        {change.isSuccess && (change.variables === "tuner.promote" ? words.promoted(name) : words.reverted(name))}
      </p>
      {change.isError && <Failure error={change.error} />}
      {proposal.isError && <Failure error={proposal.error} />}
      {proposal.data !== undefined && <Proposed proposal={proposal.data} />}
    </>
  );
}

/** The values that the reader saw go along, so that a reward of this moment cannot promote others. */
function toInput(tool: string, { experiment, staging }: Experiment): object {
  const { arm, values } = staging.suggested ?? {};
  if (tool !== "tuner.promote") return { experiment };
  return arm === undefined ? { experiment, values } : { experiment, arm };
}

function Proposed({ proposal: { patch, feedback } }: { readonly proposal: Proposal }) {
  return (
    <section className="part">
      <h3>{words.proposal}</h3>
      {patch === undefined ? <p>{words.unchanged}</p> : <Diff text={patch} />}
      {feedback !== undefined && <Text block>{feedback}</Text>}
    </section>
  );
}
