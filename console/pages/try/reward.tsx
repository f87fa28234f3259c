import { useMutation, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { words } from "#words/try.ts";
import { conversation } from "../../service/calls.ts";
import { sendReward } from "../../service/tool-calls.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Json } from "../../parts/json.tsx";
import { Text } from "../../parts/text.tsx";

const QUICK = [1, 0] as const;
/** Times and milliseconds to wait for the record of a call without effects, which may follow its answer. */
const RECORD = { retry: 5, retryDelay: 200 };

/** Rewards a conversation, if it ran with tuned values; shows nothing otherwise. */
export function Reward({ version, id }: { readonly version: string; readonly id: string }) {
  const field = useId();
  const [reward, setReward] = useState("");
  const transcript = useQuery({ ...conversation(id), ...RECORD });
  const sending = useMutation({ mutationFn: (value: number) => sendReward(version, id, value) });
  const [first] = transcript.data?.calls ?? [];
  if (first === undefined || Object.keys(first.parameters).length === 0) return null;
  const isDone = sending.isPending || sending.data?.status === "success";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isDone) sending.mutate(Number(reward));
  };
  return (
    <section>
      <h3>{words.reward}</h3>
      <p>{words.rewardWhy}</p>
      <Json value={first.parameters} />
      <form className="buttons" onSubmit={submit}>
        {QUICK.map((value) => (
          <BusyButton key={value} type="button" isBusy={isDone} onClick={() => sending.mutate(value)}>
            {words.rewardOf[value]}
          </BusyButton>
        ))}
        <label htmlFor={field}>{words.rewardWith}</label>
        <input
          id={field}
          type="number"
          step="any"
          required
          value={reward}
          onChange={({ target }) => setReward(target.value)}
        />
        <BusyButton type="submit" isBusy={isDone}>
          {words.reward}
        </BusyButton>
      </form>
      <div role="status">
        {sending.data?.status === "success" && <p>{words.rewardGiven}</p>}
        {sending.data?.status === "failure" && (
          <p>
            {words.rewardNot} <Text>{sending.data.details ?? ""}</Text>
          </p>
        )}
      </div>
      {sending.isError && <Failure error={sending.error} />}
    </section>
  );
}
