import type { Experiment } from "../../../versions/experiment.ts";
import type { Parameter, ParameterSet } from "../../../versions/version.ts";
import type { CmaParameter } from "../cma/parameter.ts";
import type { Values } from "./values.ts";

/** A set of parameters with an experiment, as one tenant tunes it in one version. */
export interface TunedSet {
  readonly name: string;
  readonly experiment: Experiment;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly defaults: Values;
  /** The parameters as a search of numbers sees them; empty for other strategies. */
  readonly numbers: readonly CmaParameter[];
  /** Seed of all randomness in the experiment. */
  readonly seed: string;
}

export function toTunedSet(set: ParameterSet, tenant: string, commit: string): TunedSet | undefined {
  const { name, experiment, parameters } = set;
  if (experiment === undefined) return undefined;
  return Object.freeze({
    name,
    experiment,
    parameters,
    defaults: defaultsOf(set),
    numbers: experiment.strategy.kind === "cma_es" ? [...parameters].flatMap(toNumber) : [],
    seed: JSON.stringify([commit, tenant, name]),
  });
}

/** In the order of their names, as records have them. */
export function defaultsOf({ parameters }: ParameterSet): Values {
  const sorted = [...parameters].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.freeze(Object.fromEntries(sorted.map(([name, { default: value }]) => [name, value])));
}

function toNumber([name, parameter]: readonly [string, Parameter]): readonly CmaParameter[] {
  if (parameter.type === "categorical") return [];
  const { type, min, max, scale, step = type === "int" && scale === "linear" ? 1 : null } = parameter;
  return [{ name, low: min, high: max, scale, step }];
}
