import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { words } from "#words/tuning.ts";
import { type Experiment, picture } from "../../service/tuning.ts";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";

type Drawing = keyof typeof words.draw;

interface Props {
  readonly version: string;
  readonly experiment: Experiment;
}

/** The pictures of an experiment, each loaded when it is opened. */
export function Pictures({ version, experiment }: Props) {
  return (
    <>
      {listDrawings(experiment).map((drawing) => (
        <Drawn key={drawing} version={version} experiment={experiment} drawing={drawing} />
      ))}
    </>
  );
}

function Drawn({ drawing, ...of }: Props & { readonly drawing: Drawing }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.draw[drawing]}</summary>
      {isOpen && <Picture drawing={drawing} {...of} />}
    </details>
  );
}

/** An image runs nothing and fetches nothing, whatever an arm is called. */
function Picture({ version, experiment, drawing }: Props & { readonly drawing: Drawing }) {
  const { experiment: name, seq } = experiment;
  const { data, error, isError, refetch } = useQuery(picture(version, `${name}-${drawing}`, seq));
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return <img className="picture" src={data} alt={words.pictureOf(words.draw[drawing], name)} />;
}

function listDrawings({ staging, stop }: Experiment): readonly Drawing[] {
  if (staging.fit !== undefined) return ["strengths"];
  if (staging.search !== undefined) return ["search-progress", "reward-delays"];
  const decision: readonly Drawing[] = stop.reason === undefined ? [] : ["stop-rule"];
  return ["arm-means", "allocation", "cumulative-reward", ...decision, "reward-delays"];
}
