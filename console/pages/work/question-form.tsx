import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { words } from "#words/work.ts";
import { answerTask, type TaskDetail } from "../../service/work.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Failure } from "../../parts/failure.tsx";
import { focusHeading } from "../../parts/heading.tsx";
import { Text } from "../../parts/text.tsx";

interface Props {
  readonly task: string;
  readonly version: string;
  readonly question: NonNullable<TaskDetail["question"]>;
  /** True if the reader has the tool that answers. */
  readonly mayAnswer: boolean;
}

/** A planner's question about a task, answered with one of its readings or in words. */
export function QuestionForm({ task, version, question: { text, readings }, mayAnswer }: Props) {
  const id = useId();
  const client = useQueryClient();
  const [answer, setAnswer] = useState("");
  const { mutate, isPending, isError, error } = useMutation({
    mutationFn: (given: string) => answerTask(version, task, given),
    onSuccess() {
      // What was answered goes, and the focus would go with it.
      focusHeading();
      return client.invalidateQueries();
    },
  });
  return (
    <section className="part">
      <h2>{words.asks}</h2>
      <Text block>{text}</Text>
      {!mayAnswer && <p>{words.creatorAnswers}</p>}
      <ul className="cards">
        {readings?.map(({ id: letter, title }) => (
          <li key={letter} className="card">
            <Text block>{title}</Text>
            {mayAnswer && (
              <ConfirmButton
                label={words.choose(letter)}
                consequence={words.willChoose(title)}
                disabled={isPending}
                onConfirm={() => mutate(letter)}
              />
            )}
          </li>
        ))}
      </ul>
      {mayAnswer && (
        <form
          className="fields"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isPending && answer.trim() !== "") mutate(answer);
          }}
        >
          <label htmlFor={id}>{words.inWords}</label>
          <input
            id={id}
            value={answer}
            required
            autoComplete="off"
            onChange={({ target }) => setAnswer(target.value)}
          />
          <div className="actions">
            <BusyButton type="submit" isBusy={isPending || answer.trim() === ""}>
              {words.answer}
            </BusyButton>
          </div>
        </form>
      )}
      {isError && <Failure error={error} />}
    </section>
  );
}
