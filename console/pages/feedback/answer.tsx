import { useState } from "react";
import { words } from "#words/feedback.ts";
import type { ArchitectFeedback } from "../../service/answers.ts";
import { createKey } from "../../service/create-key.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Text } from "../../parts/text.tsx";
import { TakeBack } from "./take-back.tsx";
import { useFeedback } from "./use-feedback.ts";

/** The answer to feedback, and what its reader can do next: choose a reading, or take it back. */
export function Answer({ feedback }: { readonly feedback: ArchitectFeedback }) {
  const { answer, error, offered = [], version } = feedback;
  if (error !== undefined) {
    return (
      <div role="alert" className="failure">
        <strong>{error.name}</strong>
        <Text block>{error.message}</Text>
      </div>
    );
  }
  if (answer === undefined) return null;
  return (
    <section className="part">
      <h2>{words.answer}</h2>
      <Text block>{answer.notes}</Text>
      {offered.length > 0 && <Readings feedback={feedback} offered={offered} />}
      {answer.result === "tuned" && !feedback.dry_run && <Undo feedback={feedback} />}
      {answer.new_version !== undefined && answer.result === "committed" && !feedback.dry_run && (
        <TakeBack before={version} made={answer.new_version} />
      )}
    </section>
  );
}

function Readings({
  feedback: { id, commit, dry_run: dryRun },
  offered,
}: {
  readonly feedback: ArchitectFeedback;
  readonly offered: NonNullable<ArchitectFeedback["offered"]>;
}) {
  const [key] = useState(createKey);
  const { mutate, isPending, isError, error } = useFeedback();
  return (
    <>
      <h3>{words.readings}</h3>
      <ul className="cards">
        {offered.map(({ id: letter, title }) => (
          <li key={letter} className="card">
            <Text block>{title}</Text>
            <ConfirmButton
              label={words.choose(letter)}
              consequence={words.willChoose(title)}
              disabled={isPending}
              onConfirm={() =>
                mutate({ version: commit, message: `yes ${id} ${letter}`, dryRun, key: `${key}-${letter}` })
              }
            />
          </li>
        ))}
      </ul>
      {isError && <Failure error={error} />}
    </>
  );
}

function Undo({ feedback: { id, commit } }: { readonly feedback: ArchitectFeedback }) {
  const [key] = useState(createKey);
  const { mutate, isPending, isError, error } = useFeedback();
  return (
    <>
      <ConfirmButton
        label={words.undo}
        consequence={words.willUndo}
        disabled={isPending}
        onConfirm={() => mutate({ version: commit, message: `Undo the change ${id}`, dryRun: false, key })}
      />
      {isError && <Failure error={error} />}
    </>
  );
}
