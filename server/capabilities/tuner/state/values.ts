import type { ParameterValue } from "../../../versions/experiment.ts";

/** Values of a set's parameters, by name. */
export type Values = Readonly<Record<string, ParameterValue>>;

/** By arm; they add up to 1. */
export type Propensities = Readonly<Record<string, number>>;

/** Values given to a conversation or a choice. Neither arm nor candidate: the active values, where there are no arms. */
export interface Given {
  readonly arm?: string;
  readonly candidate?: string;
  /** Set where it was given what the guardrail would go back to, and no arm tells so. */
  readonly former?: true;
}

/** Reduces an assignment to the values given. */
export function toGiven({ arm, candidate, former }: Given): Given {
  return {
    ...(arm === undefined ? {} : { arm }),
    ...(candidate === undefined ? {} : { candidate }),
    ...(former === undefined ? {} : { former }),
  };
}

/** Result of a fit to pairs, as far as it matters later. */
export interface Fit {
  /** SHA-256 of the pairs' canonical JSON. */
  readonly pairs: string;
  readonly count: number;
  /** Strengths of items, or weights of features, by name. */
  readonly estimates: Readonly<Record<string, { readonly value: number; readonly standardError: number | null }>>;
  /** Margin from which following the fit was right as often as the experiment aims at; null where it never was. */
  readonly threshold: number | null;
  /** Parameters that the fit suggests. */
  readonly values: Values;
}
