import type { Experiment, Strategy } from "../../../../server/versions/experiment.ts";
import type { Parameter, ParameterSet } from "../../../../server/versions/version.ts";

const TONES = ["dry", "kind", "loud"];

/** A set of one parameter with three arms, as its manifest would be read. */
export function toneSet(strategy: Strategy, overrides: Partial<Experiment> = {}): ParameterSet {
  const parameters = new Map<string, Parameter>([["tone", { type: "categorical", values: TONES, default: "dry" }]]);
  return toSet(parameters, {
    strategy,
    arms: TONES.map((name) => ({ name, values: { tone: name } })),
    baseline: "dry",
    ...overrides,
  });
}

/** A set of two numbers to search for. */
export function numberSet(overrides: Partial<Experiment> = {}): ParameterSet {
  const parameters = new Map<string, Parameter>([
    ["pace", { type: "float", min: 1, max: 100, scale: "log", default: 10 }],
    ["warmth", { type: "float", min: 0, max: 1, scale: "linear", default: 0.5 }],
  ]);
  const strategy: Strategy = { kind: "cma_es", sigma: 0.25, restarts: "none", reevaluate: 0 };
  return toSet(parameters, { strategy, arms: [], ...overrides });
}

function toSet(
  parameters: ReadonlyMap<string, Parameter>,
  experiment: Pick<Experiment, "strategy" | "arms"> & Partial<Experiment>,
): ParameterSet {
  return {
    name: "style",
    file: "manifests/parameters/style.yaml",
    parameters,
    experiment: {
      reward: { range: [0, 1], optimize: "max", outOfRange: "reject", deadline: 3600, late: "drop" },
      exploration: { share: 1, floor: 0.05, assignBy: "conversation" },
      ...experiment,
    },
  };
}
