import type { Question } from "./decision.ts";
import { sha256 } from "./sha256.ts";

/** To be raised when the same question gets another report, so that one id never stands for two. */
const FORMAT = 1;
/** 128 bits: nobody finds two questions of one id by chance. */
const LENGTH = 32;

/** Derives the id of a question from its content, so that asking again changes nothing. */
export function toDecisionId({ question, orientation, states, alternatives, alpha }: Question): string {
  const text = JSON.stringify([
    FORMAT,
    question ?? null,
    orientation,
    states.map(({ name, probability }) => [name, probability ?? null]),
    alternatives.map(({ name, payoffs }) => [name, payoffs]),
    alpha,
  ]);
  return `decision_${sha256(text).slice(0, LENGTH)}`;
}
