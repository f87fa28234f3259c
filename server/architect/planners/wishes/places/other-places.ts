import type { Json } from "../../../../store/store.ts";
import type { Policy } from "../../../../versions/policy.ts";
import type { Parameter, ParameterSet, Server, Version } from "../../../../versions/version.ts";
import {
  type Accepts,
  AMOUNT,
  COUNT,
  limitPlaces,
  type Place,
  place,
  type Row,
  stemOf,
  stemSet,
  TEXT,
  type Thing,
  withoutCommon,
} from "./places.ts";
import { toExperimentRows } from "./experiment-places.ts";
import { toStems } from "../words/words.ts";

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
  return [
    thing,
    [
      place(thing, "title", ["title"], TEXT, title),
      place(thing, "description", ["description"], TEXT, description),
      ...limitPlaces(thing, ["defaults", "limits"], defaults.limits),
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

/** A policy and its roles, beside all policies: the limits of an only one need not say whose they are, and hosts are for one that lists some. */
export function toPolicyRows(policy: Policy, all: readonly Policy[]): readonly Row[] {
  const { name, file, limits } = policy;
  const isOnly = all.length === 1;
  const listsHosts = policy.egress.length > 0 || all.every(({ egress }) => egress.length === 0);
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
  const retirement: Thing = {
    ...thing,
    id: `${thing.id}/retirement`,
    names: [...thing.names, ["quiet", "dai"], ["quiet", "day"], ["retir"], ["retire"]],
    owners: stemSet("policy policies version versions retired retire retirement"),
    nouns: new Set(),
    values: [],
  };
  const places: readonly Place[] = [
    ...(listsHosts ? [place(thing, "egress", ["egress"], { kind: "list", of: "host" }, [...policy.egress])] : []),
    ...(["tenant", "actor"] as const).flatMap((who) => {
      const group: Thing = {
        ...thing,
        id: `${thing.id}/${who}`,
        label: `each ${who}` + (isOnly ? "" : ` in ${thing.label}`),
        at: ["limits", who],
        names:
          who === "actor"
            ? [["actor"], ["caller"], ["user"], ["us"], ["person"], ["employe"], ["single"], ["per", "user"]]
            : [["tenant"], ["organis"], ["customer"]],
      };
      return [
        place(group, "rate", ["rate"], COUNT, limits[who]?.rate),
        place(group, "concurrency", ["concurrency"], COUNT, limits[who]?.concurrency),
        place(group, "dailyCost", ["dailyCost"], AMOUNT, limits[who]?.dailyCost),
      ];
    }),
    place(
      policy.quietDays === undefined && !isOnly ? thing : retirement,
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
