import { CairnError } from "../../errors.ts";

/** A limit that a call met. */
export interface Met {
  readonly limit: "rate" | "concurrency" | "dailyCost";
  /** Whose limit, and its name. */
  readonly of: "tenant" | "actor" | "tool";
  readonly name: string;
  readonly allowed: number;
  readonly retryMs: number;
}

const PHRASES = {
  rate: "calls a minute",
  concurrency: "calls at the same time",
  dailyCost: "cost units a day (UTC)",
} as const;

/** RATE_LIMITED with which limit was met, whose, and in how many seconds it is worth another try. */
export function rateLimited({ limit, of, name, allowed, retryMs }: Met): CairnError {
  const retryAfter = Math.max(1, Math.ceil(retryMs / 1000));
  return new CairnError(
    "RATE_LIMITED",
    `The ${of} \`${name}\` has no more of its ${allowed} ${PHRASES[limit]}; try again in ${retryAfter} s.`,
    { details: { limit, of, name, allowed, retryAfter } },
  );
}
