import { words } from "#words/tuning.ts";
import type { Experiment } from "../../service/tuning.ts";
import { Badge } from "../../parts/badge.tsx";
import { Text } from "../../parts/text.tsx";
import { Actions } from "./actions.tsx";
import { ArmTable } from "./arm-table.tsx";
import { Pictures } from "./pictures.tsx";

interface Props {
  readonly version: string;
  readonly experiment: Experiment;
  /** Tools that the reader may call. */
  readonly tools: readonly string[];
}

/** One experiment: the values in use, what is learned, why that decides or not, and what the reader may do about it. */
export function ExperimentView({ version, experiment, tools }: Props) {
  const { experiment: name, strategy, active, staging, counts, stop } = experiment;
  const { suggested, arms } = staging;
  return (
    <li className="card">
      <h2>
        <Text>{name}</Text> <Badge state={strategy} />
      </h2>
      <dl className="facts">
        <dt>{words.active}</dt>
        <dd>
          <code>
            <Text>{JSON.stringify(active.values)}</Text>
          </code>{" "}
          <Text>{words.activeWhy(active.why, active.by)}</Text>
        </dd>
        <dt>{words.suggested}</dt>
        <dd>{suggested === undefined ? words.noSuggestion : <Text>{JSON.stringify(suggested.values)}</Text>}</dd>
        {(stop.reason !== undefined || stop.stopped !== null) && (
          <>
            <dt>{words.decides}</dt>
            <dd>
              {stop.reason !== undefined && words.reason(stop.reason)}{" "}
              {stop.stopped !== null && words.stopped(stop.stopped.reason)}
            </dd>
          </>
        )}
        <dt>{words.counts}</dt>
        <dd>{words.countsOf(counts)}</dd>
      </dl>
      {arms !== undefined && <ArmTable experiment={name} arms={arms} />}
      <Leads leads={stop.leads} />
      <Search search={staging.search} />
      <Fitted fit={staging.fit} />
      <Pictures version={version} experiment={experiment} />
      <Actions version={version} experiment={experiment} tools={tools} />
    </li>
  );
}

/** By how much the leader is ahead of each arm, as far as is known. */
function Leads({ leads }: { readonly leads: Experiment["stop"]["leads"] }) {
  const known = (leads ?? []).filter((lead) => lead !== null);
  if (known.length === 0) return null;
  return (
    <>
      <h3>{words.evidence}</h3>
      <ul>
        {known.map(({ leader, over, by, interval: [low, high] }) => (
          <li key={over}>
            <Text>{words.ahead(leader, over)}</Text> {toFigure(by)} ({words.intervalOf(toFigure(low), toFigure(high))})
          </li>
        ))}
      </ul>
    </>
  );
}

function Search({ search }: { readonly search: Experiment["staging"]["search"] }) {
  if (search === undefined) return null;
  const { evaluations, generation, sigma, best } = search;
  return (
    <>
      <h3>{words.search}</h3>
      <p>{words.searchOf(evaluations, generation, sigma)}</p>
      {best !== null && (
        <p>
          {words.best}: {toFigure(best.reward)} <Text>{JSON.stringify(best.values)}</Text>
        </p>
      )}
    </>
  );
}

function Fitted({ fit }: { readonly fit: Experiment["staging"]["fit"] }) {
  if (fit === undefined || fit === null) return null;
  return (
    <>
      <h3>{words.estimates}</h3>
      <p>{words.pairs(fit.count)}</p>
      <ul>
        {Object.entries(fit.estimates).map(([name, { value, standardError }]) => (
          <li key={name}>
            <Text>{name}</Text>: {toFigure(value)} {standardError !== null && `± ${toFigure(standardError)}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function toFigure(value: number): string {
  return String(Number(value.toPrecision(3)));
}
