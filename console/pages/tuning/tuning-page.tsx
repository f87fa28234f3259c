import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId } from "react";
import { useLocation, useParams } from "wouter";
import { words } from "#words/tuning.ts";
import { rightsIn } from "../../service/tools.ts";
import { experiments, TUNER } from "../../service/tuning.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { ExperimentView } from "./experiment-view.tsx";

/** The experiments of the version that the address names, and the values that calls run with. */
export default function TuningPage() {
  const { version = "latest" } = useParams();
  const rights = useQuery(rightsIn(version));
  const hasTuner = rights.data?.servers.includes(TUNER) === true;
  const names = (useQuery({ ...experiments(version), enabled: hasTuner }).data ?? []).map(
    ({ experiment }) => experiment,
  );
  return (
    <>
      <Heading>{words.title}</Heading>
      <p>{words.what}</p>
      <VersionChoice key={version} version={version} />
      {rights.isPending && <Loading />}
      {rights.isError && <Failure error={rights.error} retry={() => void rights.refetch()} />}
      {rights.data !== undefined &&
        (hasTuner ? (
          <Experiments version={version} tools={rights.data.tools} />
        ) : (
          <p role="status">{words.notShown}</p>
        ))}
      <CommandBox
        commands={[
          "cairn tune status",
          ...names.map(
            (experiment) =>
              `cairn call ${toArgument(version)} tuner.propose ${toArgument(JSON.stringify({ experiment }))}`,
          ),
        ]}
      />
    </>
  );
}

function VersionChoice({ version }: { readonly version: string }) {
  const id = useId();
  const [, navigate] = useLocation();
  const choose = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get("version");
    if (typeof chosen === "string" && chosen.trim() !== "") {
      navigate(`/console/tuning/${encodeURIComponent(chosen.trim())}`);
    }
  };
  return (
    <form className="choice" onSubmit={choose}>
      <label htmlFor={id}>{words.version}</label>
      <input
        id={id}
        name="version"
        defaultValue={version}
        required
        autoComplete="off"
        spellCheck={false}
        title={words.versionWhy}
      />
      <button type="submit">{words.show}</button>
    </form>
  );
}

function Experiments({ version, tools }: { readonly version: string; readonly tools: readonly string[] }) {
  const { data, error, isError, refetch } = useQuery(experiments(version));
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0) return <p role="status">{words.none}</p>;
  return (
    <ul className="cards">
      {data.map((one) => (
        <ExperimentView key={one.experiment} version={version} experiment={one} tools={tools} />
      ))}
    </ul>
  );
}
