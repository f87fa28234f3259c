import { CairnError } from "../../../errors.ts";
import { CMA_CONVENTIONS, defaultLambda, type CmaConvention } from "./constants.ts";
import { assertParameter, toPosition, type CmaParameter } from "./parameter.ts";

/** Limits at which a run stops; `docs/tuning-cma.md` explains each reason. */
export interface CmaLimits {
  /** A value at least this good ends the search; null for none. */
  readonly target: number | null;
  /** Of the whole search, its restarts included; null for no limit. */
  readonly maxEvaluations: number | null;
  /** Of one run; null for 100 + 150 (n + 3)^2 / sqrt(lambda). */
  readonly maxGenerations: number | null;
  readonly tolFun: number;
  readonly tolFunHist: number;
  /** In the unit cube. */
  readonly tolX: number;
  readonly tolFacUpX: number;
  readonly tolUpSigma: number;
  readonly conditionCov: number;
  readonly flatGenerations: number;
  /** In the unit cube. */
  readonly tolXStagnation: number;
}

export interface CmaRestarts {
  readonly mode: "none" | "ipop" | "bipop";
  /** Factor of the population at a restart. */
  readonly factor: number;
  /** Largest number of restarts. */
  readonly max: number;
}

export interface CmaSettings {
  /** Names the stream of random numbers: the same seed and the same results give the same search. */
  readonly seed: string;
  readonly parameters: readonly CmaParameter[];
  readonly direction: "minimize" | "maximize";
  /** Start of the first run, in the unit cube. */
  readonly start: readonly number[];
  /** The first step size, in the unit cube. */
  readonly sigma0: number;
  readonly lambda: number;
  readonly convention: CmaConvention;
  readonly restarts: CmaRestarts;
  /** Number of candidates of each generation that are evaluated twice, to measure noise. */
  readonly reevaluate: number;
  readonly limits: CmaLimits;
}

export interface CmaOptions extends Partial<Omit<CmaSettings, "seed" | "parameters" | "start" | "limits">> {
  readonly seed: string;
  readonly parameters: readonly CmaParameter[];
  /** Values to start from, by name; the middle for those it leaves out. */
  readonly start?: Readonly<Record<string, number>>;
  readonly limits?: Partial<CmaLimits>;
}

const MAX_DIMENSIONS = 100;
export const MAX_LAMBDA = 10_000;
/** The largest standard deviation along a coordinate: a third of its range, as pycma's `maxstd_boundrange`. */
export const MAX_DEVIATION = 1 / 3;

const DEFAULT_LIMITS: CmaLimits = {
  target: null,
  maxEvaluations: null,
  maxGenerations: null,
  tolFun: 1e-11,
  tolFunHist: 1e-12,
  tolX: 1e-11,
  tolFacUpX: 1e3,
  tolUpSigma: 1e20,
  conditionCov: 1e14,
  flatGenerations: 1,
  tolXStagnation: 1e-9,
};
/** A grid is flat in places without being done. */
const FLAT_GENERATIONS_WITH_STEPS = 60;

/** Settings with their defaults. @throws BAD_REQUEST naming what is wrong and what would be right. */
export function toSettings(options: CmaOptions): CmaSettings {
  const { seed, parameters, start = {}, limits = {} } = options;
  const n = parameters.length;
  if (n < 1 || n > MAX_DIMENSIONS) throw wrong(`1 to ${MAX_DIMENSIONS} parameters are needed, not \`${n}\``);
  parameters.forEach(assertParameter);
  const names = parameters.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw wrong(`two are named \`${twice}\``);
  for (const name of Object.keys(start)) if (!names.includes(name)) throw wrong(`\`start\` names \`${name}\``);
  const settings: CmaSettings = {
    seed,
    parameters,
    direction: options.direction ?? "minimize",
    start: parameters.map((parameter) => toStart(parameter, start)),
    sigma0: options.sigma0 ?? 0.25,
    lambda: options.lambda ?? defaultLambda(n),
    convention: options.convention ?? "active",
    restarts: options.restarts ?? { mode: "none", factor: 2, max: 0 },
    reevaluate: options.reevaluate ?? 0,
    limits: {
      ...DEFAULT_LIMITS,
      ...(parameters.some(({ step }) => step !== null) ? { flatGenerations: FLAT_GENERATIONS_WITH_STEPS } : {}),
      ...limits,
    },
  };
  assertSettings(settings);
  return settings;
}

function assertSettings({ sigma0, lambda, convention, restarts, reevaluate, limits }: CmaSettings): void {
  if (!(sigma0 > 0 && sigma0 <= MAX_DEVIATION)) throw wrong(`\`sigma0\` is above 0 and at most 1/3, not \`${sigma0}\``);
  assertWhole("lambda", lambda, 4, MAX_LAMBDA);
  if (!CMA_CONVENTIONS.includes(convention)) throw wrong(`there is no convention \`${convention}\``);
  if (!(restarts.factor > 1 && restarts.factor <= 10)) {
    throw wrong(`\`restarts.factor\` is above 1 and at most 10, not \`${restarts.factor}\``);
  }
  assertWhole("restarts.max", restarts.max, 0, 100);
  assertWhole("reevaluate", reevaluate, 0, lambda);
  for (const [name, limit] of Object.entries(limits)) {
    const least = name === "target" ? Number.NEGATIVE_INFINITY : name.startsWith("max") ? 1 : 0;
    if (limit !== null && !(Number.isFinite(limit) && limit >= least)) {
      throw wrong(`\`limits.${name}\` is a finite number${least === 0 ? " from 0" : ""}, not \`${limit}\``);
    }
  }
}

function toStart(parameter: CmaParameter, start: Readonly<Record<string, number>>): number {
  const value = Object.hasOwn(start, parameter.name) ? start[parameter.name] : undefined;
  if (value === undefined) return 0.5;
  if (value >= parameter.low && value <= parameter.high) return toPosition(parameter, value);
  throw wrong(`\`start.${parameter.name}\` lies within the bounds, unlike \`${value}\``);
}

function assertWhole(name: string, value: number, least: number, greatest: number): void {
  if (Number.isInteger(value) && value >= least && value <= greatest) return;
  throw wrong(`\`${name}\` is a whole number from ${least} to ${greatest}, not \`${value}\``);
}

function wrong(problem: string): CairnError {
  return new CairnError("BAD_REQUEST", `CMA-ES settings: ${problem}.`);
}
