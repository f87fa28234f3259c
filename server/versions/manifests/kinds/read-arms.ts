import type { Arm, ParameterValue } from "../../experiment.ts";
import type { Parameter } from "../../version.ts";
import { suggest } from "../../../text/suggest.ts";
import type { Path } from "../yaml/locate.ts";

export type ArmsContent = Readonly<Record<string, Readonly<Record<string, ParameterValue>>>>;

type Parameters = ReadonlyMap<string, Parameter>;
type Add = (path: Path, message: string, fix: string) => void;

/** Arms of one experiment: each needs rewards of its own, so more would hardly ever be told apart. */
const ARM_LIMIT = 64;
/** Share of a step by which a number may miss it: decimal fractions are not exact in binary. */
const STEP_TOLERANCE = 1e-6;

/** The arms that a manifest names, or every combination of what the parameters can be. */
export function readArms(content: ArmsContent | undefined, parameters: Parameters, add: Add): readonly Arm[] {
  const arms = content === undefined ? combine(parameters, add) : readNamed(content, parameters, add);
  return Object.freeze(arms.map((arm) => Object.freeze({ ...arm, values: Object.freeze(arm.values) })));
}

function readNamed(content: ArmsContent, parameters: Parameters, add: Add): readonly Arm[] {
  const seen = new Map<string, string>();
  return Object.entries(content).map(([name, own]) => {
    for (const [parameter, value] of Object.entries(own)) {
      const of = parameters.get(parameter);
      if (of === undefined) {
        const meant = suggest(parameter, [...parameters.keys()]);
        const fix = meant ? `Did you mean \`${meant}\`?` : `There are ${[...parameters.keys()].join(", ")}.`;
        add(["arms", name, parameter], `There is no parameter \`${parameter}\` in this file.`, fix);
      } else if (!canBe(of, value)) {
        add(
          ["arms", name, parameter],
          `\`${parameter}\` cannot be \`${String(value)}\`.`,
          "Write a value it can have.",
        );
      }
    }
    const values = Object.fromEntries([...parameters].map(([key, of]) => [key, own[key] ?? of.default]));
    const same = seen.get(JSON.stringify(values));
    if (same !== undefined) {
      add(["arms", name], `The arm \`${name}\` is the same as \`${same}\`.`, "Change one of them, or remove it.");
    }
    seen.set(JSON.stringify(values), name);
    return { name, values };
  });
}

function combine(parameters: Parameters, add: Add): readonly Arm[] {
  let combinations: (readonly (readonly [string, ParameterValue])[])[] = [[]];
  for (const [name, of] of parameters) {
    const values = valuesOf(of);
    if (values === undefined) {
      const fix = "Give it a `step`, name the combinations under `arms`, or write `kind: cma_es`.";
      add(["strategy", "kind"], `\`${name}\` has no end of values to choose among.`, fix);
      return [];
    }
    combinations = combinations.flatMap((combination) =>
      values.map((value) => [...combination, [name, value] as const]),
    );
    if (combinations.length > ARM_LIMIT) {
      const message = `The parameters have more than ${ARM_LIMIT} combinations.`;
      add(["strategy", "kind"], message, "Name those to choose among under `arms`.");
      return [];
    }
  }
  const isOne = parameters.size === 1;
  return combinations.map((combination) => ({
    name: combination.map(([name, value]) => (isOne ? String(value) : `${name}=${String(value)}`)).join(","),
    values: Object.fromEntries(combination),
  }));
}

/** Undefined where a number has no steps. */
function valuesOf(parameter: Parameter): readonly ParameterValue[] | undefined {
  if (parameter.type === "categorical") return parameter.values;
  const { type, min, max, scale, step = type === "int" && scale === "linear" ? 1 : undefined } = parameter;
  if (step === undefined) return undefined;
  const count = Math.floor((max - min) / step + STEP_TOLERANCE);
  if (count > ARM_LIMIT) return Array.from({ length: ARM_LIMIT + 1 }, (_, index) => index);
  return Array.from({ length: count + 1 }, (_, index) => Number((min + index * step).toPrecision(12)));
}

/** Checks that a parameter allows a value. */
export function canBe(parameter: Parameter, value: ParameterValue): boolean {
  if (parameter.type === "categorical") return parameter.values.includes(value);
  const { type, min, max, step } = parameter;
  if (typeof value !== "number" || value < min || value > max) return false;
  if (type === "int" && !Number.isInteger(value)) return false;
  const steps = step === undefined ? 0 : (value - min) / step;
  return Math.abs(steps - Math.round(steps)) <= STEP_TOLERANCE;
}
