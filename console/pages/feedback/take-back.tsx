import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { words } from "#words/feedback.ts";
import { newestVersions, toVersionName } from "../../service/versions.ts";
import { Text } from "../../parts/text.tsx";

interface Props {
  /** The version that the feedback was about. */
  readonly before: string;
  /** The version that it has made. */
  readonly made: string;
}

/** Says how a change that has landed is taken back: by each label that stands for its version, or else by a change of its own. */
export function TakeBack({ before, made }: Props) {
  const { data } = useQuery(newestVersions);
  if (data === undefined) return null;
  const of = data.versions.filter((version) => version.state === "served" && toVersionName(version) === made);
  const labels = of.flatMap((version) => version.labels);
  const toForm = (message: string) => `/console/feedback?${new URLSearchParams({ version: "latest", message })}`;
  return (
    <>
      <h3>{words.takeBack}</h3>
      <p>
        <Text>{words.keeps(before)}</Text>
      </p>
      {labels.map((label) => (
        <p key={label}>
          <Link href={toForm(words.rollBack(label, before))}>
            <Text>{words.takeBackLabel(label, before)}</Text>
          </Link>
        </p>
      ))}
      {labels.length === 0 && (
        <p>
          <Text>{words.noLabel(made)}</Text>{" "}
          <Link href={`/console/feedback?${new URLSearchParams({ version: made })}`}>{words.askOpposite}</Link>
        </p>
      )}
    </>
  );
}
