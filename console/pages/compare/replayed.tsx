import { useQuery } from "@tanstack/react-query";
import { words } from "#words/compare.ts";
import type { Replays, VersionDifference } from "../../service/answers.ts";
import { replays } from "../../service/replays.ts";
import { Badge } from "../../parts/badge.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** Results of recorded calls of the first version with the second one. */
export function Replayed({ from, to }: Pick<VersionDifference, "from" | "to">) {
  const { data, error, isError, isPending, refetch } = useQuery(replays(from.commit, to.commit));
  return (
    <section>
      <h2>{words.replayed}</h2>
      {isPending && <Loading />}
      {isError && <Failure error={error} retry={() => void refetch()} />}
      {data !== undefined && <Results results={data} />}
    </section>
  );
}

function Results({ results: { counts, replays: calls, truncated } }: { readonly results: Replays }) {
  const { different, same, not_compared: unclear } = counts;
  if (different + same + unclear === 0) return <p>{words.notReplayed}</p>;
  const shown = calls.filter(({ outcome }) => outcome !== "same");
  return (
    <>
      <p>{words.replayCounts(different, same, unclear)}</p>
      <ul className="findings">
        {shown.map(({ call_id: id, tool, outcome, reasons, at }) => (
          <li key={id}>
            <p className="badges">
              <Badge state={words.outcomes[outcome]} />
              <Text>{tool}</Text>
              <Time at={at} />
            </p>
            {reasons.map((reason) => (
              <Text key={reason} block>
                {reason}
              </Text>
            ))}
            <p className="limit">
              {words.call} <code>{id}</code>
            </p>
          </li>
        ))}
      </ul>
      {truncated && <p className="quiet">{words.moreReplays}</p>}
    </>
  );
}
