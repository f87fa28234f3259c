import { useQuery } from "@tanstack/react-query";
import { words } from "#words/settings.ts";
import type { Limits } from "../../service/answers.ts";
import { limits } from "../../service/service-state.ts";
import { ColumnHeads } from "../../parts/column-heads.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";

type Use = Limits["tenant"];

/** Limits of the reader's calls of a version, each with what is used of it. */
export function LimitTable({ version }: { readonly version: string }) {
  const { data, error, isError, refetch } = useQuery(limits(version));
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const parties: readonly (readonly [string, Use])[] = [
    [words.ofTenant, data.tenant],
    [words.ofActor, data.actor],
    ...data.tools.map((tool) => [tool.name, tool] as const),
  ];
  const rows = parties.filter(([, { rate, concurrency, daily_cost: cost }]) => rate ?? concurrency ?? cost);
  return (
    <section className="part">
      <h2>
        <Text>{words.limits(data.version)}</Text>
      </h2>
      {rows.length === 0 ? (
        <p>{words.noLimits}</p>
      ) : (
        <table>
          <ColumnHeads names={[words.whose, words.rate, words.concurrency, words.dailyCost]} />
          <tbody>
            {rows.map(([name, { rate, concurrency, daily_cost: cost }]) => (
              <tr key={name}>
                <th scope="row">
                  <Text>{name}</Text>
                </th>
                <td>{rate === undefined ? words.unlimited : words.left(rate.left, rate.allowed)}</td>
                <td>
                  {concurrency === undefined ? words.unlimited : words.used(concurrency.running, concurrency.allowed)}
                </td>
                <td>{cost === undefined ? words.unlimited : words.used(cost.spent, cost.allowed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
