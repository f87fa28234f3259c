import { exp, log } from "../elementary.ts";
import { CairnError } from "../../../errors.ts";

/** A number that is searched for. */
export interface CmaParameter {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** `log`: equal steps of the search are equal factors of the value. */
  readonly scale: "linear" | "log";
  /** Values are `low + k * step`; null for any. An integer parameter has integer bounds and step 1. */
  readonly step: number | null;
}

const MAX_STEPS = 2_147_483_648;
/** Hides the rounding of `low + k * step`: 0.15, not 0.15000000000000002. */
const VALUE_DIGITS = 12;

export function assertParameter({ name, low, high, scale, step }: CmaParameter): void {
  const wrong = (problem: string) => new CairnError("BAD_REQUEST", `The parameter \`${name}\` ${problem}.`);
  if (!(Number.isFinite(low) && Number.isFinite(high) && low < high && Number.isFinite(high - low))) {
    throw wrong(`needs finite bounds, the first below the second, not \`${low}\` and \`${high}\``);
  }
  if (scale === "log" && low <= 0) throw wrong(`needs a lower bound above 0 for its log scale, not \`${low}\``);
  if (step !== null && !(step > 0 && high - low >= step && (high - low) / step < MAX_STEPS)) {
    throw wrong(`needs a step above 0 that fits between its bounds, not \`${step}\``);
  }
}

/** From the unit interval to the parameter's own value, on its grid and within its bounds. */
export function toValue(parameter: CmaParameter, unit: number): number {
  const { low, high, scale, step } = parameter;
  const [from, to] = range(parameter);
  const value = scale === "log" ? from * exp(unit * log(to / from)) : from + unit * (to - from);
  if (step === null) return Math.min(high, Math.max(low, value));
  const index = Math.min(lastIndex(parameter), Math.max(0, Math.round((value - low) / step)));
  return Number((low + index * step).toPrecision(VALUE_DIGITS));
}

/** Converts a value to its position in the unit interval; an end for a value outside of the bounds. */
export function toPosition(parameter: CmaParameter, value: number): number {
  const [from, to] = range(parameter);
  const within = Math.min(to, Math.max(from, value));
  return parameter.scale === "log" ? log(within / from) / log(to / from) : (within - from) / (to - from);
}

/** The part of the unit interval that gives the same value as `unit`; nothing for a parameter without steps. */
export function findCell(
  parameter: CmaParameter,
  unit: number,
): { readonly value: number; readonly centre: number; readonly width: number } | undefined {
  if (parameter.step === null) return undefined;
  const value = toValue(parameter, unit);
  const edge = (side: number) => toPosition(parameter, value + (side * (parameter.step ?? 0)) / 2);
  return { value, centre: (edge(-1) + edge(1)) / 2, width: edge(1) - edge(-1) };
}

/** The bounds, half a step wider where there are steps, so that the first and last value get a full share. */
function range(parameter: CmaParameter): [from: number, to: number] {
  const { low, high, scale, step } = parameter;
  if (step === null) return [low, high];
  const from = low - step / 2;
  return [scale === "log" && from <= 0 ? low : from, low + (lastIndex(parameter) + 0.5) * step];
}

/** A last step that only rounding makes too long counts. */
function lastIndex({ low, high, step }: CmaParameter): number {
  return step === null ? 0 : Math.floor((high - low) / step + 1e-9);
}
