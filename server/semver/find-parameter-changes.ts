import { canonicalJson } from "../json/canonical-json.ts";
import type { Parameter, ParameterSet } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { findTextChanges } from "./find-text-changes.ts";
import type { Reading } from "./reading.ts";
import { createFinding, type Finding, placeIn } from "./finding.ts";

type Sets = ReadonlyMap<string, ParameterSet>;

/** Finds changes of parameters and their values. */
export function findParameterChanges(before: Sets, after: Sets, reading: Reading): readonly Finding[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((set) => {
    const [old, young] = [before.get(set), after.get(set)];
    const experiment = findExperimentChange(set, old, young);
    const names = new Set([...(old?.parameters.keys() ?? []), ...(young?.parameters.keys() ?? [])]);
    const parameters = [...names].flatMap((name): readonly Finding[] => {
      const [was, is] = [old?.parameters.get(name), young?.parameters.get(name)];
      const shown = `\`${set}.${name}\``;
      const find = (rule: BumpRule, message: string) => {
        const file = (is === undefined ? old : young)?.file ?? "";
        const place = placeIn(is === undefined ? "before" : "after", file, "parameters", name);
        return createFinding(rule, message, place, { of: `parameter ${set}.${name}` });
      };
      if (was === undefined) return [find("parameter-added", `The parameter ${shown} is new.`)];
      if (is === undefined) return [find("parameter-removed", `The parameter ${shown} is not there any more.`)];
      return [
        ...compare(was, is).map(([rule, message]) => find(rule, `The parameter ${shown} ${message}.`)),
        ...findTextChanges(`the parameter ${shown}`, was, is, ["description"], (message) =>
          find("text-changed", message),
        ),
      ];
    });
    return [...experiment, ...findSetTexts(old, young, reading), ...parameters];
  });
}

function findSetTexts(was: ParameterSet | undefined, is: ParameterSet | undefined, reading: Reading) {
  if (was === undefined || is === undefined || reading === "plain") return [];
  return findTextChanges(`the parameters of \`${is.name}\``, was, is, ["description"], (message, key) =>
    createFinding("text-changed", message, placeIn("after", is.file, key)),
  );
}

/** Finds changes of tuning, which decides the values that handlers run with. */
function findExperimentChange(name: string, was: ParameterSet | undefined, is: ParameterSet | undefined) {
  if (was === undefined || is === undefined || showExperiment(was) === showExperiment(is)) return [];
  const place = placeIn("after", is.file, "experiment");
  return [createFinding("experiment-changed", `The parameters of \`${name}\` are tuned in another way.`, place)];
}

function showExperiment({ experiment }: ParameterSet): string {
  return canonicalJson(experiment ?? null);
}

function compare(was: Parameter, is: Parameter): readonly (readonly [BumpRule, string])[] {
  const { description: _oldText, ...old } = was;
  const { description: _newText, ...young } = is;
  if (canonicalJson(old) === canonicalJson(young)) return [];
  const changes: (readonly [BumpRule, string])[] = [];
  const lost = findLost(was, is);
  const gained = findLost(is, was);
  if (lost !== undefined) changes.push(["parameter-narrowed", `cannot be ${lost} any more`]);
  else if (gained !== undefined) changes.push(["parameter-widened", `can be ${gained}`]);
  if (was.default !== is.default) {
    changes.push([
      "parameter-default-changed",
      `is \`${is.default}\` where nobody sets it, and was \`${was.default}\``,
    ]);
  }
  return changes.length > 0 ? changes : [["declaration-changed", "is searched in another way"]];
}

/** Describes values of `from` that `to` cannot have. */
function findLost(from: Parameter, to: Parameter): string | undefined {
  if (from.type === "categorical" || to.type === "categorical") {
    if (from.type !== "categorical" || to.type !== "categorical") return `of the type \`${from.type}\``;
    const lost = from.values.filter((value) => !to.values.includes(value));
    return lost.length === 0 ? undefined : lost.map((value) => `\`${value}\``).join(", ");
  }
  if (from.type === "float" && to.type === "int") return "a number with a fraction";
  if (from.min < to.min) return `\`${from.min}\``;
  if (from.max > to.max) return `\`${from.max}\``;
  return to.step === undefined || hasOnlyStepsOf(to, from) ? undefined : `between steps of \`${to.step}\``;
}

type Range = Extract<Parameter, { readonly min: number }>;

/** Checks that each value of `range` is one of the steps of the other. */
function hasOnlyStepsOf({ min, step = 0 }: Range, range: Range): boolean {
  const own = range.step ?? (range.type === "int" ? 1 : undefined);
  return own !== undefined && isMultiple(own, step) && isMultiple(range.min - min, step);
}

function isMultiple(number: number, step: number): boolean {
  const times = number / step;
  return Math.abs(times - Math.round(times)) < 1e-9;
}
