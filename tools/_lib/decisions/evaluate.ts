import { applyCriteria, expectation } from "./criteria.ts";
import { toNumber } from "./decimal.ts";
import type { Question, Report } from "./decision.ts";
import { toDecisionId } from "./decision-id.ts";
import { findDominated } from "./dominance.ts";
import { greatest, type PayoffTable, readPayoffTable } from "./payoff-table.ts";
import { bestOfStates, toRegrets } from "./regrets.ts";
import { summarise } from "./summarise.ts";

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
