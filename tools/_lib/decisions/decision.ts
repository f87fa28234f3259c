/** Question to decide, as a payoff table: alternatives in rows, states of nature in columns. */
export interface Question {
  readonly question?: string;
  readonly orientation: "gain" | "cost";
  readonly states: readonly State[];
  readonly alternatives: readonly Alternative[];
  /** Hurwicz's coefficient of optimism: 0 looks at the worst alone, 1 at the best. */
  readonly alpha: number;
}

interface State {
  readonly name: string;
  readonly probability?: number;
}

export interface Alternative {
  readonly name: string;
  /** One for each state, in their order. */
  readonly payoffs: readonly number[];
}

export interface Report extends Question {
  readonly id: string;
  readonly summary: string;
  readonly criteria: readonly Verdict[];
  /** One row for each alternative: what is lost against the best alternative of each state. */
  readonly regrets: readonly (readonly number[])[];
  readonly dominated: readonly Dominated[];
  /** Present when the states have probabilities. */
  readonly perfect_information?: {
    readonly expected_value: number;
    /** The most that knowing the state beforehand is worth. */
    readonly value: number;
  };
}

export type Criterion =
  "expected_value" | "expected_opportunity_loss" | "minimax_regret" | "maximin" | "maximax" | "hurwicz" | "laplace";

/** Verdict of one criterion. */
export interface Verdict {
  readonly criterion: Criterion;
  readonly objective: "maximise" | "minimise";
  /** One for each alternative, in their order. */
  readonly scores: readonly number[];
  /** The best score. */
  readonly best: number;
  /** Alternatives with it; more than one is a tie. */
  readonly choices: readonly string[];
}

export interface Dominated {
  readonly alternative: string;
  /** The first alternative that is better in every state, or else one that is better in some and worse in none. */
  readonly by: string;
  readonly kind: "strict" | "weak";
}
