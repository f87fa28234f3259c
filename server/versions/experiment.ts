/** Tuning of a set's parameters, as its manifest declares, with every default filled in. */
export interface Experiment {
  readonly strategy: Strategy;
  /** Arms that strategies choose among, in a fixed order; empty for other strategies. */
  readonly arms: readonly Arm[];
  /** Name of the arm whose values are the defaults; absent without arms. */
  readonly baseline?: string;
  readonly reward: RewardRule;
  readonly exploration: Exploration;
  /** Absent: nothing is promoted unless someone does so. */
  readonly stop?: StopRule;
  readonly guardrail?: Guardrail;
}

export type Strategy = BanditStrategy | EvolutionStrategy | PreferenceStrategy;

export type BanditStrategy =
  | { readonly kind: "ucb1"; readonly c: number }
  | { readonly kind: "ucb1_tuned" }
  | { readonly kind: "kl_ucb" }
  | { readonly kind: "thompson" }
  | { readonly kind: "sw_ucb"; readonly window: number; readonly xi: number }
  | { readonly kind: "d_ucb"; readonly discount: number; readonly xi: number };

interface EvolutionStrategy {
  readonly kind: "cma_es";
  /** Absent: 4 + floor(3 ln n) for n parameters. */
  readonly population?: number;
  /** Of the first generation, as a share of each parameter's range. */
  readonly sigma: number;
  readonly restarts: "none" | "ipop" | "bipop";
  /** Rewards after which the search ends; absent: it ends by its own reasons. */
  readonly evaluations?: number;
  readonly reevaluate: number;
}

export interface PreferenceStrategy {
  readonly kind: "preference";
  readonly model: "items" | "features";
  readonly l2: number;
  readonly ties: "half" | "davidson";
  readonly targetPrecision: number;
}

export type ParameterValue = string | number | boolean;

export interface Arm {
  readonly name: string;
  /** Every parameter of the set. */
  readonly values: Readonly<Record<string, ParameterValue>>;
}

export interface RewardRule {
  readonly range: readonly [least: number, most: number];
  readonly optimize: "max" | "min";
  readonly outOfRange: "reject" | "clip";
  /** Seconds after the call. */
  readonly deadline: number;
  readonly late: "drop" | "count";
}

export interface Exploration {
  /** Of the conversations, from 0 to 1. */
  readonly share: number;
  /** Least probability of each arm within that share. */
  readonly floor: number;
  readonly assignBy: "conversation" | "actor";
}

interface StopRule {
  readonly delta: number;
  readonly epsilon: number;
  readonly minSamples: number;
  readonly maxSamples: number;
  readonly promote: boolean;
}

interface Guardrail {
  readonly maxErrorRate?: number;
  readonly maxDrop?: number;
  readonly delta: number;
}
