import type { ParameterValue } from "../../versions/experiment.ts";

/**
 * What happened to an experiment. Events are the truth: they are only ever appended, and the state of an experiment is a
 * fold of them, the same bytes on any machine. `at` is in milliseconds since 1970.
 */
export type TuningEvent =
  /** A conversation began with these values. Neither arm nor candidate: the active values, where there are no arms. */
  | (Given & { readonly kind: "assigned" })
  /** The same for a call that failed, by no fault of its caller: it counts as the worst reward, and none is waited for. */
  | (Given & { readonly kind: "failed"; readonly propensities?: Propensities })
  | (Given & {
      readonly kind: "rewarded";
      /** With which the arm was chosen. */
      readonly propensities?: Propensities;
      /** As it was sent, and on [0, 1], where 1 is best. */
      readonly reward: number;
      readonly scaled: number;
      readonly assignedAt: number;
      readonly actor: string;
    })
  /** A reward of an arm without a conversation of its own. */
  | {
      readonly kind: "observed";
      readonly arm: string;
      readonly reward: number;
      readonly scaled: number;
      readonly at: number;
    }
  /** What came of a candidate that was evaluated elsewhere; null: it failed. */
  | { readonly kind: "told"; readonly candidate: string; readonly scaled: number | null; readonly at: number }
  | { readonly kind: "fitted"; readonly fit: Fit; readonly at: number }
  | {
      readonly kind: "promoted";
      readonly values: Values;
      readonly arm?: string;
      readonly by: string;
      readonly at: number;
    }
  | { readonly kind: "reverted"; readonly by: string; readonly at: number };

/** By arm; they add up to 1. */
export type Propensities = Readonly<Record<string, number>>;

export type Values = Readonly<Record<string, ParameterValue>>;

interface Given {
  readonly conversation: string;
  readonly arm?: string;
  readonly candidate?: string;
  readonly at: number;
}

/** What a fit to pairs has found, as far as it matters later. */
export interface Fit {
  /** SHA-256 of the pairs' canonical JSON. */
  readonly pairs: string;
  readonly count: number;
  /** Strengths of items, or weights of features, by name. */
  readonly estimates: Readonly<Record<string, { readonly value: number; readonly standardError: number | null }>>;
  /** Margin from which following the fit was right as often as the experiment aims at; null where it never was. */
  readonly threshold: number | null;
  /** What the fit would have the parameters be. */
  readonly values: Values;
}
