import type { Experiment, Strategy } from "../../experiment.ts";
import type { Problem } from "../../problem.ts";
import type { Parameter } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import type { Path } from "../yaml/locate.ts";
import { type ArmsContent, readArms } from "./read-arms.ts";
import type { FileRead } from "./file-read.ts";

/**
 * Content of an experiment in a manifest: the kind of its strategy, and otherwise only members that differ from the
 * defaults.
 */
export type ExperimentContent = {
  readonly strategy: Pick<Strategy, "kind"> & Partial<Strategy>;
  readonly arms?: ArmsContent;
} & {
  readonly [Part in "reward" | "exploration" | "stop" | "guardrail"]?: Partial<Experiment[Part]>;
};

type Parameters = ReadonlyMap<string, Parameter>;
type Add = (path: Path, message: string, fix: string) => void;

/** As the descriptions in `schemas/parameters.schema.json` have them. */
const REWARD = { range: [0, 1], optimize: "max", outOfRange: "reject", deadline: 259_200, late: "drop" } as const;
const EXPLORATION = { share: 0.2, floor: 0.02, assignBy: "conversation" } as const;
const STOP = { delta: 0.05, epsilon: 0, minSamples: 10, maxSamples: 10_000, promote: true };
const GUARDRAIL = { delta: 0.05 };
const STRATEGIES: Readonly<Record<Strategy["kind"], object>> = {
  ucb1: { c: 2 },
  kl_ucb: {},
  ucb1_tuned: {},
  thompson: {},
  sw_ucb: { window: 1000, xi: 0.5 },
  d_ucb: { discount: 0.9975, xi: 0.5 },
  cma_es: { sigma: 0.25, restarts: "none", reevaluate: 0 },
  preference: { model: "items", l2: 1, ties: "half", targetPrecision: 0.9 },
};

/** Parameters that a search in continuous space can have at once. */
const DIMENSION_LIMIT = 50;

export function readExperiment(
  content: ExperimentContent,
  parameters: Parameters,
  manifest: Manifest<unknown>,
): FileRead<Experiment> {
  const problems: Problem[] = [];
  const add: Add = (path, message, fix) =>
    problems.push(manifest.problem("experiment-invalid", ["experiment", ...path], message, fix));
  const strategy = { ...STRATEGIES[content.strategy.kind], ...content.strategy } as Strategy;
  const arms = takesArms(strategy) ? readArms(content.arms, parameters, add) : [];
  const baseline = arms.find(({ values }) => [...parameters].every(([name, of]) => values[name] === of.default));
  const experiment: Experiment = {
    strategy,
    arms,
    ...(baseline === undefined ? {} : { baseline: baseline.name }),
    reward: { ...REWARD, ...content.reward },
    exploration: { ...EXPLORATION, ...content.exploration },
    ...(content.stop === undefined ? {} : { stop: { ...STOP, ...content.stop } }),
    ...(content.guardrail === undefined ? {} : { guardrail: { ...GUARDRAIL, ...content.guardrail } }),
  };
  if (takesArms(strategy) && arms.length > 0 && baseline === undefined) {
    add(["arms"], "No arm has the defaults of all parameters.", "Add one, such as `default: {}`, to compare with.");
  }
  checkParameters(strategy, parameters, content, add);
  checkNumbers(experiment, add);
  return { value: Object.freeze(experiment), problems };
}

/** Checks that the strategy chooses among a finite number of combinations. */
function takesArms(strategy: Strategy): boolean {
  return strategy.kind !== "cma_es" && !(strategy.kind === "preference" && strategy.model === "features");
}

function checkParameters(
  strategy: Strategy,
  parameters: Parameters,
  { arms, stop }: ExperimentContent,
  add: Add,
): void {
  const all = [...parameters];
  if (!takesArms(strategy) && arms !== undefined) {
    add(["arms"], `\`${strategy.kind}\` does not choose among arms.`, "Remove `arms`, or choose another strategy.");
  }
  if (strategy.kind === "cma_es") {
    const odd = all.find(([, { type }]) => type === "categorical");
    if (odd) add(["strategy", "kind"], `\`cma_es\` moves numbers, but \`${odd[0]}\` is categorical.`, MOVE);
    if (all.length > DIMENSION_LIMIT) {
      add(["strategy", "kind"], `\`cma_es\` moves at most ${DIMENSION_LIMIT} numbers, not ${all.length}.`, MOVE);
    }
    if (stop !== undefined) {
      add(["stop"], "`cma_es` ends by its own reasons.", "Write `evaluations` under `strategy` to limit it.");
    }
  }
  if (strategy.kind !== "preference") return;
  if (stop !== undefined) add(["stop"], "A fit to pairs has no end.", "Remove `stop`; promote a fit when you like it.");
  const isOne = all.length === 1 && all[0]?.[1].type === "categorical";
  if (strategy.model === "items" && !isOne) {
    add(["strategy", "model"], "`items` are the values of one categorical parameter.", MOVE);
  }
  if (strategy.model === "features" && all.some(([, { type }]) => type !== "float")) {
    add(["strategy", "model"], "`features` need float parameters, their weights.", MOVE);
  }
}

const MOVE = "Move the parameter to a set of its own, or choose another strategy.";

function checkNumbers({ strategy, arms, reward, exploration, stop }: Experiment, add: Add): void {
  const [least, most] = reward.range;
  if (least >= most) {
    add(["reward", "range"], `The range from ${least} to ${most} is empty.`, "Write the smallest reward first.");
  }
  if (exploration.floor * arms.length > 1) {
    const fix = `Write at most ${Math.floor(1000 / arms.length) / 1000}.`;
    add(["exploration", "floor"], `${arms.length} arms of at least ${exploration.floor} make more than 1.`, fix);
  }
  if (strategy.kind === "sw_ucb" && strategy.window < arms.length) {
    add(
      ["strategy", "window"],
      `The window is smaller than the number of arms, ${arms.length}.`,
      "Write a larger one.",
    );
  }
  if (stop !== undefined && stop.maxSamples < stop.minSamples) {
    add(["stop", "maxSamples"], "`maxSamples` is below `minSamples`.", `Write at least ${stop.minSamples}.`);
  }
}
