import type { Inheritance } from "./inheritance.ts";
import type { Fit, Given, Propensities, Values } from "./values.ts";

/**
 * Event of an experiment. Events are the truth: they are only ever appended, and the state of an experiment is a fold of
 * them, the same bytes on any machine. `at` is in milliseconds since 1970.
 */
export type TuningEvent =
  | OpenedEvent
  /** A conversation began with these values. */
  | (GivenTo & { readonly kind: "assigned" })
  /**
   * Assignment of a call that failed without a fault of its caller: it counts as the worst reward, and no other is
   * awaited.
   */
  | (GivenTo & { readonly kind: "failed"; readonly propensities?: Propensities })
  | (GivenTo & {
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
  /** Result of a candidate that was evaluated elsewhere; null: it failed. */
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

/**
 * First event in the log of a version's tuning, written with the first conversation, reward or change. A log that began
 * under older rules gets one, too, at its next event; then it changes only the rules.
 */
export interface OpenedEvent {
  readonly kind: "opened";
  /** See `RULES`. */
  readonly rules: number;
  /** The nearest served ancestor whose experiment of this name has events; absent where there is none. */
  readonly parent?: { readonly version: string; readonly commit: string };
  /** Parts of the definition that differ from the parent's, so that nothing was inherited. */
  readonly changed?: readonly string[];
  readonly inherited?: Inherited;
  readonly at: number;
}

export interface Inherited {
  /** The parent's last event that is part of it, and the hash that covers all up to there. */
  readonly seq: number;
  readonly hash: string;
  readonly state: Inheritance;
}

interface GivenTo extends Given {
  readonly conversation: string;
  readonly at: number;
}
