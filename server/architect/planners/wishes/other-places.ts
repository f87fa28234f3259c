import type { Json } from "../../../store/store.ts";
import type { Arm } from "../../../versions/experiment.ts";
import type { Policy } from "../../../versions/policy.ts";
import type { Parameter, ParameterSet, Server, Version } from "../../../versions/version.ts";
import type { KeyWord } from "./key-words.ts";
import { type Accepts, type Place, stemOf, stemSet, type Thing, withoutCommon } from "./places.ts";
import { LIMITS } from "./tool-places.ts";
import { toStems } from "./words.ts";

type Row = readonly [Thing, readonly Place[]];

const TEXT: Accepts = { kind: "text" };
const AMOUNT: Accepts = { kind: "number", unit: "plain" };
const SHARE: Accepts = { kind: "number", unit: "share" };
const COUNT: Accepts = { kind: "number", unit: "plain", whole: true };

export function toAgentRow(version: Version): Row {
  const { title, description, name, defaults } = version.agent;
  const names = [["agent"], ["default"], ["tool", "all"], ["all"], ["every"], ["everyth"], ["global"]];
  const thing: Thing = {
    kind: "agent",
    id: "agent",
    label: "the agent",
    file: "manifests/agent.yaml",
    at: [],
    names,
    owners: stemSet(name, title, "default defaults all every tools tool agent"),
    soft: new Set(),
    nouns: new Set(["agent", "tool"]),
    values: [],
  };
  const limits = Object.entries(LIMITS).map(([key, unit]) =>
    place(
      thing,
      key as KeyWord,
      ["defaults", "limits", key],
      { kind: "number", unit, whole: true },
      defaults.limits[key as keyof typeof LIMITS],
    ),
  );
  return [
    thing,
    [
      place(thing, "title", ["title"], TEXT, title),
      place(thing, "description", ["description"], TEXT, description),
      ...limits,
    ],
  ];
}

export function toServerRow({ name, title, description, instructions, file }: Server): Row {
  const thing: Thing = {
    kind: "server",
    id: `server ${name}`,
    label: `the server \`${name}\``,
    file,
    at: [],
    names: [toStems(name)],
    owners: stemSet(title, "server"),
    soft: stemSet(description),
    nouns: new Set(["server"]),
    values: [],
  };
  return [
    thing,
    [
      place(thing, "title", ["title"], TEXT, title),
      place(thing, "description", ["description"], TEXT, description),
      place(thing, "instructions", ["instructions"], TEXT, instructions),
    ],
  ];
}

/** A set of parameters, its experiment and its arms. */
export function toSetRows(version: Version, set: ParameterSet): readonly Row[] {
  const readers = [...version.tools.values()].filter(({ parameters }) => parameters.includes(set.name));
  const owners = stemSet(set.name, ...readers.flatMap((tool) => [stemOf(tool), tool.title, tool.name]));
  const own: Thing = {
    kind: "set",
    id: `set ${set.name}`,
    label: `the parameters \`${set.name}\``,
    file: set.file,
    at: [],
    names: [toStems(set.name)],
    owners,
    soft: stemSet(set.description),
    nouns: new Set(["parameter"]),
    values: [],
    set,
  };
  return [
    [own, [place(own, "description", ["description"], TEXT, set.description)]],
    ...[...set.parameters].map(([name, parameter]) => toParameterRow(set, name, parameter, owners)),
    ...toExperimentRows(set, owners),
  ];
}

function toParameterRow(set: ParameterSet, name: string, parameter: Parameter, owners: ReadonlySet<string>): Row {
  const isChoice = parameter.type === "categorical";
  const values: readonly Json[] = isChoice ? parameter.values : [];
  const thing: Thing = {
    kind: "parameter",
    id: `${set.name}.${name}`,
    label: `the parameter \`${set.name}.${name}\``,
    file: set.file,
    at: ["parameters", name],
    names: [toStems(name)],
    owners,
    soft: stemSet(parameter.description, set.description),
    about: withoutCommon(stemSet(parameter.description)),
    nouns: new Set(["parameter", "value", ...(isChoice ? [] : ["field"])]),
    values,
    set,
    parameter: name,
  };
  const number: Accepts = { kind: "number", unit: "plain", ...(parameter.type === "int" ? { whole: true } : {}) };
  const usual: Place = {
    ...place(thing, "default", ["default"], isChoice ? { kind: "choice", values } : number, parameter.default),
    isUsual: true,
  };
  const rest = isChoice
    ? [place(thing, "values", ["values"], { kind: "list", of: "value" }, [...values])]
    : [
        place(thing, "min", ["min"], number, parameter.min),
        place(thing, "max", ["max"], number, parameter.max),
        place(thing, "step", ["step"], AMOUNT, parameter.step),
      ];
  return [thing, [usual, ...rest, place(thing, "description", ["description"], TEXT, parameter.description)]];
}

const KINDS = ["ucb1", "ucb1_tuned", "kl_ucb", "thompson", "sw_ucb", "d_ucb", "cma_es", "preference"];

function toExperimentRows(set: ParameterSet, owners: ReadonlySet<string>): readonly Row[] {
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
    ["epsilon", ["stop", "epsilon"], AMOUNT, stop?.epsilon],
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

/** What one arm has for a parameter. */
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

/** A policy and its roles. */
export function toPolicyRows(policy: Policy): readonly Row[] {
  const { name, file, limits } = policy;
  const thing: Thing = {
    kind: "policy",
    id: `policy ${name}`,
    label: `the policy \`${name}\``,
    file,
    at: [],
    names: [toStems(name), ["policy"]],
    owners: stemSet("policy policies allowed list"),
    soft: new Set(),
    nouns: new Set(["host", "command", "permission"]),
    values: [...policy.egress],
  };
  const places: readonly Place[] = [
    place(thing, "egress", ["egress"], { kind: "list", of: "host" }, [...policy.egress]),
    ...(["tenant", "actor"] as const).flatMap((who) => {
      const group: Thing = {
        ...thing,
        id: `${thing.id}/${who}`,
        label: `the limits of each ${who}`,
        at: ["limits", who],
        names:
          who === "actor"
            ? [["actor"], ["caller"], ["user"], ["us"], ["per", "user"]]
            : [["tenant"], ["organis"], ["customer"]],
      };
      return [
        place(group, "rate", ["rate"], COUNT, limits[who]?.rate),
        place(group, "concurrency", ["concurrency"], COUNT, limits[who]?.concurrency),
        place(group, "dailyCost", ["dailyCost"], AMOUNT, limits[who]?.dailyCost),
      ];
    }),
    place(
      thing,
      "quietDays",
      ["retirement", "quietDays"],
      { kind: "number", unit: "days", whole: true },
      policy.quietDays,
    ),
    place(thing, "self", ["approvals", "self"], { kind: "boolean" }, policy.allowsSelfApproval),
  ];
  const roles = [...policy.roles].map(([role]): Row => [
    {
      kind: "role",
      id: `role ${role}`,
      label: `the role \`${role}\``,
      file,
      at: ["roles", role],
      names: [toStems(role)],
      owners: stemSet("role"),
      soft: new Set(),
      nouns: new Set(["role", "permission"]),
      values: [],
      role,
    },
    [],
  ]);
  const groups = new Map<Thing, Place[]>([[thing, []]]);
  for (const one of places) groups.set(one.thing, [...(groups.get(one.thing) ?? []), one]);
  return [...groups, ...roles];
}

function place(thing: Thing, key: KeyWord, at: readonly string[], accepts: Accepts, now: Json | undefined): Place {
  return { thing, key, file: thing.file, at: [...thing.at, ...at], accepts, now };
}
