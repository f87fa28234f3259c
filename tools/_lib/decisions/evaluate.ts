import { applyCriteria, expectation } from "./criteria.ts";
import { toNumber } from "./decimal.ts";
import type { Question, Report, Alternative, Dominated, Verdict } from "./decision.ts";
import { greatest, type PayoffTable, readPayoffTable } from "./payoff-table.ts";
import { bestOfStates, toRegrets } from "./regrets.ts";
import { sha256 } from "./sha256.ts";

/**
 * The report on a question that `findProblem` finds nothing wrong with. Computed exactly with the decimal numbers as they
 * are written; ties and dominance are decided on exact values, and every result is rounded once, to the nearest double.
 */
export function evaluate(question: Question): Report {
  const table = readPayoffTable(question);
  const { gains, scale } = table;
  const criteria = applyCriteria(question, table);
  const dominated = findDominated(question.alternatives, gains);
  return {
    id: toDecisionId(question),
    ...question,
    summary: summarise(criteria, dominated),
    criteria,
    regrets: toRegrets(gains).map((row) => row.map((digits) => toNumber({ digits, scale }))),
    dominated,
    ...valueInformation(table),
  };
}

/** Raiffa and Schlaifer, "Applied Statistical Decision Theory", 1961: what is expected when the state is known first. */
function valueInformation({ gains, scale, sign, probabilities }: PayoffTable): Pick<Report, "perfect_information"> {
  if (probabilities === undefined) return {};
  const informed = expectation(bestOfStates(gains), probabilities.digits);
  const uninformed = greatest(gains.map((row) => expectation(row, probabilities.digits)));
  const at = scale + probabilities.scale;
  return {
    perfect_information: {
      expected_value: toNumber({ digits: sign * informed, scale: at }),
      value: toNumber({ digits: informed - uninformed, scale: at }),
    },
  };
}

/** To be raised when the same question gets another report, so that one id never stands for two. */
const FORMAT = 1;
/** 128 bits: nobody finds two questions of one id by chance. */
const LENGTH = 32;

/** Derives the id of a question from its content, so that asking again changes nothing. */
function toDecisionId({ question, orientation, states, alternatives, alpha }: Question): string {
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

/** The alternatives that no one need consider, because another is better in every state, or as good and sometimes better. */
function findDominated(
  alternatives: readonly Alternative[],
  gains: readonly (readonly bigint[])[],
): readonly Dominated[] {
  return alternatives.flatMap(({ name }, at) => {
    const own = gains[at] ?? [];
    const strict = gains.findIndex((other) => other.every((gain, state) => gain > (own[state] ?? gain)));
    const weak = gains.findIndex(
      (other) =>
        other.every((gain, state) => gain >= (own[state] ?? gain)) &&
        other.some((gain, state) => gain > (own[state] ?? gain)),
    );
    const by = alternatives[strict < 0 ? weak : strict];
    return by === undefined ? [] : [{ alternative: name, by: by.name, kind: strict < 0 ? "weak" : "strict" }];
  });
}

/** One or two sentences for people: who chooses what, and what need not be considered. */
function summarise(criteria: readonly Verdict[], dominated: readonly Dominated[]): string {
  const byChoice = Map.groupBy(criteria, ({ choices }) => join(choices.map((name) => `"${name}"`)));
  const said = [...byChoice].map(([choices, verdicts]) => {
    const names = verdicts.map(({ criterion }) => criterion.replaceAll("_", " "));
    return `${choices} by ${join(names)}`;
  });
  const best = `Best: ${said.join("; ")}.`;
  if (dominated.length === 0) return best;
  const lost = dominated.map(({ alternative }) => `"${alternative}"`);
  return `${best} Dominated: ${join(lost)}.`;
}

function join(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
