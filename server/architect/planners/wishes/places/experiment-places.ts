import type { Arm } from "../../../../versions/experiment.ts";
import type { Json } from "../../../../store/store.ts";
import type { Parameter, ParameterSet } from "../../../../versions/version.ts";
import type { KeyWord } from "../words/key-words.ts";
import { type Accepts, AMOUNT, COUNT, place, type Row, stemSet, type Thing } from "./places.ts";
import { toStems } from "../words/words.ts";

const SHARE: Accepts = { kind: "number", unit: "share" };

const KINDS = ["ucb1", "ucb1_tuned", "kl_ucb", "thompson", "sw_ucb", "d_ucb", "cma_es", "preference"];

export function toExperimentRows(set: ParameterSet, owners: ReadonlySet<string>): readonly Row[] {
  const { experiment } = set;
  if (experiment === undefined) return [];
  const at = ["experiment"];
  const thing: Thing = {
    kind: "experiment",
    id: `experiment ${set.name}`,
    label: `the experiment \`${set.name}\``,
    file: set.file,
    at,
    names: [toStems(set.name)],
    owners: new Set([...owners, ...stemSet("experiment tuning")]),
    soft: stemSet(set.description),
    nouns: new Set(["experiment", "arm"]),
    values: experiment.arms.map(({ name }) => name),
    set,
  };
  const { guardrail, stop, exploration, reward, strategy, arms } = experiment;
  const rows: readonly (readonly [KeyWord, readonly string[], Accepts, Json | undefined])[] = [
    ["kind", ["strategy", "kind"], { kind: "choice", values: KINDS }, strategy.kind],
    ["share", ["exploration", "share"], SHARE, exploration.share],
    ["floor", ["exploration", "floor"], SHARE, exploration.floor],
    [
      "assignBy",
      ["exploration", "assignBy"],
      { kind: "choice", values: ["conversation", "actor"] },
      exploration.assignBy,
    ],
    ["delta", ["stop", "delta"], SHARE, stop?.delta],
    ["epsilon", ["stop", "epsilon"], AMOUNT, stop?.epsilon === 0 ? undefined : stop?.epsilon],
    ["minSamples", ["stop", "minSamples"], COUNT, stop?.minSamples],
    ["maxSamples", ["stop", "maxSamples"], COUNT, stop?.maxSamples],
    ["promote", ["stop", "promote"], { kind: "boolean" }, stop?.promote],
    ["maxErrorRate", ["guardrail", "maxErrorRate"], SHARE, guardrail?.maxErrorRate],
    ["maxDrop", ["guardrail", "maxDrop"], SHARE, guardrail?.maxDrop],
    ["deadline", ["reward", "deadline"], { kind: "number", unit: "s", whole: true }, reward.deadline],
    ...(strategy.kind === "cma_es"
      ? ([
          ["sigma", ["strategy", "sigma"], SHARE, strategy.sigma],
          ["evaluations", ["strategy", "evaluations"], COUNT, strategy.evaluations],
        ] as const)
      : []),
  ];
  const armRows = arms.map((arm): Row => {
    const armThing: Thing = {
      kind: "arm",
      id: `arm ${set.name}/${arm.name}`,
      label: `the arm \`${arm.name}\` of \`${set.name}\``,
      file: set.file,
      at: [...at, "arms", arm.name],
      names: [toStems(arm.name)],
      owners: thing.owners,
      soft: new Set(),
      nouns: new Set(["arm", "value", "experiment"]),
      values: [],
      set,
    };
    return [armThing, []];
  });
  const valueRows = arms.flatMap((arm) =>
    [...set.parameters].map(([name, parameter]) => toArmValueRow(thing, set, arm, name, parameter)),
  );
  return [
    [thing, rows.map(([key, path, accepts, now]) => place(thing, key, path, accepts, now))],
    ...armRows,
    ...valueRows,
  ];
}

/** Makes the row of the value that one arm has for a parameter. */
function toArmValueRow(
  experiment: Thing,
  set: ParameterSet,
  { name: arm, values }: Arm,
  name: string,
  parameter: Parameter,
): Row {
  const at = [...experiment.at, "arms", arm, name];
  const thing: Thing = {
    kind: "arm",
    id: `arm ${set.name}/${arm}/${name}`,
    label: `\`${name}\` in the arm \`${arm}\` of \`${set.name}\``,
    file: set.file,
    at,
    names: [[...toStems(arm), ...toStems(name)]],
    owners: experiment.owners,
    soft: stemSet(parameter.description),
    nouns: new Set(["arm", "experiment", "value", "parameter"]),
    values: [],
    set,
  };
  const accepts: Accepts =
    parameter.type === "categorical"
      ? { kind: "choice", values: parameter.values }
      : { kind: "number", unit: "plain", ...(parameter.type === "int" ? { whole: true } : {}) };
  return [thing, [{ thing, key: "values", file: set.file, at, accepts, now: values[name], isUsual: true }]];
}
