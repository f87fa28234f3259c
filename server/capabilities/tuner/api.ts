import type { Declarations, Grant } from "../declaration.ts";

/**
 * This version's experiments, apart for each tenant. Reads need `tuner.read`, writes `tuner.write`; what a call writes is
 * kept when it succeeds, all of it or nothing.
 */
export interface Tuner {
  /**
   * Credits a reward to what the conversation was given, once; says to which experiments. Rejects with CONFLICT, and the
   * reason, where it cannot be credited, and with BAD_REQUEST where it is no reward.
   */
  reward(conversationId: string, reward: number): Promise<readonly TunerCredit[]>;
  /** Rewards of conversations, choices or arms, and then choices, each of which knows of those before it. */
  step(request: TunerStep): Promise<TunerStepped>;
  /** Results of a search's candidates, and then candidates to evaluate. */
  iterate(request: TunerIteration): Promise<TunerIterated>;
  /** Fits a preference model to all of these pairs or rankings. */
  fit(request: TunerComparisons): Promise<TunerFitted>;
  /** Makes an arm or values active; without either, what staging holds for best. Active values stay so. */
  promote(request: TunerPromotion): Promise<TunerState>;
  /** Goes back to what was active before. */
  revert(experiment: string): Promise<TunerState>;
  /** Proposes new defaults, as a patch and as a message to the Architect, with the evidence for them. */
  propose(experiment: string): Promise<Readonly<Record<string, unknown>>>;
  /** Shows the state of one experiment, or of all of them. */
  state(experiment?: string): Promise<readonly TunerState[]>;
}

type TunedValues = Readonly<Record<string, string | number | boolean>>;

export interface TunerCredit {
  readonly experiment: string;
  readonly arm?: string;
  readonly candidate?: string;
  /** On [0, 1], where 1 is best. */
  readonly scaled: number;
}

export interface TunerStep {
  readonly experiment: string;
  /** `id` is that of a conversation or of a choice. */
  readonly rewards?: readonly ({ readonly reward: number } & ({ readonly id: string } | { readonly arm: string }))[];
  readonly choose?: number;
}

export interface TunerStepped {
  readonly rewarded: number;
  readonly choices: readonly {
    readonly id: string;
    readonly arm?: string;
    readonly values: TunedValues;
    readonly propensities?: Readonly<Record<string, number>>;
  }[];
  readonly state: TunerState;
}

export interface TunerIteration {
  readonly experiment: string;
  readonly results?: readonly ({ readonly candidate: string } & (
    { readonly value: number } | { readonly failed: true }
  ))[];
  readonly ask?: number;
}

export interface TunerIterated {
  readonly told: number;
  readonly candidates: readonly { readonly candidate: string; readonly id: string; readonly values: TunedValues }[];
  readonly state: TunerState;
}

export interface TunerComparisons {
  readonly experiment: string;
  readonly pairs?: readonly (
    | { readonly winner: string; readonly loser: string; readonly tie?: boolean }
    | { readonly preferred: Readonly<Record<string, number>>; readonly other: Readonly<Record<string, number>> }
  )[];
  /** Best first. */
  readonly rankings?: readonly (readonly string[])[];
}

export interface TunerFitted {
  readonly fit: {
    readonly pairs: string;
    readonly count: number;
    readonly estimates: Readonly<Record<string, { readonly value: number; readonly standardError: number | null }>>;
    readonly values: TunedValues;
  };
  readonly logLikelihood: number;
  readonly separable: boolean;
  readonly heldOut: number;
  readonly threshold: {
    readonly threshold: number;
    readonly precision: number;
    readonly interval: { readonly low: number; readonly high: number };
    readonly coverage: number;
  } | null;
  readonly loss: { readonly brier: number; readonly logLoss: number } | null;
  readonly state: TunerState;
}

export interface TunerPromotion {
  readonly experiment: string;
  readonly arm?: string;
  readonly values?: TunedValues;
}

/** As `state://staging` shows it. */
export interface TunerState {
  readonly experiment: string;
  readonly strategy: string;
  readonly algorithm: string;
  readonly seq: number;
  readonly active: { readonly values: TunedValues; readonly arm?: string; readonly why: string };
  readonly staging: Readonly<Record<string, unknown>>;
  readonly counts: Readonly<Record<string, number>>;
  readonly stop: Readonly<Record<string, unknown>>;
  readonly guardrail: Readonly<Record<string, unknown>>;
}

export const TUNER_GRANTS = {
  "tuner.read": { breaks: ["deterministic"] },
  "tuner.write": { breaks: ["deterministic"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.tuner`. */
export const TUNER = {
  reward: {
    name: "tuner.reward",
    takes: ["conversationId", "reward"],
    needs: "tuner.write",
    mutates: true,
    inPreviews: true,
  },
  step: {
    name: "tuner.step",
    takes: [["experiment", "rewards?", "choose?"]],
    needs: "tuner.write",
    mutates: true,
    inPreviews: true,
  },
  iterate: {
    name: "tuner.iterate",
    takes: [["experiment", "results?", "ask?"]],
    needs: "tuner.write",
    mutates: true,
    inPreviews: true,
  },
  fit: {
    name: "tuner.fit",
    takes: [["experiment", "pairs?", "rankings?"]],
    needs: "tuner.write",
    mutates: true,
    inPreviews: true,
  },
  promote: {
    name: "tuner.promote",
    takes: [["experiment", "arm?", "values?"]],
    needs: "tuner.write",
    mutates: true,
    inPreviews: true,
  },
  revert: { name: "tuner.revert", takes: ["experiment"], needs: "tuner.write", mutates: true, inPreviews: true },
  propose: { name: "tuner.propose", takes: ["experiment"], needs: "tuner.read", inPreviews: true },
  state: { name: "tuner.state", takes: ["experiment?"], needs: "tuner.read", inPreviews: true },
} as const satisfies Declarations<Tuner, keyof typeof TUNER_GRANTS>;
