import type { Problem } from "../../problem.ts";
import type { Parameter, ParameterSet } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import { type ExperimentContent, readExperiment } from "./read-experiment.ts";
import type { FileRead } from "./file-read.ts";
import { defined } from "../../../json/defined.ts";

export interface ParametersContent {
  readonly description?: string;
  readonly parameters: Readonly<Record<string, ParameterContent>>;
  readonly experiment?: ExperimentContent;
}

type Categorical = Extract<Parameter, { type: "categorical" }>;
type Numeric = Exclude<Parameter, Categorical>;
type ParameterContent = Categorical | (Omit<Numeric, "scale"> & { readonly scale?: Numeric["scale"] });

/** Share of a step by which a number may miss it: decimal fractions are not exact in binary. */
const STEP_TOLERANCE = 1e-6;

export function readParameters(name: string, manifest: Manifest<ParametersContent>): FileRead<ParameterSet> {
  const { file, content } = manifest;
  const problems: Problem[] = [];
  const parameters = new Map<string, Parameter>();
  for (const [parameter, entry] of Object.entries(content.parameters)) {
    const add: Add = (key, message, fix) =>
      problems.push(manifest.problem("parameter-range", ["parameters", parameter, ...key], message, fix));
    if (entry.type === "categorical") checkCategorical(entry, add);
    else checkNumeric(entry, add);
    parameters.set(parameter, Object.freeze(entry.type === "categorical" ? entry : { scale: "linear", ...entry }));
  }
  const { description, experiment: said } = content;
  const experiment = said === undefined || problems.length > 0 ? undefined : readExperiment(said, parameters, manifest);
  problems.push(...(experiment?.problems ?? []));
  const value: ParameterSet = {
    name,
    ...defined({ description }),
    parameters,
    ...(experiment === undefined ? {} : { experiment: experiment.value }),
    file,
  };
  return { value: Object.freeze(value), problems };
}

type Add = (key: readonly (string | number)[], message: string, fix: string) => void;

function checkCategorical({ values, default: initial }: Categorical, add: Add): void {
  const seen = new Set<unknown>();
  values.forEach((value, index) => {
    if (seen.has(value)) add(["values", index], `\`${String(value)}\` is already listed.`, "List each value once.");
    seen.add(value);
  });
  if (!seen.has(initial)) {
    const message = `The default \`${String(initial)}\` is none of the values.`;
    add(["default"], message, `Write one of ${values.join(", ")}, or add it to \`values\`.`);
  }
}

function checkNumeric(parameter: Exclude<ParameterContent, Categorical>, add: Add): void {
  const { type, min, max, scale, step, default: initial } = parameter;
  if (type === "int") {
    for (const key of ["min", "max", "step", "default"] as const) {
      const value = parameter[key];
      if (value === undefined || Number.isInteger(value)) continue;
      add([key], `\`${value}\` is not a whole number.`, "Write a whole number, or `type: float`.");
    }
  }
  if (min >= max)
    return add(["max"], `\`max\` is ${max}, which is not above \`min\`, ${min}.`, "Write a larger `max`.");
  if (scale === "log" && min <= 0) {
    add(["min"], `\`min\` is ${min}, but a logarithm needs positive numbers.`, "Write a positive `min`.");
  }
  if (scale === "log" && step !== undefined) {
    add(["step"], "Steps add, but a log scale multiplies.", "Remove `step`, or write `scale: linear`.");
  }
  if (step !== undefined && step > max - min) {
    add(["step"], `The step ${step} is longer than the way from ${min} to ${max}.`, `Write at most ${max - min}.`);
  }
  if (initial < min || initial > max) {
    const message = `The default ${initial} is not between ${min} and ${max}.`;
    return add(["default"], message, "Write a number between `min` and `max`.");
  }
  if (step === undefined || scale === "log") return;
  const steps = (initial - min) / step;
  if (Math.abs(steps - Math.round(steps)) <= STEP_TOLERANCE) return;
  const [below, above] = [Math.floor(steps), Math.ceil(steps)].map((n) => Number((min + n * step).toPrecision(12)));
  const message = `The default ${initial} is not a whole number of steps of ${step} above ${min}.`;
  add(["default"], message, `Write ${below}${above !== undefined && above <= max ? ` or ${above}` : ""}.`);
}
